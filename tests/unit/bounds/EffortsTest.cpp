#include "ProverFixture.h"

#include "support/Efforts.h"

#include <gmock/gmock.h>

namespace tikc::tests {
namespace {

using testing::Contains;
using testing::HasSubstr;

/// All notes of a check.
std::vector<std::string> notesOf(const std::string& text) {
  std::vector<std::string> out;
  Checked checked(text);
  for (const diag::Diagnostic& found : checked.diagnostics())
    out.insert(out.end(), found.notes.begin(), found.notes.end());
  return out;
}

// Clauses on so many shares, where none makes another useless.
std::string quantiles(const std::string& name, std::size_t count, double level, double step,
                      const std::string& more = "") {
  std::string out;
  for (std::size_t i = 0; i < count; ++i)
    out += fmt::format("  {}{}: {{ require: \"quantile(logit_osc, {:.3f}) <= {:.3f}\"{} }}\n", name,
                       i, level + step * static_cast<double>(i),
                       0.5 + 5 * step * static_cast<double>(i), more);
  return out;
}

TEST(Efforts, CombineSoManyQuantilesInOneLemma) {
  const Written few{.clauses = quantiles("d", 3, 0.8, 0.01)},
      many{.clauses = quantiles("d", 9, 0.8, 0.01)};
  const std::string claim = "mean(tv) <= 0.232";
  EXPECT_FALSE(Decided(few, claim).proof().problems.front().cutOff.fillings);
  EXPECT_THAT(notesOf(textOf(many, claim)),
              Contains(HasSubstr("tikc stopped searching for a proof")));
}

TEST(Efforts, AddUpSoManyWaysOfAChain) {
  auto chained = [](std::size_t count) {
    return Written{
        .clauses = quantiles("f", count, 0.7, 0.05, ", link: [trainer, middle]") +
                   quantiles("s", count, 0.9, 0.01, ", link: [middle, rollout]"),
        .kernels = "  trainer: { engine: fsdp2 }\n  middle: { engine: transformers }\n  rollout: { "
                   "engine: vllm }\n",
        .pair = "chain: [trainer, middle, rollout]\n"};
  };
  const std::string claim = "mean(tv) <= 0.3";
  EXPECT_FALSE(Decided(chained(4), claim).proof().problems.front().cutOff.waysOfAChain);
  EXPECT_THAT(notesOf(textOf(chained(5), claim)),
              Contains(HasSubstr("tikc stopped searching the chain")));
}

TEST(Efforts, TellSoManyContradictions) {
  auto apart = [](std::size_t count) {
    std::string out = "  low: max(logit_osc) <= 0.1\n";
    for (std::size_t i = 0; i < count; ++i)
      out += fmt::format("  m{}: max(tv) >= {}\n", i, 0.5 + 0.01 * static_cast<double>(i));
    return Written{.clauses = out};
  };
  const std::string claim = "mean(tv) <= 0.3";
  for (std::size_t count : {efforts.conflicts, efforts.conflicts + 1}) {
    Decided decided(apart(count), claim);
    EXPECT_EQ(decided.proof().conflicts.size(), efforts.conflicts);
    EXPECT_EQ(decided.proof().problems.front().cutOff.conflicts, count > efforts.conflicts);
  }
  EXPECT_THAT(notesOf(textOf(apart(efforts.conflicts + 1), claim)),
              Contains(HasSubstr("tikc stopped searching for contradictions")));
}

} // namespace
} // namespace tikc::tests
