#pragma once

#include "audit/reading/Reading.h"
#include "lint/Removed.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// What settings of trainers do to the ratios of tokens and responses.
namespace tikc::audit {

enum class CorrectedUnit : std::uint8_t { Tokens, Responses };
enum class CorrectionDoes : std::uint8_t { Caps, Masks };
/// The figure that is held to a range.
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
  lint::Kept kept;
  Span place;
  bool isDefault = false; // nobody wrote it
  /// The row of trainers/TrainerFigures.def that says what is logged of its weights; empty of what
  /// only masks. `hasEndsOfRow`: its lower end is the row's.
  std::string_view figures;
  bool hasEndsOfRow = true;
};

/// The corrections that the settings of a file come to; a value that is not understood is told.
std::vector<TrainerCorrection> correctionsOf(const std::vector<SetValue>& settings,
                                             diag::Sink& sink);
/// The longest response that a file allows, if it says.
std::optional<double> horizonOf(const std::vector<SetValue>& settings);

/// What a correction takes, as if log-ratios were independent and normal: of the tokens or
/// responses, and of the sum of their weights.
struct TakenShare {
  double ofUnits = 0, ofWeight = 0;
};
TakenShare takenBy(const TrainerCorrection& correction, double noise, double horizon);

} // namespace tikc::audit
