#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

/// The figures that trainers log, under their names and with their reductions.
namespace tikc::trainers {

enum class Trainer : std::uint8_t {
#define TRAINER(id, name, cap, assumed) id,
#include "trainers/TrainerFigures.def"
};

/// What a figure reduces: a number of each token, or of each response.
enum class Term : std::uint8_t {
#define TERM(unit, id, near, formula) id,
#include "trainers/TrainerFigures.def"
};

inline constexpr std::size_t termCount = 0
#define TERM(unit, id, near, formula) +1
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
};

/// What a figure is of the measure beside it, taken over the same batch.
enum class Relation : std::uint8_t {
  Equals,
  EqualsAsSet, // where the trainer's settings are those of its row
  AtMost,
  Nothing,
};

struct TrainerRow {
  std::string_view name;
  double cap;
  std::string_view assumed;
};
struct TermRow {
  bool isOfResponses;
  double near;
  std::string_view formula;
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
};

std::span<const TrainerRow> trainerRows();
std::span<const TermRow> termRows();
/// Of a trainer they are one after the other.
std::span<const TrainerFigure> trainerFigures();
std::span<const TrainerFigure> figuresOf(Trainer trainer);
inline const TrainerRow& rowOf(Trainer of) { return trainerRows()[static_cast<std::size_t>(of)]; }
inline const TermRow& rowOf(Term of) { return termRows()[static_cast<std::size_t>(of)]; }
/// The figures that equal some aggregate of a metric: "verl: rollout_corr/kl; openrlhf: vllm_kl (so
/// set)".
std::string loggedAs(std::string_view metric);
std::optional<Trainer> trainerNamed(std::string_view name);

} // namespace tikc::trainers
