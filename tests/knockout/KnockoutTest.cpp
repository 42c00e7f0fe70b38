#include "property/Bounded.h"
#include "property/Parsed.h"

#include "bounds/prove/Questions.h"

#include <gtest/gtest.h>

#include <cstdlib>

namespace tikc {
namespace {

std::optional<bounds::Question> leftOut;

} // namespace

bool bounds::asks(Question question) { return question != leftOut; }

namespace tests {
namespace {

using bounds::Question;

struct Row {
  Question question;
  const char* name;
  const char* asked;
  std::size_t bounds = 0; // that are tighter without it
  std::optional<unsigned> broken = std::nullopt;
  std::string by = {};
};

std::vector<Row> allQuestions() {
  return {
#define QUESTION(Id, asked) {Question::Id, #Id, asked},
#include "bounds/prove/Questions.def"
  };
}

/// The bounds that there are only without a question.
std::vector<Target> targetsWithout(Question question, const model::Contract& contract,
                                   const Bounded& sound) {
  leftOut = question;
  Bounded without(contract);
  std::vector<Target> out = targetsOf(contract, without);
  leftOut.reset();
  std::size_t at = 0;
  std::erase_if(out, [&](const Target&) {
    const auto& [goal, fact] = without.goals[at++];
    return std::any_of(
        sound.goals.begin(), sound.goals.end(), [&, of = &goal, id = fact](auto& known) {
          return known.first.claim == of->claim && known.first.place.slice == of->place.slice &&
                 known.first.lower == of->lower &&
                 !bounds::isTighter(without.problem.facts[id], sound.problem.facts[known.second]);
        });
  });
  return out;
}

/// What is asked although nothing depends on it today, and why.
const char* spareOf(Question question) {
  switch (question) {
  case Question::ServedLaws:
    return "no premise stands where another conclusion would";
  case Question::WholeResponses:
    return "claims on responses are about those of the link's second kernel, and none on a slice "
           "that cuts them";
  case Question::TokensOfServer:
    return "worlds with token weights have responses of one length, whoever draws";
  case Question::Greedy:
    return "rows of a greedy kernel compare one-hot laws, of which they are true";
  case Question::Payable:
    return "no lemma takes the mean of what may be negative or has a floor, but for k1, whose mean "
           "is a divergence";
  default:
    return nullptr;
  }
}

std::size_t contractsToTry() {
  const char* asked = std::getenv("TIKC_KNOCKOUT_CONTRACTS");
  constexpr std::size_t few = 20000;
  return asked ? std::stoul(asked) : few;
}

/// The falsifier, tested: whatever the prover does not ask, some contract shows.
TEST(Knockout, NoCheckIsLeftOutUnnoticed) {
  if (contractsToTry() == 0)
    GTEST_SKIP() << "TIKC_KNOCKOUT_CONTRACTS is 0";
  std::vector<Row> rows = allQuestions();
  auto open = static_cast<std::size_t>(std::count_if(
      rows.begin(), rows.end(), [](const Row& row) { return !spareOf(row.question); }));
  for (unsigned seed = 0; seed < contractsToTry() && open > 0; ++seed) {
    Dice dice(seed);
    Sampled sampled = Generator(dice).take();
    Parsed parsed(sampled.text);
    ASSERT_EQ(parsed.errors(), "") << sampled.text;
    model::Contract contract = parsed.contract();
    loosen(contract);
    Bounded sound(contract);
    std::vector<Target> targets;
    std::vector<Row*> of;
    for (Row& row : rows)
      if (!row.broken)
        for (Target& target : targetsWithout(row.question, contract, sound)) {
          ++row.bounds;
          targets.push_back(std::move(target));
          of.push_back(&row);
        }
    if (targets.empty())
      continue;
    Adversary(dice, contract, sampled, targets).attack(8, 6);
    for (std::size_t i = 0; i < targets.size(); ++i)
      if (targets[i].nearest > 1 + 1e-8 && !of[i]->broken) {
        of[i]->broken = seed;
        of[i]->by = targets[i].lemma;
        open -= spareOf(of[i]->question) == nullptr;
      }
  }
  for (const Row& row : rows) {
    fmt::print("{:20} {:60} {}\n", row.name, row.asked,
               row.broken ? fmt::format("broken by contract {}, {}", *row.broken, row.by)
               : spareOf(row.question) ? fmt::format("not needed: {}", spareOf(row.question))
                                       : fmt::format("NOT BROKEN, {} bounds", row.bounds));
    EXPECT_EQ(row.broken.has_value(), spareOf(row.question) == nullptr) << row.name;
  }
}

} // namespace
} // namespace tests
} // namespace tikc
