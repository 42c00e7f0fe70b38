#pragma once

#include "audit/reading/Reading.h"
#include "lint/Removed.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// The effect of trainers' settings on the ratios of tokens and responses.
namespace tikc::audit {

enum class CorrectedUnit : std::uint8_t { Tokens, Responses };
enum class CorrectionDoes : std::uint8_t { Caps, Masks };
/// The figure that a correction limits.
enum class CorrectedFigure : std::uint8_t {
  Ratio,
  Square,      // half of the log-ratio's square
  LowVariance, // e^x − 1 − x
  Geometric,   // the geometric mean of a response's ratios
  RarestToken, // the smallest ratio of a response's tokens
  NotEstimated
};

struct TrainerCorrection {
  std::string_view trainer;
  std::string name; // "sequence_mask at 3"
  CorrectedUnit unit = CorrectedUnit::Tokens;
  CorrectionDoes does = CorrectionDoes::Caps;
  CorrectedFigure figure = CorrectedFigure::Ratio;
  lint::RatioRange range;
  Span place;
  bool isDefault = false; // not in the file
  /// The row of trainers/TrainerFigures.def for the logged weights; empty for masks.
  /// `hasEndsOfRow`: its lower end is the row's.
  std::string_view figures;
  bool hasEndsOfRow = true;
  bool isAtMost = false; // the shares are upper bounds
};

/// Returns the corrections that a file's settings select. Reports values that it does not
/// understand.
std::vector<TrainerCorrection> correctionsOf(const std::vector<SetValue>& settings,
                                             diag::Sink& sink);
/// Returns the longest response that a file allows; empty if it sets none.
std::optional<double> horizonOf(const std::vector<SetValue>& settings);

/// The shares that a correction removes, of tokens or responses and of the sum of their weights, if
/// log-ratios are independent and normal.
struct TakenShare {
  double ofUnits = 0, ofWeight = 0;
};
TakenShare takenBy(const TrainerCorrection& correction, double noise, double horizon);

} // namespace tikc::audit
