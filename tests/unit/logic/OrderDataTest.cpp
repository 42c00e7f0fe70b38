#include "unit/logic/Requirements.h"

#include "logic/Order.h"
#include "logic/Separation.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>

/// Whatever is implied holds of whatever data keep what implies it: statistics are computed here
/// from their definitions, in rationals.
namespace tikc::tests {
namespace {

using model::Aggregate;
using model::Comparator;

/// Of each of a few responses, the figure of each of its tokens.
using Data = std::vector<std::vector<Rational>>;

bool compares(const Rational& a, Comparator how, const Rational& b) {
  switch (how) {
  case Comparator::LessEqual:
    return a <= b;
  case Comparator::Less:
    return a < b;
  case Comparator::GreaterEqual:
    return a >= b;
  case Comparator::Greater:
    return a > b;
  case Comparator::Equal:
    return a == b;
  case Comparator::NotEqual:
    break;
  }
  return a != b;
}

Rational meanOf(const std::vector<Rational>& values) {
  Rational sum;
  for (const Rational& each : values)
    sum += each;
  return sum / Rational(static_cast<unsigned long>(values.size()));
}

/// What the measure takes of a token's figure; of events, the figure is the ratio.
Rational figureOf(const model::Measure& measure, const Rational& value) {
  if (!measure.parameters.empty()) {
    bool isOut = value < measure.parameters[0] ||
                 (measure.parameters.size() > 1 && value > measure.parameters[1]);
    return isOut ? 1 : 0;
  }
  return measure.absolute ? Rational(abs(value)) : value;
}

/// The mean square, of which a limit is squared, too.
Rational valueOf(const model::Measure& measure, const Data& data) {
  std::vector<Rational> all, means;
  for (const auto& response : data) {
    std::vector<Rational> own;
    for (const Rational& each : response)
      own.push_back(figureOf(measure, each));
    means.push_back(meanOf(own));
    all.insert(all.end(), own.begin(), own.end());
  }
  std::sort(all.begin(), all.end());
  Rational count(static_cast<unsigned long>(all.size()));
  switch (measure.aggregate) {
  case Aggregate::Max:
    return all.back();
  case Aggregate::Min:
    return all.front();
  case Aggregate::MeanByResponse:
    return meanOf(means);
  case Aggregate::Quantile:
    for (std::size_t i = 0; i < all.size(); ++i)
      if (Rational(static_cast<unsigned long>(i + 1)) >= measure.level * count)
        return all[i];
    return all.back();
  case Aggregate::RootMeanSquare:
    for (Rational& each : all)
      each *= each;
    return meanOf(all);
  case Aggregate::Rate: {
    auto hits = std::count_if(all.begin(), all.end(), [&](const Rational& each) {
      return measure.threshold
                 ? compares(each, measure.threshold->comparator, measure.threshold->bound.scaled())
                 : each != 0;
    });
    return Rational(hits) / count;
  }
  case Aggregate::Count:
    return std::count_if(all.begin(), all.end(), [](const Rational& each) { return each != 0; });
  default:
    return meanOf(all);
  }
}

bool keeps(const model::Bound& bound, const Data& data) {
  Rational value = valueOf(bound.measure, data);
  auto limit = [&](const model::Amount& amount) {
    Rational at = amount.scaled();
    return bound.measure.aggregate == Aggregate::RootMeanSquare ? Rational(at * abs(at)) : at;
  };
  if (bound.upper)
    return limit(bound.limit) <= value && value <= limit(*bound.upper);
  return compares(value, bound.comparator, limit(bound.limit));
}

/// Few different values, so that many lie on the limits.
Data randomData(std::mt19937& random, bool isSigned) {
  Data out(1 + random() % 3);
  unsigned spread = 1 + random() % 8;
  for (auto& response : out)
    for (std::size_t i = 0, n = 1 + random() % 4; i < n; ++i) {
      Rational value(static_cast<long>(random() % (spread + 1)), 4);
      response.push_back(isSigned && random() % 2 ? Rational(-value) : value);
    }
  return out;
}

/// Every statistic with limits of every kind.
std::vector<std::string> requirementsOf(const std::string& figure, bool isSigned) {
  std::vector<std::string> subjects;
  for (std::string x : {figure, "abs(" + figure + ")"}) {
    for (const char* name : {"max", "min", "mean", "mean_by_response", "rms", "p50"})
      subjects.push_back(std::string(name) + "(" + x + ")");
    subjects.push_back("quantile(" + x + ", 0.75)");
    subjects.push_back("quantile(" + x + ", 0.25)");
  }
  std::vector<std::string> out;
  for (const std::string& subject : subjects)
    for (const char* how : {"<=", "<", ">=", ">"})
      for (const char* limit : {"0.25", "0.5", "1", "-0.25", "-0.5"})
        if (isSigned || *limit != '-')
          out.push_back(subject + " " + how + " " + limit);
  for (std::string x : {figure, "abs(" + figure + ")"})
    for (const char* event : {" <= 0.5", " < 0.5", " > 0.5", " >= 0.5", " < -0.5", " <= -0.5"})
      for (const char* limit : {" <= 0.25", " < 0.25", " >= 0.75", " > 0.75", " <= 0.5"})
        out.push_back("rate(" + x + event + ")" + limit);
  out.push_back("mean(" + figure + ") in [0.25, 0.5]");
  out.push_back("max(" + figure + ") == 0.25");
  return out;
}

void attack(const std::vector<std::string>& texts, bool isSigned, unsigned rounds) {
  Requirements said(texts);
  ASSERT_EQ(said.size(), texts.size());
  std::vector<std::vector<std::size_t>> implied(said.size());
  std::size_t pairs = 0;
  for (std::size_t i = 0; i < said.size(); ++i)
    for (std::size_t j = 0; j < said.size(); ++j)
      if (i != j && logic::implies(said[i], said[j], logic::Stands::InClause)) {
        implied[i].push_back(j);
        ++pairs;
      }
  EXPECT_GT(pairs, said.size());
  std::mt19937 random(1);
  for (unsigned round = 0; round < rounds; ++round) {
    Data data = randomData(random, isSigned);
    std::vector<bool> kept;
    for (std::size_t i = 0; i < said.size(); ++i)
      kept.push_back(keeps(said[i], data));
    for (std::size_t i = 0; i < said.size(); ++i)
      for (std::size_t j : implied[i])
        ASSERT_TRUE(!kept[i] || kept[j]) << texts[i] << " => " << texts[j];
  }
}

/// A population of so many values, the last `beyond` of which are another.
Data populationOf(const Rational& value, const Rational& other, std::size_t beyond) {
  constexpr std::size_t most = 40;
  std::vector<Rational> values(most - beyond, value);
  values.insert(values.end(), beyond, other);
  return {values};
}

/// Whether some population of two values keeps one bound and breaks another.
bool isShown(const model::Bound& kept, const model::Bound& broken, const logic::Separation& by) {
  Rational a = by.kept.scaled(), b = by.broken.scaled();
  for (const Rational& far :
       {a, Rational(a / 2), Rational(2 * a), Rational(a - 1), Rational(a + 1)})
    for (std::size_t beyond = 0; beyond <= 40; ++beyond)
      if (Data data = populationOf(far, b, beyond); keeps(kept, data) && !keeps(broken, data))
        return true;
  return false;
}

/// Of statistics whose value is one of their figures, or between them.
bool isOfFigures(const model::Bound& bound) {
  return bound.measure.aggregate != Aggregate::Rate && bound.measure.aggregate != Aggregate::Count;
}

void showSeparations(const std::vector<std::string>& texts) {
  Requirements said(texts);
  ASSERT_EQ(said.size(), texts.size());
  std::size_t shown = 0;
  for (std::size_t i = 0; i < said.size(); ++i)
    for (std::size_t j = i % 7; j < said.size(); j += 7) {
      auto found = logic::separation(said[i], said[j], logic::Stands::InClause);
      if (!found)
        continue;
      ASSERT_FALSE(logic::implies(said[i], said[j], logic::Stands::InClause))
          << texts[i] << " => " << texts[j];
      if (isOfFigures(said[i]) && isOfFigures(said[j])) {
        ++shown;
        ASSERT_TRUE(isShown(said[i], said[j], *found))
            << texts[i] << " and not " << texts[j] << ": " << model::print(found->kept) << ", "
            << model::print(found->broken);
      }
    }
  EXPECT_GT(shown, said.size() / 2);
}

std::vector<std::string> requirementsOfSizes() {
  std::vector<std::string> texts;
  for (const std::string& each : requirementsOf("k2", false))
    if (each.find("abs") == std::string::npos)
      texts.push_back(each);
  return texts;
}

TEST(OrderData, NothingImpliedFailsOfSignedFigures) {
  attack(requirementsOf("logprob_gap", true), true, 300);
}

TEST(OrderData, NothingImpliedFailsOfSizes) { attack(requirementsOfSizes(), false, 300); }

TEST(OrderData, WhatSeparatesIsShownBySomePopulation) {
  showSeparations(requirementsOf("logprob_gap", true));
  showSeparations(requirementsOfSizes());
}

TEST(OrderData, NothingImpliedFailsOfEvents) {
  std::vector<std::string> texts;
  for (const char* event :
       {"clipped(0.25, 1)", "clipped(0.5, 1)", "clipped(0.5, 1.5)", "veto(0.5)", "veto(0.75)"})
    for (const char* name : {"max", "mean", "rate", "count", "p50"})
      for (const char* limit : {" <= 0", " <= 0.25", " < 0.25", " >= 0.25", " == 0"})
        texts.push_back(std::string(name) + "(" + event + ")" + limit);
  attack(texts, false, 1000);
}

} // namespace
} // namespace tikc::tests
