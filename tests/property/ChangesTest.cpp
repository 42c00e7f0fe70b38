#include "property/Adversary.h"
#include "property/Parsed.h"

#include "changes/Compare.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <numeric>

/// Where a comparison of two contracts says that no clause got looser, no world keeps the clauses
/// of the new one and breaks one of the old one.
namespace tikc::tests {
namespace {

using changes::ChangedPart;
using changes::Effect;

std::size_t editionsToTry() {
  const char* asked = std::getenv("TIKC_CHANGES_CONTRACTS");
  constexpr std::size_t few = 1500;
  return asked ? std::stoul(asked) : few;
}

/// The lines of a contract's clauses, and all around them.
struct Lines {
  std::string before, after;
  std::vector<std::string> clauses;

  explicit Lines(const std::string& text) {
    auto begin = text.find("numerical:\n") + 11, end = text.find("claims:\n");
    before = text.substr(0, begin);
    after = text.substr(end);
    for (std::size_t at = begin; at < end;) {
      auto next = text.find('\n', at) + 1;
      clauses.push_back(text.substr(at, next - at));
      at = next;
    }
  }
  std::string text() const {
    return std::accumulate(clauses.begin(), clauses.end(), before) + after;
  }
};

/// What people do to a clause.
class Mutation {
public:
  explicit Mutation(Dice& dice) : dice_(dice) {}

  void apply(Lines& lines) {
    std::size_t at = dice_.roll(lines.clauses.size());
    std::string& line = lines.clauses[at];
    switch (dice_.roll(9)) {
    case 0:
      if (lines.clauses.size() > 1)
        lines.clauses.erase(lines.clauses.begin() + static_cast<std::ptrdiff_t>(at));
      return;
    case 1:
      std::swap(line, lines.clauses[dice_.roll(lines.clauses.size())]);
      return;
    case 2:
      line.insert(line.find(':'), "_renamed");
      return;
    case 3:
      return toggle(line, " on all\"", "\"");
    case 4:
      return statistic(line);
    case 5:
      return toggle(line, " <= ", " < ");
    case 6:
      return rate(line);
    default:
      return limit(line);
    }
  }

private:
  static bool replace(std::string& line, const std::string& what, const std::string& with) {
    auto at = line.find(what);
    if (at == std::string::npos)
      return false;
    line.replace(at, what.size(), with);
    return true;
  }
  /// The quote that ends the requirement is the second one.
  static void toggle(std::string& line, const std::string& one, const std::string& other) {
    if (replace(line, one, other))
      return;
    auto at = line.find(other, line.find('"') + 1);
    if (at != std::string::npos)
      line.replace(at, other.size(), one);
  }

  void statistic(std::string& line) {
    static const std::vector<std::string> names{"max(", "mean(", "p90(", "p99(", "rms(", "min("};
    const std::string& with = dice_.pick(names);
    for (const std::string& each : names)
      if (replace(line, "\"" + each, "\"" + with))
        return;
  }

  /// The number behind the comparator.
  static std::pair<std::size_t, std::size_t> limitIn(const std::string& line) {
    for (std::string how : {" <= ", " < ", " >= "})
      if (auto at = line.rfind(how); at != std::string::npos) {
        auto begin = at + how.size();
        return {begin, line.find_first_not_of("-0123456789.", begin)};
      }
    return {std::string::npos, std::string::npos};
  }

  void limit(std::string& line) {
    auto [begin, end] = limitIn(line);
    if (begin == std::string::npos)
      return;
    static const std::vector<double> factors{0.1, 0.5, 0.9, 1.1, 2, 10};
    double value = std::stod(line.substr(begin, end - begin)) * dice_.pick(factors);
    line.replace(begin, end - begin, fmt::format("{:.6f}", value));
  }

  /// A quantile as the rate that it is.
  void rate(std::string& line) {
    static const std::vector<std::pair<std::string, std::string>> levels{{"p90(", "10%"},
                                                                         {"p99(", "1%"}};
    for (const auto& [name, share] : levels) {
      auto from = line.find("\"" + name), how = line.find(") <= ");
      if (from == std::string::npos || how == std::string::npos)
        continue;
      auto [begin, end] = limitIn(line);
      std::string value = line.substr(begin, end - begin);
      std::string of = line.substr(from + 1 + name.size(), how - from - 1 - name.size());
      line.replace(from, end - from, fmt::format("\"rate({} > {}) <= {}", of, value, share));
      return;
    }
  }

