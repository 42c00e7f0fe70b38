#pragma once

#include "suggest/Look.h"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

/// Slices of what differs.
namespace tikc::suggest {

struct ProposedSlice {
  std::string name;
  std::string when;         // as the language has it
  std::uint64_t weight = 0; // a percentage of the responses
  std::uint64_t tokens = 0, responses = 0, rows = 0;
  std::string why; // what is different there
};

struct SlicePartition {
  std::vector<ProposedSlice> slices; // without the remainder
  ProposedSlice rest;
  std::string label; // that they are of; empty where they are of none
  std::vector<std::string> values;
  bool cutsResponses = false;
  std::vector<std::string> notes; // what was looked at and left, for people

  bool isAny() const { return !slices.empty(); }
  /// All is one slice again, and why is told.
  void giveUp(const Look& look, std::string_view why);
  /// All slices, the remainder last.
  std::vector<const ProposedSlice*> all() const;
};

/// Where means of responses differ by more than chance, all that is looked at regarded together,
/// and by enough to be worth a slice: values of one label, and one length of prompts or one
/// position.
SlicePartition partitionOf(const Look& look);
/// A text that a contract's label can have and everybody can read.
bool isPlainValue(std::string_view value);

} // namespace tikc::suggest
