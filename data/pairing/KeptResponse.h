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

/// A response of the trainer that waits for its partner.
struct KeptResponse {
  std::vector<float> values;
  std::vector<double> written; // if floats cannot represent them
  std::vector<std::uint8_t> mask;
  std::vector<std::int64_t> ids;
  std::optional<double> position, version, step, time, reward, advantage, promptTokens;
  Marks marks;
  HandedIn handed;
  std::string versionText;
  std::vector<std::pair<std::string, std::string>> labels;
  Fault at, takenAt; // its own place, and its partner's
  bool isTaken = false;

  static KeptResponse of(const Response& response);
  /// Returns why the server's response with the same key does not match, or an empty text.
  std::string whyNoPair(const Response& theirs) const;
  std::uint64_t bytes() const;
};

/// Returns the log-probs of a response with one side.
std::span<const float> valuesOf(const Response& response);
std::span<const double> writtenOf(const Response& response);

} // namespace tikc::data
