#pragma once

/// X(member of tikc::Limits, "name"): what `tikc check --limit` can lower. A macro of its own so
/// that the names can stand in a text.
#define TIKC_LIMITS(X)                                                                             \
  X(fileBytes, "file-bytes")                                                                       \
  X(documents, "documents")                                                                        \
  X(nestingDepth, "nesting-depth")                                                                 \
  X(nodes, "nodes")                                                                                \
  X(aliasExpansion, "alias-expansion")                                                             \
  X(expressionBytes, "expression-bytes")                                                           \
  X(expressionDepth, "expression-depth")                                                           \
  X(findings, "findings")                                                                          \
  X(extendsDepth, "extends-depth")                                                                 \
  X(numberExponent, "number-exponent")

#define TIKC_LIMIT_NAME(member, name) " " name
#define TIKC_LIMIT_NAMES TIKC_LIMITS(TIKC_LIMIT_NAME)
