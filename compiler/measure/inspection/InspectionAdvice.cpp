#include "measure/inspection/Inspection.h"

#include "support/Rational.h"
#include "support/Utf8.h"
#include "support/Wrap.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace tikc::measure {
namespace {

/// What may be wrong with data, and the command to type next.
class InspectionAdvice {
public:
  explicit InspectionAdvice(const Inspection& inspection)
      : of_(inspection), summary_(inspection.summary) {}

  std::string text() {
    hints();
    next();
    return std::move(out_);
  }

private:
  static std::string numbersOf(std::uint64_t count) {
    return fmt::format("{} number{}", data::grouped(count), count == 1 ? "" : "s");
  }

  void hint(std::string_view text) { out_ += "\nnote: " + wrapped(text, 6, 6) + '\n'; }

  void hints() {
    for (const auto& [name, side] :
         {std::pair("trainer", &summary_.train), std::pair("server", &summary_.infer)})
      if (side->tokens > 0 && side->above0 == side->tokens && side->largest <= 1)
        hint(fmt::format("all numbers of the {} are between 0 and 1; are they probabilities "
                         "instead of log-probs?",
                         name));
      else if (side->above0 > 0)
        hint(fmt::format("{} of the {} above 0, but log-probs are at most 0; read rows of logits "
                         "with --preset=rows",
                         numbersOf(side->above0), name));
    if (summary_.signs.products.pairs >= 100) {
      const auto at = summary_.signs.products.covariances();
      if (std::max(at[0], at[2]) > 1.5 * std::max(at[1], 0.0) && at[0] != at[2])
        hint(fmt::format("the trainer's log-probs correlate better with the server's one token {}; "
                         "try --shift={}",
                         at[0] > at[2] ? "earlier" : "later",
                         of_.source.layout().shift + (at[0] > at[2] ? 1 : -1)));
    }
    for (const trainers::BatchTally& each : summary_.figures)
      hintOfEstimates(each);
    if (summary_.report.responses > 0 && summary_.withMask == 0)
      hint("no mask was found, so any prompts and padding count, too");
  }

  void hintOfEstimates(const trainers::BatchTally& batch) {
    for (const trainers::TrainerFigure& each : trainers::figuresOf(batch.trainer()))
      if (const trainers::EstimateRow* row = trainers::estimateOf(each))
        if (const double value = batch.value(each);
            std::isfinite(value) && Rational(value) < *parseDecimal(row->least))
          hint(fmt::format("{} is {:.3g}, but what it estimates is never below {}: {}", each.name,
                           value, row->least, row->meaning));
  }

  bool mayBeRows() const {
    return summary_.train.above0 > 0 && summary_.infer.above0 > 0 &&
           std::max(summary_.train.largest, summary_.infer.largest) > 1;
  }

  bool isOfOnePreset() const {
    const auto layouts = of_.source.layouts();
    return std::all_of(layouts.begin(), layouts.end(), [&](const data::Layout& each) {
      return each.preset == layouts.front().preset;
    });
  }

  void next() {
    const data::Layout& layout = of_.source.layout();
    const bool isPaired =
        !of_.join.empty() ||
        std::any_of(of_.source.layouts().begin(), of_.source.layouts().end(),
                    [](const data::Layout& each) { return each.isPaired() || each.hasRows(); });
    out_ += "\nnext\n";
    if (isPaired)
      out_ += "  tikc measure CONTRACT" + of_.options +
              (of_.source.wasRecognised() && of_.join.empty() && isOfOnePreset()
                   ? fmt::format(" --preset={}", mayBeRows() ? "rows" : layout.preset)
                   : "") +
              typedFiles(of_) + "\n";
    else
      out_ += "  the data have one side's log-probs; give the trainer's file before the "
              "server's:\n  tikc inspect --join=FIELD TRAINER SERVER\n";
  }

  const Inspection& of_;
  const data::Summary& summary_;
  std::string out_;
};

} // namespace

std::string shellWord(std::string_view word) {
  constexpr std::string_view plain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./=,:+@%";
  if (!word.empty() && word.find_first_not_of(plain) == std::string_view::npos)
    return std::string(word);
  std::string out = "'";
  for (const char character : word)
    out += character == '\'' ? std::string("'\\''") : std::string(1, character);
  return utf8::printable(out + "'");
}

std::string typedFiles(const Inspection& inspection) {
  std::string out;
  for (const std::string& each : inspection.named)
    out += ' ' + shellWord(each);
  return out;
}

std::string inspectionAdvice(const Inspection& inspection) {
  return InspectionAdvice(inspection).text();
}

} // namespace tikc::measure
