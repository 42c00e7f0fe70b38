#include "audit/gates/Judge.h"
#include "support/Rational.h"

#include <fmt/format.h>

#include <map>

namespace tikc::audit {
namespace {

const trainers::TrainerFigure* printedFigure(std::string_view name) {
  for (const trainers::TrainerFigure& each : trainers::figuresOf(trainers::Trainer::LlamaCpp))
    if (each.name == name)
      return &each;
  return nullptr;
}

/// Half a unit of the last digit, by which a printed number may be too small.
Rational roundingOf(std::string_view digits) {
  Rational out(1, 2);
  if (const std::size_t dot = digits.find('.'); dot != std::string_view::npos)
    for (std::size_t i = dot + 1; i < digits.size(); ++i)
      out /= 10;
  return out;
}

} // namespace

void judgePrinted(std::span<const PrintedFigure> printed, Meanings& meanings, diag::Sink& sink,
                  AuditedFile& out) {
  std::map<std::string, std::string> seen; // of logs that print a row twice
  for (const PrintedFigure& each : printed) {
    const trainers::TrainerFigure* figure = printedFigure(each.name);
    const auto value = parseDecimal(each.value.text);
    if (figure == nullptr || !value) {
      sink.report<diag::GateNotUnderstood>(
          each.place, figure ? "expected a number" : "llama-perplexity prints no such row");
      continue;
    }
    const auto [first, isFirst] = seen.try_emplace(each.name, each.value.text);
    if (!isFirst) {
      if (first->second != each.value.text)
        sink.report<diag::GateNotUnderstood>(
            each.place,
            fmt::format("another row is also called `{}`: audit each table by itself", each.name));
      continue;
    }
    const Rational scale(1, each.name == "RMS Δp" ? 100 : 1);
    const Rational limit = (*value + roundingOf(each.value.text)) * scale;
    std::string tv;
    if (limit > 0)
      tv = meanings.of(fmt::format("{} <= {}", figure->measure, printRational(limit))).tv;
    // Policy gradients use sampled tokens, and these are a text's, so no gradient bias follows.
    out.judged.push_back({each.place,
                          fmt::format("{}: {}", each.name, each.value.text),
                          "as a limit for such text",
                          std::move(tv),
                          {}});
  }
}

} // namespace tikc::audit
