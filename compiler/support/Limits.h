#pragma once

#include <cstddef>
#include <cstdint>

namespace tikc {

/// Limits on a contract's text. Each has its own diagnostic, and options lower it. Efforts.h limits
/// proofs. Code that reads editor messages, loaded checkers and certificates has its own limits;
/// SECURITY.md lists all.
struct Limits {
  std::uint32_t fileBytes = 16u << 20;
  std::uint32_t documents = 10'000;
  std::uint32_t nestingDepth = 64;
  std::uint32_t nodes = 2'000'000;
  /// Nodes that aliases may add to a document beyond the written ones.
  std::uint32_t aliasExpansion = 100'000;
  std::uint32_t expressionBytes = 4096;
  std::uint32_t expressionDepth = 32;
  /// Findings kept for a file; the rest are counted, and the count is a finding.
  std::uint32_t findings = 1000;
  std::uint32_t extendsDepth = 16;
  /// Largest decimal exponent: as an exact rational, 1e999999999 would need gigabytes.
  std::uint32_t numberExponent = 400;

  bool operator==(const Limits&) const = default;
};

} // namespace tikc
