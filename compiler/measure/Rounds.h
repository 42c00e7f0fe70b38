#pragma once

#include "plan/Plan.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace tikc::measure {

/// What one evaluation covers. Windows end at evaluations, so this is part of what was judged.
struct Rounds {
  enum class By : std::uint8_t { All, File, Step, Tokens, Responses, Seconds };
  By by = By::All;
  double amount = 0; // of tokens, responses and seconds

  /// "all", "file", "step", "50000 tokens", "64 responses", "30 s".
  static std::optional<Rounds> read(std::string_view text);
  /// What the contract's windows ask for: its stage's window, else steps where it has clauses of
  /// them, else the shortest of tokens or of responses, else everything.
  static Rounds of(const plan::Plan& plan, const plan::Stage* stage);

  /// "every 50,000 tokens"
  std::string text() const;

  friend bool operator==(const Rounds&, const Rounds&) = default;
};

} // namespace tikc::measure
