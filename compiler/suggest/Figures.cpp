#include "suggest/Figures.h"

#include "tikc/confidence.h"

#include <fmt/format.h>
#include <llvm/ADT/StringExtras.h>

namespace tikc::suggest {
namespace {

constexpr SuggestedFigure table[] = {
#define SUGGESTED(Id, name, source, per, level, measure, unit, probe, meaning)                     \
  {name, Brings::source, Per::per, level, measure, unit, probe, meaning},
#include "suggest/Figures.def"
};

} // namespace

std::span<const SuggestedFigure> suggestedFigures() { return table; }

double SuggestedFigure::share() const {
  double out = 0;
  llvm::to_float(llvm::StringRef(level.data(), level.size()), out);
  return out;
}

std::string SuggestedFigure::text(std::string_view otherLevel) const {
  if (!isQuantile())
    return fmt::format("mean({})", measure);
  if (otherLevel.empty())
    return fmt::format("p{}({})", level.substr(level.find('.') + 1), measure);
  return fmt::format("quantile({}, {})", measure, otherLevel);
}

std::string levelAbove(double share, std::uint64_t observations, double alpha) {
  const auto suffices = [&](std::uint64_t beyond) {
    return bounded_mean(static_cast<double>(beyond), observations, 1, alpha).high <= 1 - share;
  };
  if (observations == 0 || !suffices(0))
    return {};
  std::uint64_t few = 0, many = observations;
  while (few + 1 < many) {
    const std::uint64_t middle = few + (many - few) / 2;
    (suffices(middle) ? few : many) = middle;
  }
  // A place more than are beyond, for what is rounded; never the largest of all.
  const double level = 1 - (static_cast<double>(few) - 0.5) / static_cast<double>(observations);
  return few == 0 ? std::string() : fmt::format("{:.8f}", level);
}

} // namespace tikc::suggest
