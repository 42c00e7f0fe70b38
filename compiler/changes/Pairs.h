#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace tikc::changes {

/// What a contract is known by among those of its side.
struct ContractPlace {
  std::string name;  // empty where it could not be read
  std::string place; // of its file, below what is compared
};

/// One contract by its index on both sides; nothing where a side lacks it.
struct ContractPair {
  std::optional<std::size_t> was, is;
};

/// Contracts of both sides, by their names; of those of one name the ones at one place first. Two
/// that are all there is are one under another name. What has no partner comes last.
std::vector<ContractPair> pairContracts(const std::vector<ContractPlace>& was,
                                        const std::vector<ContractPlace>& is);

} // namespace tikc::changes
