#pragma once

#include "support/Rational.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

/// The figures that trainers log, under their names and with their reductions.
namespace tikc::trainers {

enum class Trainer : std::uint8_t {
#define TRAINER(id, ...) id,
#include "trainers/TrainerFigures.def"
};

/// What a figure reduces: a number of each token, of each response, or of each row.
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
  SampleSpread, // divides by n - 1; 0 of one
  EffectiveShare,
  Correlation, // of the two sides' probabilities
  AnyToken,    // 1 where a token counts, else 0
  RootMeanSquare,
  StandardError, // of the mean, of independent ones
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
/// Of a quantile the share below it.
std::optional<double> levelOf(Reduction reduction);

/// What a figure is of the measure beside it, taken over the same batch.
enum class Relation : std::uint8_t {
  Equals,
  EqualsAsSet, // where the trainer's settings are those of its row
  AtMost,
  Nothing,
};

/// What is logged of a batch in which no token counts.
enum class OfNothing : std::uint8_t { Zero, NotNumber };

struct TrainerRow {
  std::string_view name;
  double cap;
  OfNothing ofNothing;
  /// The trainer whose other figures hold too, of one that has only what its settings change.
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
/// What a figure can be, of a batch with a token that counts; an absent end is unbounded.
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

  /// Also behind what a logger puts before it, and with TensorBoard's `_` for each `/`.
  bool isLoggedAs(std::string_view series) const;
  std::string formula() const;      // "mean over tokens of −x"
  std::string relationText() const; // "equals `mean(k1)`"; empty where it is nothing
  /// Without a cap what depends on it is unbounded, or at least 0.
  FigureRange range(const std::optional<Rational>& cap) const;
};

/// What a figure estimates is never below this, though a batch's estimate may be.
struct EstimateRow {
  Term term;
  std::string_view least;
  std::string_view meaning; // of a smaller one
};
const EstimateRow* estimateOf(const TrainerFigure& figure);

/// A figure that no batch is reduced to here: it depends on thresholds that no log shows, or on
/// more than log-probs.
struct OtherFigure {
  std::string_view trainer; // empty where several log it
  std::string_view name;    // `*` stands for any characters
  std::string_view low, high;
  std::string_view trap;

  /// Also behind what a logger puts before it.
  bool isLoggedAs(std::string_view series) const;
  FigureRange range() const;
};

std::span<const TrainerRow> trainerRows();
std::span<const TermRow> termRows();
/// Of a trainer they are one after the other.
std::span<const TrainerFigure> trainerFigures();
std::span<const TrainerFigure> figuresOf(Trainer trainer);
std::span<const OtherFigure> otherFigures();
/// Whether a figure is what its row says where the other trainer runs with the settings of its row.
bool holdsAsSet(const TrainerFigure& figure, Trainer asSet);
inline const TrainerRow& rowOf(Trainer of) { return trainerRows()[static_cast<std::size_t>(of)]; }
inline const TermRow& rowOf(Term of) { return termRows()[static_cast<std::size_t>(of)]; }
/// The figures that equal some aggregate of a metric: "verl: rollout_corr/kl; openrlhf: vllm_kl (so
/// set)".
std::string loggedAs(std::string_view metric);
std::optional<Trainer> trainerNamed(std::string_view name);
/// Whether its figures are of whole rows, after a text's own tokens, and not of sampled tokens.
bool isOfRows(Trainer trainer);

} // namespace tikc::trainers
