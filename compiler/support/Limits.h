#pragma once

#include <cstddef>
#include <cstdint>

namespace tikc {

/// The bounds on what a contract's text may be, each with its own diagnostic, which the command
/// line can lower. How far proofs go is in Efforts.h; what messages of an editor, checkers that are
/// made and certificates may be is bounded where they are read: SECURITY.md has all.
struct Limits {
  std::uint32_t fileBytes = 16u << 20;
  std::uint32_t documents = 10'000;
  std::uint32_t nestingDepth = 64;
  std::uint32_t nodes = 2'000'000;
  /// Nodes that aliases may add to a document beyond those written in it.
  std::uint32_t aliasExpansion = 100'000;
  std::uint32_t expressionBytes = 4096;
  std::uint32_t expressionDepth = 32;
  /// Findings kept for a file; the rest are counted, and the count is itself a finding.
  std::uint32_t findings = 1000;
  std::uint32_t extendsDepth = 16;
  /// Decimal exponent of a number: 1e999999999 would otherwise cost gigabytes as an exact rational.
  std::uint32_t numberExponent = 400;

  bool operator==(const Limits&) const = default;
};

} // namespace tikc