  Dice& dice_;
};

/// Limits and thresholds with room for what is rounded.
model::Contract withRoom(model::Contract contract) {
  auto widen = [](model::Amount& amount, bool isAbove) {
    Rational room = abs(amount.value) / 1'000'000;
    amount.value += isAbove ? room : Rational(-room);
  };
  for (model::Clause& clause : contract.clauses)
    for (model::Bound& bound : clause.bounds) {
      bool isAbove = model::isBelow(bound.comparator);
      widen(bound.limit, isAbove);
      if (auto& threshold = bound.measure.threshold)
        widen(threshold->bound, model::isAbove(threshold->comparator) == isAbove);
    }
  return contract;
}

bool saysNotLooser(const std::vector<changes::PartChange>& changes) {
  return std::none_of(changes.begin(), changes.end(), [](const changes::PartChange& each) {
    return each.part == ChangedPart::Clause && changes::info(each.kind).effect == Effect::Looser;
  });
}

std::vector<changes::PartChange> changesBetween(const model::Contract& was,
                                                const model::Contract& is) {
  return changes::compareContracts({&was, nullptr}, {&is, nullptr}).changes;
}

TEST(Changes, WhatIsNotLooserIsBrokenByNoWorld) {
  std::size_t notLooser = 0, worlds = 0;
  for (unsigned seed = 0; seed < editionsToTry(); ++seed) {
    Dice dice(seed);
    Sampled sampled = Generator(dice).take();
    Lines lines(sampled.text);
    for (std::size_t i = 0, n = 1 + dice.roll(3); i < n; ++i)
      Mutation(dice).apply(lines);
    Parsed was(sampled.text), is(lines.text());
    bool turns = dice.chance();
    const Parsed &old = turns ? is : was, &fresh = turns ? was : is;
    if (!was.errors().empty() || !is.errors().empty())
      continue;
    if (!saysNotLooser(changesBetween(old.contract(), fresh.contract())))
      continue;
    ++notLooser;
    std::vector<Target> none;
    Adversary adversary(dice, fresh.contract(), sampled, none);
    model::Contract roomy = withRoom(old.contract());
    adversary.showTo([&](const World& world) {
      EXPECT_TRUE(meetsClauses(world, sampled.setting, roomy))
          << "seed " << seed << (turns ? ", turned" : "") << "\n"
          << sampled.text << "\nbecame\n"
          << lines.text();
    });
    adversary.attack(6, 0);
    worlds += adversary.worlds();
    if (::testing::Test::HasFailure())
      return;
  }
  fmt::print("{} pairs that are not looser, {} worlds\n", notLooser, worlds);
  EXPECT_GT(notLooser, editionsToTry() / 5);
  EXPECT_GT(worlds, notLooser);
}

/// One part of what two have.
Part mixed(const Part& a, const Part& b) {
  Part out = a;
  out.share = a.share + b.share;
  for (Prompt& prompt : out.prompts)
    prompt.weight *= a.share / out.share;
  for (Prompt prompt : b.prompts) {
    prompt.weight *= b.share / out.share;
    out.prompts.push_back(std::move(prompt));
  }
  return out;
}

/// A part that is split into its first prompt and the rest; nothing where there is one.
std::optional<std::pair<Part, Part>> halves(const Part& whole) {
  if (whole.prompts.size() < 2)
    return std::nullopt;
  Part first = whole, second = whole;
  first.prompts.resize(1);
  second.prompts.erase(second.prompts.begin());
  double weight = whole.prompts.front().weight;
  first.share = whole.share * weight;
  second.share = whole.share * (1 - weight);
  first.prompts.front().weight = 1;
  for (Prompt& prompt : second.prompts)
    prompt.weight /= 1 - weight;
  return std::pair(std::move(first), std::move(second));
}

const std::string fineSlices = "  math: { when: task == \"math\", weight: 25% }\n"
                               "  code: { when: task == \"code\", weight: 50% }\n";
const std::string coarseSlices = "  both: { when: 'task in {\"math\", \"code\"}', weight: 75% }\n";

/// A contract of three slices, and the same of two.
struct Partitions {
  Sampled fine, coarse;
};
std::optional<Partitions> partitionsOf(Dice& dice) {
  Partitions out{Generator(dice).take(), {}};
  auto at = out.fine.text.find(fineSlices);
  if (at == std::string::npos)
    return std::nullopt;
  out.coarse = out.fine;
  out.coarse.text.replace(at, fineSlices.size(), coarseSlices);
  auto& slices = out.coarse.setting.slices;
  slices[1].share += slices[0].share;
  slices.erase(slices.begin());
  return out;
}

void attackPartition(unsigned seed, Dice& dice, const Partitions& texts, bool isSplit,
                     std::size_t& worlds) {
  const Sampled &was = isSplit ? texts.coarse : texts.fine,
                &is = isSplit ? texts.fine : texts.coarse;
  Lines lines(is.text);
  if (dice.chance())
    Mutation(dice).apply(lines);
  Parsed old(was.text), fresh(lines.text());
  if (!old.errors().empty() || !fresh.errors().empty() ||
      !saysNotLooser(changesBetween(old.contract(), fresh.contract())))
    return;
  std::vector<Target> none;
  Adversary adversary(dice, fresh.contract(), is, none);
  model::Contract roomy = withRoom(old.contract());
  adversary.showTo([&](World world) {
    auto apart = halves(world.parts[0]);
    if (!isSplit && !apart)
      return;
    if (isSplit) {
      world.parts[1] = mixed(world.parts[0], world.parts[1]);
      world.parts.erase(world.parts.begin());
    } else {
      world.parts[0] = apart->second;
      world.parts.insert(world.parts.begin(), apart->first);
    }
    ++worlds;
    EXPECT_TRUE(meetsClauses(world, was.setting, roomy)) << "seed " << seed << "\n"
                                                         << was.text << "\nbecame\n"
                                                         << lines.text();
  });
  adversary.attack(12, 0);
}

TEST(Changes, SlicesThatAreSplitAndMerged) {
  std::size_t split = 0, merged = 0;
  for (unsigned seed = 0; seed < 8 * editionsToTry() && !HasFailure(); ++seed) {
    Dice dice(seed);
    if (auto texts = partitionsOf(dice)) {
      attackPartition(seed, dice, *texts, true, split);
      attackPartition(seed, dice, *texts, false, merged);
    }
  }
  fmt::print("{} worlds of slices that were split, {} of such that were merged\n", split, merged);
  EXPECT_GT(split, 50U);
  EXPECT_GT(merged, 10U);
}

} // namespace
} // namespace tikc::tests
