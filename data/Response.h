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

/// Labels that state how a record was made.
inline constexpr std::string_view settingNames[] = {"temperature", "top_p",  "top_k",
                                                    "min_p",       "digest", "build"};
inline bool isSetting(std::string_view label) {
  return std::find(std::begin(settingNames), std::end(settingNames), label) !=
         std::end(settingNames);
}

/// Numbers for assumptions, finite or not. Numbers by token are reduced to the least and the
/// greatest.
struct HandedIn {
  struct Ends {
    double least = 0, greatest = 0;

    friend bool operator==(const Ends&, const Ends&) = default;
  };
  std::optional<Ends> reward, advantage, scoreNorm;
};

/// Which marks a response's record has.
struct Marks {
  bool mask = false, length = false, kept = false;
  bool step = false; // without steps in the file's name
};

/// A response's tokens, as views that live until the next response is read. Values that are not
/// finite numbers are NaN or infinite; `PieceReport` counts their original forms.
struct Response {
  std::span<const float> train, infer; // log-probs of the same tokens; a single side if unpaired
  /// The log-probs as they were written, if floats cannot represent them all; else empty.
  std::span<const double> trainWritten, inferWritten;
  std::span<const std::uint8_t> mask; // empty: all count
  std::span<const std::int64_t> ids;  // empty: unknown
  std::optional<double> position, version, step, time, reward, advantage;
  std::optional<double> promptTokens; // tokens before the response, if known
  HandedIn handed;
  std::span<const LabelValue> labels;
  std::string_view versionText; // the version's text, if a double cannot represent it
  Marks marks;
  std::string_view key;
  Place at;
  /// The number of written entries before the first token.
  std::size_t offset = 0;
  bool isPossible = false; // known to have no number above 0

  std::size_t size() const { return std::max(train.size(), infer.size()); }
  bool counts(std::size_t token) const { return mask.empty() || mask[token] != 0; }
  bool isWritten() const { return !trainWritten.empty() || !inferWritten.empty(); }
  /// Returns x of a token, computed from unrounded values of both sides.
  double gap(std::size_t token) const {
    const auto p = static_cast<double>(train[token]), q = static_cast<double>(infer[token]);
    if (!std::isfinite(p) || !std::isfinite(q))
      return p - q;
    return (trainWritten.empty() ? p : trainWritten[token]) -
           (inferWritten.empty() ? q : inferWritten[token]);
  }
};

/// A row of logits of each side for the same context.
struct RowPair {
  row_view train{}, infer{};
  std::size_t vocabulary = 0;
  std::optional<std::int64_t> id; // the next token
  Place at;
  bool counts = true; // false if masked
  std::optional<double> position{}, version{}, step{}, time{};
  std::span<const LabelValue> labels{};
};

} // namespace tikc::data
