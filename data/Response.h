#pragma once

#include "data/Fault.h"
#include "tikc/formats.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace tikc::data {

struct LabelValue {
  std::string_view name;
  std::string_view value;
};

/// Labels that say how a record was made.
inline constexpr std::string_view settingNames[] = {"temperature", "top_p",  "top_k",
                                                    "min_p",       "digest", "build"};
inline bool isSetting(std::string_view label) {
  return std::find(std::begin(settingNames), std::end(settingNames), label) !=
         std::end(settingNames);
}

/// What assumptions are about, infinite or not; of what was given by token the least and the
/// greatest.
struct HandedIn {
  struct Ends {
    double least = 0, greatest = 0;

    friend bool operator==(const Ends&, const Ends&) = default;
  };
  std::optional<Ends> reward, advantage, scoreNorm;
};

/// Which of these the record of a response states.
struct Marks {
  bool mask = false, length = false, kept = false;
  bool step = false; // the name of the file does not count
};

/// A response's tokens, as views that live until the next one is asked for. What is no finite
/// number is NaN or infinite here, whatever stood in its place; `PieceReport` counts what that was.
struct Response {
  std::span<const float> train, infer; // log-probs of the same tokens; of one side where not paired
  /// The same as they were written, where floats do not hold them all; else empty.
  std::span<const double> trainWritten, inferWritten;
  std::span<const std::uint8_t> mask; // empty: all count
  std::span<const std::int64_t> ids;  // empty: not known
  std::optional<double> position, version, step, time, reward, advantage;
  std::optional<double> promptTokens; // in front of the response, where the data tell
  HandedIn handed;
  std::span<const LabelValue> labels;
  std::string_view versionText; // where no double holds it
  Marks marks;
  std::string_view key;
  Place at;
  /// Entries of the written lists in front of its first token.
  std::size_t offset = 0;

  std::size_t size() const { return std::max(train.size(), infer.size()); }
  bool counts(std::size_t token) const { return mask.empty() || mask[token] != 0; }
  bool isWritten() const { return !trainWritten.empty() || !inferWritten.empty(); }
  /// x of a token of both sides, of which nothing was rounded before.
  double gap(std::size_t token) const {
    const auto p = static_cast<double>(train[token]), q = static_cast<double>(infer[token]);
    if (!std::isfinite(p) || !std::isfinite(q))
      return p - q;
    return (trainWritten.empty() ? p : trainWritten[token]) -
           (inferWritten.empty() ? q : inferWritten[token]);
  }
};

/// A row of logits of each side, for the same context.
struct RowPair {
  row_view train{}, infer{};
  std::size_t vocabulary = 0;
  std::optional<std::int64_t> id; // of the token that came
  Place at;
  bool counts = true; // not where it is masked
  std::optional<double> position{}, version{}, step{}, time{};
  std::span<const LabelValue> labels{};
};

} // namespace tikc::data
