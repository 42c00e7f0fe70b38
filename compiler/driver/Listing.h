#pragma once

#include "pipeline/Pipeline.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tikc::driver {

/// What an inventory says of a contract.
struct ListedContract {
  struct Statement {
    std::string name, says;
    std::string link;         // of a chain, where one is named
    std::string_view family;  // of a clause
    std::string_view verdict; // of a claim, its worst; empty where nothing was decided
  };

  std::string file, name, version, summary;
  bool isDraft = false, isAbstract = false;
  bool isFaulty = false; // its text is; claims that do not follow are no fault
  std::vector<std::string> owners, kernels, slices, rules, stages;
  std::vector<Statement> clauses, claims;
  /// Of its checkers and what they count; nothing where none can be made.
  std::optional<std::uint64_t> fingerprint;
};

/// The contracts of a file that was checked, in their order.
std::vector<ListedContract> listedOf(const std::string& file, const pipeline::CheckedFile& checked);

std::string listText(const std::vector<ListedContract>& contracts);
std::string listJson(const std::vector<ListedContract>& contracts);

} // namespace tikc::driver
