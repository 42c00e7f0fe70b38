#include "logic/Requests.h"

#include "unit/Checked.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <random>
#include <span>

namespace tikc::tests {
namespace {

using logic::Decided;
using logic::Space;
using model::Comparator;
using model::Expr;
using testing::ElementsAre;
using testing::Pair;

/// Slices' predicates, as a contract has them.
class Predicates {
public:
  explicit Predicates(const std::vector<std::string>& texts)
      : checked_(contractOf(texts)), slices_(checked_.contracts().front().slices) {
    for (const model::Slice& slice : slices_)
      all_.push_back(&*slice.when);
  }

  const std::vector<const Expr*>& all() const { return all_; }
  const std::vector<model::Label>& labels() const { return checked_.contracts().front().labels; }
  Space space() const { return Space(labels(), all_); }

private:
  static std::string contractOf(const std::vector<std::string>& texts) {
    std::string out = head() + "labels: { task: [math, code, chat], lang: [en] }\nslices:\n";
    for (std::size_t i = 0; i < texts.size(); ++i)
      out += "  s" + std::to_string(i) + ": { when: '" + texts[i] + "' }\n";
    return out;
  }

  Checked checked_;
  const std::vector<model::Slice>& slices_;
  std::vector<const Expr*> all_;
};

/// Whether there is such a request, and one.
struct FoundRequest {
  Decided answer = Decided::Unknown;
  logic::ExampleRequest example; // of a Yes
};

FoundRequest find(const Space& space, std::span<const Expr* const> holds,
                  std::span<const Expr* const> fails) {
  logic::Region left = space.all();
  for (const Expr* predicate : holds)
    left = space.common(left, space.of(*predicate));
  for (const Expr* predicate : fails)
    left = space.without(left, space.of(*predicate));
  Decided isEmpty = left.isEmpty();
  if (isEmpty == Decided::No)
    return {Decided::Yes, space.example(left)};
  return {isEmpty == Decided::Yes ? Decided::No : Decided::Unknown, {}};
}

/// Of predicates, whether a request meets the first ones and none of the others.
FoundRequest ask(const std::vector<std::string>& holds,
                 const std::vector<std::string>& fails = {}) {
  std::vector<std::string> all = holds;
  all.insert(all.end(), fails.begin(), fails.end());
  Predicates predicates(all);
  std::span<const Expr* const> span(predicates.all());
  return find(predicates.space(), span.first(holds.size()), span.subspan(holds.size()));
}

TEST(Requests, TellsWhatIsEmpty) {
  for (const char* empty :
       {"prompt_tokens > 3 and prompt_tokens < 4", "not prompt_tokens >= 0",
        "task == \"math\" and task == \"code\"", "not (position > 2 or position <= 2)",
        "model_version == \"a\" and model_version == \"b\"",
        "temperature < 0.5 and (temperature > 0.7 or not temperature <= 0.6)"})
    EXPECT_EQ(ask({empty}).answer, Decided::No) << empty;
  for (const char* some :
       {"prompt_tokens > 3 and prompt_tokens < 5", "temperature > 3 and temperature < 4",
        "model_version != \"a\" and model_version != \"b\"", "top_p >= 1", "temperature == 0",
        "not (task == \"math\" or task == \"code\")", "lang != \"en\"",
        "not task in {\"math\", \"code\", \"chat\"}"})
    EXPECT_EQ(ask({some}).answer, Decided::Yes) << some;
}

TEST(Requests, TellsWhatIsWithin) {
  EXPECT_EQ(ask({"prompt_tokens > 5"}, {"prompt_tokens >= 6"}).answer, Decided::No);
  EXPECT_EQ(ask({"temperature > 5"}, {"temperature >= 6"}).answer, Decided::Yes);
  EXPECT_EQ(ask({"task == \"math\""}, {"prompt_tokens > 5", "prompt_tokens <= 5"}).answer,
            Decided::No);
}

TEST(Requests, ShowsTheLeast) {
  EXPECT_THAT(ask({"prompt_tokens >= 8192 and task != \"math\""}, {"task == \"chat\""}).example,
              ElementsAre(Pair("prompt_tokens", "8192"), Pair("task", "\"code\"")));
  EXPECT_THAT(ask({"model_version != \"another\""}).example,
              ElementsAre(Pair("model_version", "\"another_\"")));
  EXPECT_THAT(ask({"lang != \"en\""}).example, ElementsAre(Pair("lang", "none")));
}

// Against every request of a grid that has a value of each sort of its predicates' fields.

struct Asked {
  double tokens, temperature;
  std::string task;
};

bool compares(double value, Comparator comparator, double with) {
  switch (comparator) {
  case Comparator::LessEqual:
    return value <= with;
  case Comparator::Less:
    return value < with;
  case Comparator::GreaterEqual:
    return value >= with;
  case Comparator::Greater:
    return value > with;
  case Comparator::Equal:
    return value == with;
  case Comparator::NotEqual:
    return value != with;
  }
  return false;
}

bool meets(const Expr& expr, const Asked& request) {
  auto part = [&](const Expr& of) { return meets(of, request); };
  const std::vector<Expr>& of = expr.arguments;
  auto compared = [&](Comparator comparator, const Expr& value) {
    if (of[0].text == "task")
      return (request.task == value.text) == (comparator == Comparator::Equal);
    return compares(of[0].text == "temperature" ? request.temperature : request.tokens, comparator,
                    value.quantity.scaled().get_d());
  };
  switch (expr.kind) {
  case Expr::Kind::Not:
    return !part(of[0]);
  case Expr::Kind::And:
    return std::all_of(of.begin(), of.end(), part);
  case Expr::Kind::Or:
    return std::any_of(of.begin(), of.end(), part);
  case Expr::Kind::In:
    return std::any_of(of[1].arguments.begin(), of[1].arguments.end(),
                       [&](const Expr& value) { return compared(Comparator::Equal, value); });
  default:
    return compared(expr.comparator, of[1]);
  }
}

class RandomPredicate {
public:
  explicit RandomPredicate(unsigned seed) : random_(seed) {}

