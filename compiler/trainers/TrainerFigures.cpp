#include "trainers/TrainerFigures.h"

#include "support/Check.h"

#include <fmt/format.h>
#include <llvm/ADT/StringExtras.h>

#include <algorithm>

namespace tikc::trainers {
namespace {

constexpr TrainerRow allTrainers[] = {
#define TRAINER(id, name, cap, ofNothing, base, assumed)                                           \
  {name, cap, OfNothing::ofNothing, base, assumed},
#include "trainers/TrainerFigures.def"
};
constexpr TermRow allTerms[] = {
#define TERM(unit, id, near, low, high, formula) {TermUnit::unit, near, low, high, formula},
#include "trainers/TrainerFigures.def"
};
constexpr EstimateRow allEstimates[] = {
#define ESTIMATE(term, least, meaning) {Term::term, least, meaning},
#include "trainers/TrainerFigures.def"
};
constexpr OtherFigure allOthers[] = {
#define OTHER_FIGURE(trainer, name, low, high, trap) {trainer, name, low, high, trap},
#include "trainers/OtherFigures.def"
};
constexpr TrainerFigure allFigures[] = {
#define FIGURE(trainer, name, term, reduction, relation, measure, trap)                            \
  {Trainer::trainer, name, Term::term, Reduction::reduction, Relation::relation, measure, trap},
#include "trainers/TrainerFigures.def"
};

bool isOfWord(char character) { return llvm::isAlnum(character) || character == '_'; }

/// "mean(abs(k1))" names k1, and neither `k` nor `abs(`.
bool namesWord(std::string_view text, std::string_view word) {
  for (std::size_t at = text.find(word); at != std::string_view::npos;
       at = text.find(word, at + 1)) {
    const std::size_t end = at + word.size();
    if ((at == 0 || !isOfWord(text[at - 1])) && (end == text.size() || !isOfWord(text[end])))
      return true;
  }
  return false;
}

/// Whether a text is the pattern, whose `*` stand for any characters.
bool matches(std::string_view pattern, std::string_view text) {
  const std::size_t star = pattern.find('*');
  if (star == std::string_view::npos)
    return pattern == text;
  if (!text.starts_with(pattern.substr(0, star)))
    return false;
  const std::string_view rest = pattern.substr(star + 1);
  for (std::size_t at = star; at <= text.size(); ++at)
    if (matches(rest, text.substr(at)))
      return true;
  return false;
}

} // namespace

std::span<const TrainerRow> trainerRows() { return allTrainers; }
std::span<const TermRow> termRows() { return allTerms; }
std::span<const TrainerFigure> trainerFigures() { return allFigures; }

std::span<const TrainerFigure> figuresOf(Trainer trainer) {
  auto isOfIt = [&](const TrainerFigure& each) { return each.trainer == trainer; };
  const auto first = std::find_if(std::begin(allFigures), std::end(allFigures), isOfIt);
  return {first, std::find_if_not(first, std::end(allFigures), isOfIt)};
}

std::span<const OtherFigure> otherFigures() { return allOthers; }

const EstimateRow* estimateOf(const TrainerFigure& figure) {
  const auto found =
      std::find_if(std::begin(allEstimates), std::end(allEstimates), [&](const EstimateRow& each) {
        return each.term == figure.term && figure.reduction == Reduction::Mean;
      });
  return found == std::end(allEstimates) ? nullptr : found;
}

bool holdsAsSet(const TrainerFigure& figure, Trainer asSet) {
  if (figure.trainer == asSet)
    return true;
  if (rowOf(asSet).base.empty() || rowOf(asSet).base != rowOf(figure.trainer).name)
    return false;
  const auto own = figuresOf(asSet);
  return std::none_of(own.begin(), own.end(),
                      [&](const TrainerFigure& each) { return each.name == figure.name; });
}

bool OtherFigure::isLoggedAs(std::string_view series) const {
  for (std::size_t at = 0; at <= series.size(); ++at)
    if ((at == 0 || series[at - 1] == '/') && matches(name, series.substr(at)))
      return true;
  return false;
}

FigureRange OtherFigure::range() const { return {parseDecimal(low), parseDecimal(high)}; }

namespace {

template <typename IsWanted> std::string listed(IsWanted&& isWanted) {
  std::string out;
  const TrainerFigure* last = nullptr;
  for (const TrainerFigure& each : allFigures) {
    if (each.relation != Relation::Equals && each.relation != Relation::EqualsAsSet)
      continue;
    if (!isWanted(each))
      continue;
    if (last == nullptr || last->trainer != each.trainer)
      out += fmt::format("{}{}: {}", out.empty() ? "" : "; ", rowOf(each.trainer).name, each.name);
    else
      out += fmt::format(", {}", each.name);
    if (each.relation == Relation::EqualsAsSet)
      out += " (settings apply)";
    last = &each;
  }
  return out;
}

} // namespace

std::string loggedAs(std::string_view metric) {
  return listed([&](const TrainerFigure& each) { return namesWord(each.measure, metric); });
}

std::string loggedAsMeasure(std::string_view measure) {
  return listed([&](const TrainerFigure& each) { return each.measure == measure; });
}

std::optional<Trainer> trainerNamed(std::string_view name) {
  const auto found = std::find_if(std::begin(allTrainers), std::end(allTrainers),
                                  [&](const TrainerRow& each) { return each.name == name; });
  if (found == std::end(allTrainers))
    return std::nullopt;
  return static_cast<Trainer>(found - std::begin(allTrainers));
}

bool isOfRows(Trainer trainer) {
  return rowOf(figuresOf(trainer).front().term).unit == TermUnit::Row;
}

std::optional<double> levelOf(Reduction reduction) {
  constexpr double levels[] = {0.999, 0.99, 0.95, 0.9, 0.75, 0.5, 0.25, 0.1, 0.05, 0.01, 0.001};
  if (reduction < Reduction::Quantile999)
    return std::nullopt;
  return levels[static_cast<std::size_t>(reduction) -
                static_cast<std::size_t>(Reduction::Quantile999)];
}

bool TrainerFigure::isLoggedAs(std::string_view series) const {
  if (series.ends_with(name))
    return series.size() == name.size() || series[series.size() - name.size() - 1] == '/';
  return series.size() == name.size() &&
         std::equal(series.begin(), series.end(), name.begin(),
                    [](char a, char b) { return a == (b == '/' ? '_' : b); });
}

std::string TrainerFigure::formula() const {
  const TermRow& row = rowOf(term);
  const std::string_view units = row.unit == TermUnit::Response ? "responses"
                                 : row.unit == TermUnit::Row    ? "rows"
                                                                : "tokens";
  if (const auto level = levelOf(reduction))
    return fmt::format("{:g}th percentile over {} of {}", *level * 100, units, row.formula);
  switch (reduction) {
  case Reduction::Mean:
    return fmt::format("mean over {} of {}", units, row.formula);
  case Reduction::Largest:
    return fmt::format("largest over {} of {}", units, row.formula);
  case Reduction::Smallest:
    return fmt::format("smallest over {} of {}", units, row.formula);
  case Reduction::Spread:
    return fmt::format("standard deviation (by n) over {} of {}", units, row.formula);
  case Reduction::SampleSpread:
    return fmt::format("standard deviation (by n − 1) over {} of {}", units, row.formula);
  case Reduction::EffectiveShare:
    return fmt::format("(Σ v)² / (n Σ v²) over {}, v = {}", units, row.formula);
  case Reduction::Correlation:
    return "correlation over tokens of p and q";
  case Reduction::AnyToken:
    return "1 if a token counts, else 0";
  case Reduction::RootMeanSquare:
    return fmt::format("root of the mean square over {} of {}", units, row.formula);
  case Reduction::StandardError:
    return fmt::format("standard deviation (by n − 1) / √n over {} of {}", units, row.formula);
  case Reduction::ExponentOfMean:
    return fmt::format("e^(mean over {} of {})", units, row.formula);
  default:
    break; // quantiles are above
  }
  TIKC_CHECK(false, "each reduction has its case");
}

FigureRange TrainerFigure::range(const std::optional<Rational>& cap) const {
  auto endOf = [&](std::string_view written) -> std::optional<Rational> {
    if (written == "1/cap")
      return cap ? Rational(1 / *cap) : Rational(0);
    return written == "cap" ? cap : parseDecimal(written);
  };
  const FigureRange termRange{endOf(rowOf(term).low), endOf(rowOf(term).high)};
  if (levelOf(reduction))
    return termRange;
  switch (reduction) {
  case Reduction::Mean:
  case Reduction::Largest:
  case Reduction::Smallest:
    return termRange;
  case Reduction::Spread: // half of them at each end
  case Reduction::SampleSpread: {
    FigureRange out{Rational(0), {}};
    if (termRange.low && termRange.high && reduction == Reduction::Spread)
      out.high = (*termRange.high - *termRange.low) / 2;
    else if (termRange.low && termRange.high) // of two: (high − low) / √2, which is below 0.7072
      out.high = (*termRange.high - *termRange.low) * Rational(7072, 10000);
    return out;
  }
  case Reduction::EffectiveShare: {
    // Least of numbers at both ends alone; that may be all but one at 0.
    FigureRange out{Rational(0), Rational(1)};
    if (termRange.low && termRange.high && *termRange.low > 0) {
      const Rational sum = *termRange.low + *termRange.high;
      out.low = 4 * *termRange.low * *termRange.high / (sum * sum);
    }
    return out;
  }
  case Reduction::AnyToken:
    return {Rational(0), Rational(1)};
  case Reduction::Correlation:
    return {Rational(-1), Rational(1)};
  default: // of rows
    return {Rational(0), {}};
  }
}

std::string TrainerFigure::relationText() const {
  switch (relation) {
  case Relation::Equals:
    return fmt::format("equals `{}`", measure);
  case Relation::EqualsAsSet:
    return fmt::format("equals `{}` with these settings", measure);
  case Relation::AtMost:
    return fmt::format("at most `{}`", measure);
  case Relation::Nothing:
    return "";
  }
  TIKC_CHECK(false, "each relation has its case");
}

} // namespace tikc::trainers
