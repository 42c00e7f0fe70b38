#pragma once

#include "model/Contract.h"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace tikc::changes {

/// What a contract is known by among those of its side.
struct ContractPlace {
  std::string name;                          // empty where it could not be read
  std::string place;                         // of its file, below what is compared
  const model::Contract* contract = nullptr; // null where it is not known what it says
  bool isAside = false;                      // one of those that nobody asked for
};

/// One contract by its index on both sides; nothing where a side lacks it.
struct ContractPair {
  std::optional<std::size_t> was, is;
};

/// Contracts of both sides, by their names; of those of one name the ones at one place first. What
/// is left is one under another name where two are all there is, at all or in one file, or where
/// each is for the other the likest one, and most of what they say is alike. What has no partner
/// comes last.
std::vector<ContractPair> pairContracts(const std::vector<ContractPlace>& was,
                                        const std::vector<ContractPlace>& is);

} // namespace tikc::changes
