#pragma once

#include "data/Fault.h"
#include "data/Response.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace tikc::data {

/// A response of the trainer, until its partner comes.
struct KeptResponse {
  std::vector<float> values;
  std::vector<double> written; // where floats do not hold them
  std::vector<std::uint8_t> mask;
  std::vector<std::int64_t> ids;
  std::optional<double> position, version, step, time, reward, advantage, promptTokens;
  Marks marks;
  HandedIn handed;
  std::string versionText;
  std::vector<std::pair<std::string, std::string>> labels;
  Fault at, takenAt; // its own place, and that of its partner
  bool isTaken = false;

  static KeptResponse of(const Response& response);
  /// Why the server's response of the same key is of another one; empty where it is not.
  std::string whyNoPair(const Response& theirs) const;
  std::uint64_t bytes() const;
};

/// The log-probs of a response of one side.
std::span<const float> valuesOf(const Response& response);
std::span<const double> writtenOf(const Response& response);

} // namespace tikc::data
