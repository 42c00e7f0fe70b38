#pragma once

#include "pipeline/Pipeline.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tikc::driver {

/// The entry of a contract in an inventory.
struct ListedContract {
  struct Statement {
    std::string name, says;
    std::string link;         // in a chain, if named
    std::string_view family;  // of a clause
    std::string_view verdict; // of a claim, on its worst slice; empty if not decided
  };

  std::string file, name, version, summary;
  bool isDraft = false, isAbstract = false;
  bool isFaulty = false; // its text has errors; unproved claims do not count
  std::vector<std::string> owners, kernels, slices, rules, stages;
  std::vector<Statement> clauses, claims;
  /// Of its checkers; empty if none can be made.
  std::optional<std::uint64_t> fingerprint;
};

/// Returns the contracts of a checked file in their order.
std::vector<ListedContract> listedOf(const std::string& file, const pipeline::CheckedFile& checked);

std::string listText(const std::vector<ListedContract>& contracts);
std::string listJson(const std::vector<ListedContract>& contracts);

} // namespace tikc::driver
