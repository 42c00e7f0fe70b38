#pragma once

#include "support/Rational.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

/// The figures that trainers log, with their names and reductions.
namespace tikc::trainers {

enum class Trainer : std::uint8_t {
#define TRAINER(id, ...) id,
#include "trainers/TrainerFigures.def"
};

/// The number of each token, response or row that a figure reduces.
enum class Term : std::uint8_t {
#define TERM(unit, id, ...) id,
#include "trainers/TrainerFigures.def"
};

inline constexpr std::size_t termCount = 0
#define TERM(unit, id, ...) +1
#include "trainers/TrainerFigures.def"
    ;

enum class Reduction : std::uint8_t {
  Mean,
  Largest,
  Smallest,
  Spread,       // divides by n
  SampleSpread, // divides by n - 1; 0 for one value
  EffectiveShare,
  Correlation, // of the two sides' probabilities
  AnyToken,    // 1 if a token counts, else 0
  RootMeanSquare,
  StandardError, // of the mean, for independent values
  ExponentOfMean,
  Quantile999,
  Quantile99,
  Quantile95,
  Quantile90,
  Quantile75,
  Median,
  Quantile25,
  Quantile10,
  Quantile5,
  Quantile1,
  Quantile01,
};
/// Returns the share below a quantile.
std::optional<double> levelOf(Reduction reduction);

/// The relation of a figure to its measure, over the same batch.
enum class Relation : std::uint8_t {
  Equals,
  EqualsAsSet, // with the settings of the trainer's row
  AtMost,
  Nothing,
};

/// The logged value of a batch in which no token counts.
enum class OfNothing : std::uint8_t { Zero, NotNumber };

struct TrainerRow {
  std::string_view name;
  double cap;
  OfNothing ofNothing;
  /// The trainer whose other figures also hold, for a row that has only the figures that its
  /// settings change.
  std::string_view base;
  std::string_view assumed;
};
enum class TermUnit : std::uint8_t { Token, Response, Row };
struct TermRow {
  TermUnit unit;
  double near;
  std::string_view low, high; // "cap" is the trainer's, "1/cap" its inverse
  std::string_view formula;
};
/// The range of a figure for a batch with a token that counts; an absent end is unbounded.
struct FigureRange {
  std::optional<Rational> low, high;
};
struct TrainerFigure {
  Trainer trainer;
  std::string_view name;
  Term term;
  Reduction reduction;
  Relation relation;
  std::string_view measure, trap;

  /// Returns whether a series is the figure, possibly with a logger's prefix, and with
  /// TensorBoard's `_` for each `/`.
  bool isLoggedAs(std::string_view series) const;
  std::string formula() const;      // such as "mean over tokens of −x"
  std::string relationText() const; // such as "equals `mean(k1)`"; empty if there is no relation
  /// Returns the range. Without a cap, ends that depend on it are unbounded, or 0 for low ends.
  FigureRange range(const std::optional<Rational>& cap) const;
};

/// The least value of what a figure estimates; an estimate of a batch may be lower.
struct EstimateRow {
  Term term;
  std::string_view least;
  std::string_view meaning; // the meaning of a lower value
};
const EstimateRow* estimateOf(const TrainerFigure& figure);

/// A figure that no batch is reduced to here: it depends on thresholds that no log shows, or on
/// more than log-probs.
struct OtherFigure {
  std::string_view trainer; // empty if several log it
  std::string_view name;    // `*` stands for any characters
  std::string_view low, high;
  std::string_view trap;

  /// Returns whether a series is the figure, possibly with a logger's prefix.
  bool isLoggedAs(std::string_view series) const;
  FigureRange range() const;
};

std::span<const TrainerRow> trainerRows();
std::span<const TermRow> termRows();
/// All figures; those of a trainer are consecutive.
std::span<const TrainerFigure> trainerFigures();
std::span<const TrainerFigure> figuresOf(Trainer trainer);
std::span<const OtherFigure> otherFigures();
/// Returns whether a figure's row also holds for another trainer with the settings of that
/// trainer's row.
bool holdsAsSet(const TrainerFigure& figure, Trainer asSet);
inline const TrainerRow& rowOf(Trainer trainer) {
  return trainerRows()[static_cast<std::size_t>(trainer)];
}
inline const TermRow& rowOf(Term term) { return termRows()[static_cast<std::size_t>(term)]; }
/// Lists the figures that equal a measure such as `mean(k3)`, like `loggedAs`; empty if none do.
std::string loggedAsMeasure(std::string_view measure);
/// Lists the figures that equal an aggregate of a metric: "verl: rollout_corr/kl; openrlhf: vllm_kl
/// (so set)".
std::string loggedAs(std::string_view metric);
std::optional<Trainer> trainerNamed(std::string_view name);
/// Returns whether a trainer's figures are of whole rows, after a text's own tokens, rather than of
/// sampled tokens.
bool isOfRows(Trainer trainer);

} // namespace tikc::trainers
