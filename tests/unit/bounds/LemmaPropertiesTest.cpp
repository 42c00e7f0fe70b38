#include "Lemmas.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

using namespace tikc;
using namespace tikc::bounds;
using namespace tikc::bounds::test;
using Need = Premise::Need;
using Side = QuantityInfo::Side;

namespace {

bool isDrift(Need need) {
  return need == Need::Each || need == Need::Sup || need == Need::Mean || need == Need::ShareOf ||
         need == Need::AtShare;
}

bool hasChosen(const Lemma& lemma) {
  for (const Use& use : lemma.uses())
    for (const Premise& premise : use.premises)
      if (premise.need == Need::Chosen)
        return true;
  return false;
}

TEST(LemmaPropertiesTest, RowsAreWhole) {
  std::set<std::string_view> ids;
  for (const Lemma* lemma : allLemmas()) {
    EXPECT_TRUE(ids.insert(lemma->id).second) << lemma->id << " twice";
    for (std::string_view text :
         {lemma->id, lemma->statement, lemma->hypotheses, lemma->formula, lemma->proof})
      EXPECT_FALSE(text.empty()) << lemma->id;
    if (!lemma->uses().empty() || lemma->inverse) {
      EXPECT_NE(lemma->evaluate, nullptr) << lemma->id;
    }
    std::set<std::string_view> names;
    for (const Parameter& parameter : lemma->parameters()) {
      EXPECT_TRUE(names.insert(parameter.name).second)
          << lemma->id << ": " << parameter.name << " twice";
      EXPECT_FALSE(parameter.meaning.empty()) << lemma->id << ": " << parameter.name;
    }
  }
}

TEST(LemmaPropertiesTest, UsesFillEveryParameter) {
  for (const Lemma* lemma : allLemmas()) {
    for (const Use& use : lemma->uses()) {
      auto filled =
          std::count_if(use.premises.begin(), use.premises.end(),
                        [](const Premise& premise) { return premise.need != Need::Nothing; });
      EXPECT_EQ(static_cast<std::size_t>(filled), lemma->parameters().size()) << lemma->id;
      for (std::size_t i = 0; i + 1 < maxParameters; ++i)
        if (use.premises[i].need == Need::ShareOf) {
          EXPECT_EQ(use.premises[i + 1].need, Need::AtShare) << lemma->id;
          EXPECT_EQ(use.premises[i + 1].quantity, use.premises[i].quantity) << lemma->id;
        }
    }
    if (hasChosen(*lemma)) {
      EXPECT_NE(lemma->choose, nullptr) << lemma->id;
    }
  }
}

TEST(LemmaPropertiesTest, EveryRowIsInOneSection) {
  std::vector<const Lemma*> rows;
  for (const Section& section : sections())
    rows.insert(rows.end(), section.lemmas.begin(), section.lemmas.end());
  EXPECT_TRUE(std::equal(rows.begin(), rows.end(), allLemmas().begin(), allLemmas().end()));
}

// Monotonicity, on a grid.

std::vector<Rational> gridOf(Domain domain, bool coarse) {
  auto some = [&](std::vector<Rational> all) {
    if (coarse && all.size() > 3)
      all = {all[1], all[all.size() / 2], all.back()};
    return all;
  };
  Rational tiny(1, 1000), small(1, 50);
  switch (domain) {
  case Domain::Any:
  case Domain::NonNegative:
    return some({0, tiny, small, Rational(1, 2), Rational(3, 2), 5});
  case Domain::Positive:
    return some({tiny, Rational(1, 2), 1, Rational(3, 2), 5});
  case Domain::AtLeastOne:
    return some({1, Rational(11, 10), 2, 9});
  case Domain::Share:
    return some({0, tiny, small, Rational(1, 2), Rational(9, 10), 1});
  case Domain::OpenShare:
    return some({tiny, small, Rational(1, 2), Rational(9, 10)});
  case Domain::Count:
    return some({1, 2, 7, 60});
  case Domain::Whole:
    return some({0, 1, 7, 60});
  case Domain::Format:
    return {Rational(1, 256)};
  }
  return {};
}

class Grid {
public:
  explicit Grid(const Lemma& lemma) {
    for (const Parameter& parameter : lemma.parameters())
      axes_.push_back(gridOf(parameter.domain, lemma.parameters().size() > 2));
  }

  /// Calls with every point of the grid, as the index along each axis.
  template <typename F> void walk(F visit) const {
    std::vector<std::size_t> at(axes_.size(), 0);
    for (;;) {
      visit(at);
      std::size_t i = 0;
      while (i < at.size() && ++at[i] == axes_[i].size())
        at[i++] = 0;
      if (i == at.size())
        return;
    }
  }

