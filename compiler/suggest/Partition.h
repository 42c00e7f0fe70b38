#pragma once

#include "suggest/Look.h"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

/// Finds slices that differ.
namespace tikc::suggest {

struct ProposedSlice {
  std::string name;
  std::string when;         // in the contract language
  std::uint64_t weight = 0; // a percentage of the responses
  std::uint64_t tokens = 0, responses = 0, rows = 0;
  std::string why; // what differs there
};

struct SlicePartition {
  std::vector<ProposedSlice> slices; // without the remainder
  ProposedSlice rest;
  std::string label; // the slices' label, or empty
  std::vector<std::string> values;
  bool cutsResponses = false;
  std::vector<std::string> notes; // what was considered and left out, for people

  bool isAny() const { return !slices.empty(); }
  /// Falls back to one slice, with a note of the reason.
  void giveUp(const Look& look, std::string_view why);
  /// Returns all slices, the remainder last.
  std::vector<const ProposedSlice*> all() const;
};

/// Proposes slices where means of responses differ by more than chance, corrected for the number of
/// comparisons, and by enough to justify a slice. It uses the values of one label, and one prompt
/// length or one position.
SlicePartition partitionOf(const Look& look);
/// Returns whether a text can be a label's value in a contract, and is readable.
bool isPlainValue(std::string_view value);

} // namespace tikc::suggest
