#pragma once

#include "model/Contract.h"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace tikc::changes {

/// The identity of a contract among those of its side.
struct ContractPlace {
  std::string name;                          // empty if unreadable
  std::string place;                         // path of its file, relative to the compared folder
  const model::Contract* contract = nullptr; // null if its content is unknown
  bool isAside = false;                      // not named by the user
};

/// The indices of one contract on both sides; empty if a side lacks it.
struct ContractPair {
  std::optional<std::size_t> old, fresh;
};

/// Pairs the contracts of both sides by name; among equal names, those at one path first. The rest
/// pair if they are the only ones, in total or in one file, or if each is the other's most similar
/// contract and most of their content is equal. Contracts without a partner come last.
std::vector<ContractPair> pairContracts(const std::vector<ContractPlace>& was,
                                        const std::vector<ContractPlace>& is);

} // namespace tikc::changes
