#pragma once

/// X(member of tikc::Limits, "name"): the limits that `tikc check --limit` can lower.
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