  std::vector<Real> point(const std::vector<std::size_t>& at) const {
    std::vector<Real> out;
    for (std::size_t i = 0; i < at.size(); ++i)
      out.emplace_back(axes_[i][at[i]], fewBits);
    return out;
  }
  std::size_t length(std::size_t axis) const { return axes_[axis].size(); }

private:
  std::vector<std::vector<Rational>> axes_;
};

Result evaluated(const Lemma& lemma, const std::vector<Real>& arguments) {
  Result result = lemma.evaluate(arguments);
  return result && result->isUsable() ? result : std::nullopt;
}

/// A bound that holds at the larger drift holds at the smaller one, and is no tighter there.
void checkStep(const Lemma& lemma, const Use& use, std::vector<Real> smaller,
               std::vector<Real> larger) {
  for (std::size_t i = 0; i < smaller.size(); ++i)
    if (use.premises[i].need == Need::Chosen) {
      auto choice = lemma.choose(larger);
      if (!choice)
        return;
      smaller[i] = larger[i] = Real(*choice, fewBits);
    }
  Result more = evaluated(lemma, larger), less = evaluated(lemma, smaller);
  if (!more)
    return;
  std::string shown(lemma.id);
  for (std::size_t i = 0; i < smaller.size(); ++i)
    shown += " " + print(smaller[i], 6) + "→" + print(larger[i], 6);
  ASSERT_TRUE(less) << shown;
  if (info(use.concludes).side == Side::Upper) {
    EXPECT_LE(less->lower(), more->upper()) << shown;
  } else {
    EXPECT_GE(less->upper(), more->lower()) << shown;
  }
}

TEST(LemmaPropertiesTest, BoundsGrowWithDrift) {
  for (const Lemma* lemma : allLemmas())
    for (const Use& use : lemma->uses()) {
      Grid grid(*lemma);
      grid.walk([&](const std::vector<std::size_t>& at) {
        for (std::size_t i = 0; i < at.size(); ++i) {
          if (!isDrift(use.premises[i].need) || at[i] + 1 == grid.length(i))
            continue;
          auto next = at;
          ++next[i];
          bool upward = use.premises[i].need == Need::ShareOf ||
                        info(use.premises[i].quantity).side == Side::Upper;
          checkStep(*lemma, use, grid.point(upward ? at : next), grid.point(upward ? next : at));
        }
      });
    }
}

TEST(LemmaPropertiesTest, ChosenWitnessesPass) {
  for (const Lemma* lemma : allLemmas()) {
    if (!hasChosen(*lemma))
      continue;
    std::size_t met = 0;
    Grid grid(*lemma);
    for (const Use& use : lemma->uses())
      grid.walk([&](const std::vector<std::size_t>& at) {
        auto arguments = grid.point(at);
        auto choice = lemma->choose(arguments);
        if (!choice)
          return;
        for (std::size_t i = 0; i < arguments.size(); ++i)
          if (use.premises[i].need == Need::Chosen)
            arguments[i] = Real(*choice, fewBits);
        met += evaluated(*lemma, arguments).has_value();
      });
    EXPECT_GT(met, 0u) << lemma->id;
  }
}

/// Bounds whose shape is stated are tested at midpoints.
TEST(LemmaPropertiesTest, CurvesHaveTheirShape) {
  for (const Lemma* lemma : allLemmas()) {
    if (lemma->curvature == Curvature::Unknown || lemma->uses().empty() || hasChosen(*lemma))
      continue;
    const Use& use = lemma->uses().front();
    std::size_t axis = 0, count = 0;
    for (std::size_t i = 0; i < lemma->parameters().size(); ++i)
      if (use.premises[i].need == Need::Each) {
        axis = i;
        ++count;
      }
    ASSERT_EQ(count, 1u) << lemma->id;
    Grid grid(*lemma);
    grid.walk([&](const std::vector<std::size_t>& at) {
      if (at[axis] + 1 == grid.length(axis))
        return;
      auto next = at;
      ++next[axis];
      auto low = grid.point(at), high = grid.point(next), middle = low;
      middle[axis] = (low[axis] + high[axis]) / 2;
      Result a = evaluated(*lemma, low), b = evaluated(*lemma, high), m = evaluated(*lemma, middle);
      if (!a || !b || !m)
        return;
      Real chord = (*a + *b) / 2;
      if (lemma->curvature == Curvature::Concave) {
        EXPECT_GE(m->upper(), chord.lower()) << lemma->id;
      } else {
        EXPECT_LE(m->lower(), chord.upper()) << lemma->id;
      }
    });
  }
}

// An inverse leads back to the budget.

TEST(LemmaPropertiesTest, InversesLeadBack) {
  auto budget = Real(Rational(1, 20), fewBits), share = Real(Rational(9, 10), fewBits);
  for (const Lemma* lemma : allLemmas()) {
    if (!lemma->inverse || lemma->parameters().size() != 1 ||
        lemma->inverse->parameters().size() != 1)
      continue;
    for (const Real& wanted : {budget, share, Real(Rational(3, 2), fewBits)}) {
      if (lemma->inverse->parameters()[0].domain == Domain::OpenShare && isLess(1, wanted))
        continue;
      if (lemma->inverse->parameters()[0].domain == Domain::AtLeastOne && isLess(wanted, 1))
        continue;
      Result drift = evaluated(*lemma->inverse, {wanted});
      if (!drift)
        continue;
      bool isLogarithm = lemma->inverse->id == "G-LR-RANGE";
      Result back = evaluated(*lemma, {*drift});
      ASSERT_TRUE(back) << lemma->id;
      Real reached = isLogarithm ? exp(*back) : *back;
      EXPECT_LE(reached.lower(), wanted.upper()) << lemma->id;
      EXPECT_GE(reached.upper(), wanted.lower()) << lemma->id;
      EXPECT_LE(Rational(reached.upper() - reached.lower()), Rational(1, 1'000'000'000))
          << lemma->id;
    }
  }
}

} // namespace
