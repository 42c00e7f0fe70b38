#include "measure/Slicing.h"

#include <gtest/gtest.h>

#include <random>

namespace tikc::measure {
namespace {

using plan::Predicate;

Predicate compares(std::string field, model::Comparator comparator, double number) {
  Predicate out;
  out.kind = Predicate::Kind::Compare;
  out.field = std::move(field);
  out.comparator = comparator;
  out.values.push_back({false, number, {}});
  return out;
}

Predicate isTask(std::string name) {
  Predicate out = compares("task", model::Comparator::Equal, 0);
  out.values.front() = {true, 0, std::move(name)};
  return out;
}

Predicate joined(Predicate::Kind kind, std::vector<Predicate> parts) {
  Predicate out;
  out.kind = kind;
  out.parts = std::move(parts);
  return out;
}

plan::Plan planOf(std::vector<Predicate> slices) {
  plan::Plan out;
  out.fields = {{"prompt_tokens"}, {"response_tokens"}, {"position"}, {"model_version", true}};
  out.labels = {{"task", {"math", "code"}}};
  for (Predicate& each : slices)
    out.slices.push_back({"s" + std::to_string(out.slices.size()), std::move(each)});
  out.slices.push_back({"other", std::nullopt});
  return out;
}

template <class Random> Predicate anyPredicate(Random& random, int depth) {
  using Kind = Predicate::Kind;
  const auto choice = random() % (depth == 0 ? 3 : 6);
  if (choice == 0)
    return isTask(random() % 2 == 0 ? "math" : "code");
  if (choice < 3)
    return compares(choice == 1 ? "position" : "response_tokens",
                    static_cast<model::Comparator>(random() % 6),
                    static_cast<double>(random() % 12) + (random() % 4 == 0 ? 0.5 : 0));
  if (choice == 3)
    return joined(Kind::Not, {anyPredicate(random, depth - 1)});
  return joined(choice == 4 ? Kind::And : Kind::Or,
                {anyPredicate(random, depth - 1), anyPredicate(random, depth - 1)});
}

/// A response of so many tokens, each with the slice that the engine would find for it alone.
TEST(SlicingTest, CutsResponsesWhereTokensAreOfOtherSlices) {
  std::mt19937 random(1);
  for (int round = 0; round < 2000; ++round) {
    const plan::Plan plan = planOf({anyPredicate(random, 2), anyPredicate(random, 2)});
    const std::vector<float> numbers(random() % 16);
    const data::LabelValue label{"task", random() % 2 == 0 ? "math" : "code"};
    data::Response response;
    response.train = response.infer = numbers;
    response.labels = {&label, 1};
    if (random() % 3 == 0)
      response.position = static_cast<double>(random() % 5);
    Slicing slicing(plan);
    std::size_t next = 0;
    for (const Slicing::Run& run : slicing.runsOf(response)) {
      ASSERT_EQ(run.begin, next);
      for (; next < run.end; ++next) {
        const double position = response.position.value_or(0) + static_cast<double>(next);
        engine::Request request(plan);
        request.set(*request.find("task"), label.value);
        request.set(*request.find("position"), position);
        request.set(*request.find("response_tokens"), position + 1);
        ASSERT_EQ(run.slice, request.slice()) << "round " << round << ", token " << next;
      }
    }
    ASSERT_EQ(next, numbers.size());
  }
}

TEST(SlicingTest, CountsWhatSlicesAskForAndAResponseDoesNotHave) {
  const plan::Plan plan =
      planOf({isTask("math"), compares("prompt_tokens", model::Comparator::GreaterEqual, 8)});
  Slicing slicing(plan);
  const std::vector<float> numbers(3);
  data::Response response;
  response.train = response.infer = numbers;
  const data::LabelValue labels[] = {{"prompt_tokens", "9"}, {"prompt_tokens", "nine"}};
  response.labels = {labels, 1};
  EXPECT_EQ(slicing.runsOf(response).front().slice, 1U);
  response.labels = {labels + 1, 1};
  EXPECT_EQ(slicing.runsOf(response).front().slice, 2U);
  EXPECT_EQ(slicing.missing(), (Slicing::Missing{{"prompt_tokens", 1}, {"task", 2}}));
}

TEST(SlicingTest, TakesAVersionForTheModels) {
  Predicate of = compares("model_version", model::Comparator::Equal, 0);
  of.values.front() = {true, 0, "7"};
  const plan::Plan plan = planOf({of});
  Slicing slicing(plan);
  data::Response response;
  response.version = 7;
  EXPECT_EQ(slicing.runsOf(response).front().slice, 0U);
  response.version = 8;
  EXPECT_EQ(slicing.runsOf(response).front().slice, 1U);
}

} // namespace
} // namespace tikc::measure
