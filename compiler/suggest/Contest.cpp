#include "suggest/Contest.h"

#include "data/Fault.h"
#include "suggest/Draft.h"
#include "support/Utf8.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace tikc::suggest {
namespace {

constexpr std::uint64_t normalFrom = 30; // for the normal law
constexpr double perTokens = 1000;

/// A number and how far it may be off.
struct Estimate {
  double value = 0, reach = 0;

  bool isAboveChance() const { return std::abs(value) > reach; }
  std::string text() const {
    return fmt::format("{:.4g} in [{:.4g}, {:.4g}]", value, value - reach, value + reach);
  }
};

Estimate differenceOf(const ResponseMeans& ours, const ResponseMeans& theirs, double errors) {
  return {theirs.mean() - ours.mean(),
          errors * std::hypot(ours.standardError(), theirs.standardError())};
}

/// What the longest response makes of a growth that is within its interval, beside the offset.
std::string_view growthWord(const Estimate& growth, const Estimate& offset, double longest) {
  if (growth.isAboveChance())
    return growth.value > 0 ? "grows along a response" : "shrinks along a response";
  const double most = (std::abs(growth.value) + growth.reach) * longest / perTokens;
  return most <= std::abs(offset.value) / 2 ? "constant along a response"
                                            : "whether it grows is undecided";
}

class ContestTable {
public:
  ContestTable(const Look& ours, const Look& theirs, const Rational& confidence)
      : ours_(ours), theirs_(theirs), confidence_(percent(confidence)),
        errors_(errorsAt(1 - confidence.get_d())) {}

  std::string text() {
    out_ = fmt::format("A: {} responses, {} tokens; B: {} responses, {} tokens\n"
                       "|x| = |log p - log q| of a token, as responses' means; differences are B "
                       "less A, in intervals of {}, each by itself\n\n",
                       data::grouped(ours_.all.size.count), data::grouped(ours_.all.tokens),
                       data::grouped(theirs_.all.size.count), data::grouped(theirs_.all.tokens),
                       confidence_);
    group("all", ours_.all, theirs_.all);
    for (const auto& [label, values] : ours_.labels) {
      const auto other = theirs_.labels.find(label);
      if (other == theirs_.labels.end())
        continue;
      for (const auto& [value, part] : values)
        if (const auto found = other->second.find(value); found != other->second.end())
          group(utf8::printable(label) + " == " + utf8::ticked(value), part, found->second);
    }
    steps();
    return std::move(out_);
  }

private:
  void group(const std::string& name, const Group& a, const Group& b) {
    out_ += name + "\n";
    if (std::min(a.size.count, b.size.count) < normalFrom) {
      out_ += fmt::format("  undecided: {} and {} responses; it takes {} of each\n",
                          data::grouped(a.size.count), data::grouped(b.size.count), normalFrom);
      return;
    }
    const Estimate offset = differenceOf(a.size, b.size, errors_);
    out_ += fmt::format("  mean |x|    A {:.4g}, B {:.4g}; difference {}: {}\n", a.size.mean(),
                        b.size.mean(), offset.text(),
                        !offset.isAboveChance() ? "none beyond chance"
                        : offset.value > 0      ? "B is farther from the trainer"
                                                : "B is nearer to the trainer");
    if (std::min(a.slope.count, b.slope.count) < normalFrom) {
      out_ += "  growth      undecided: too few responses are long enough\n";
      return;
    }
    Estimate growth = differenceOf(a.slope, b.slope, errors_);
    growth.value *= perTokens;
    growth.reach *= perTokens;
    const auto longest = static_cast<double>(std::min(ours_.longest, theirs_.longest));
    out_ += fmt::format("  growth      A {:.4g}, B {:.4g} per 1,000 tokens; difference {}: {}\n",
                        a.slope.mean() * perTokens, b.slope.mean() * perTokens, growth.text(),
                        growthWord(growth, offset, longest));
  }

  void steps() {
    if (!ours_.steps.isAny() || !theirs_.steps.isAny())
      return;
    const Estimate change{
        theirs_.steps.slope() - ours_.steps.slope(),
        errors_ * std::hypot(ours_.steps.standardError(), theirs_.steps.standardError())};
    out_ += fmt::format("over steps\n  growth      A {:.4g}, B {:.4g} a step; difference {}: {}\n",
                        ours_.steps.slope(), theirs_.steps.slope(), change.text(),
                        change.isAboveChance() ? change.value > 0 ? "grows over the training"
                                                                  : "shrinks over the training"
                                               : "no trend beyond chance");
  }

  const Look& ours_;
  const Look& theirs_;
  std::string confidence_;
  double errors_;
  std::string out_;
};

} // namespace

std::string contestText(const Look& ours, const Look& theirs, const Rational& confidence) {
  return ContestTable(ours, theirs, confidence).text();
}

} // namespace tikc::suggest