  std::string next(int depth = 3) {
    switch (depth > 0 ? roll(5) : roll(2)) {
    case 2:
      return "not (" + next(depth - 1) + ")";
    case 3:
      return "(" + next(depth - 1) + " and " + next(depth - 1) + ")";
    case 4:
      return "(" + next(depth - 1) + " or " + next(depth - 1) + ")";
    default:
      return atom();
    }
  }

private:
  int roll(int sides) { return static_cast<int>(random_() % static_cast<unsigned>(sides)); }
  std::string number() { return std::to_string(roll(4)); }
  std::string task() { return std::array{"\"math\"", "\"code\"", "\"chat\""}[roll(3)]; }

  std::string atom() {
    const char* comparators[] = {"<=", "<", ">=", ">", "==", "!="};
    switch (roll(5)) {
    case 0:
      return std::string("task ") + comparators[4 + roll(2)] + " " + task();
    case 1:
      return "task in {" + task() + ", " + task() + "}";
    case 2:
      return "prompt_tokens in {" + number() + ", " + number() + "}";
    case 3:
      return std::string("temperature ") + comparators[roll(6)] + " " + number() + ".5";
    default:
      return std::string("prompt_tokens ") + comparators[roll(6)] + " " + number();
    }
  }

  std::mt19937 random_;
};

TEST(Requests, AgreesWithEveryRequestOfAGrid) {
  std::vector<Asked> grid;
  for (double tokens = 0; tokens < 6; ++tokens)
    for (double temperature = 0; temperature < 5; temperature += 0.25)
      for (const char* task : {"math", "code", "chat", ""})
        grid.push_back({tokens, temperature, task});
  RandomPredicate random(1);
  std::array<int, 2> seen{};
  for (int round = 0; round < 400; ++round) {
    Predicates predicates({random.next(), random.next(), random.next()});
    const std::vector<const Expr*>& all = predicates.all();
    bool exists = std::any_of(grid.begin(), grid.end(), [&](const Asked& request) {
      return meets(*all[0], request) && !meets(*all[1], request) && !meets(*all[2], request);
    });
    auto found = find(predicates.space(), {all.data(), 1}, {all.data() + 1, 2});
    EXPECT_EQ(found.answer, exists ? Decided::Yes : Decided::No)
        << print(*all[0]) << " without " << print(*all[1]) << " or " << print(*all[2]);
    ++seen[exists];
  }
  EXPECT_GT(seen[0], 50);
  EXPECT_GT(seen[1], 50);
}

/// What would take too long is not known, and that is said at once.
TEST(Requests, GivesUp) {
  std::vector<std::string> texts;
  for (int i = 0; i < 60; ++i)
    texts.push_back("prompt_tokens >= " + std::to_string(i) + " and position >= " +
                    std::to_string(100 - i) + " and response_tokens != " + std::to_string(i) +
                    " and batch_size != " + std::to_string(i + 1) + " and temperature != 0." +
                    std::to_string(i));
  Predicates predicates(texts);
  EXPECT_EQ(find(predicates.space(), {}, predicates.all()).answer, Decided::Unknown);
}

} // namespace
} // namespace tikc::tests
