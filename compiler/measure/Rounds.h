#pragma once

#include "checker/plan/Plan.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace tikc::measure {

/// The data of one evaluation. Windows end at evaluations, so rounds affect the results.
struct Rounds {
  enum class By : std::uint8_t { All, File, Step, Tokens, Responses, Seconds };
  By by = By::All;
  double amount = 0; // in tokens, responses or seconds

  /// Reads "all", "file", "step", "50000 tokens", "64 responses" or "30 s".
  static std::optional<Rounds> read(std::string_view text);
  /// Returns the rounds that fit the contract's windows: its stage's window, otherwise steps if a
  /// clause uses them, otherwise the shortest window of tokens or responses, otherwise all data.
  static Rounds of(const plan::Plan& plan, const plan::Stage* stage);

  /// Returns "every 50,000 tokens".
  std::string text() const;

  friend bool operator==(const Rounds&, const Rounds&) = default;
};

} // namespace tikc::measure
