#include "driver/reference/Catalogue.h"
#include "driver/Commands.h"
#include "pipeline/Pipeline.h"
#include "support/Names.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

namespace tikc::driver {
namespace {

using model::Shape;

constexpr std::string_view head = R"(tikc: v1
contract: sample
version: 1.0.0
kernels:
  trainer: { engine: fsdp2 }
  rollout: { engine: vllm }
  safe: { engine: vllm }
pair: { train: trainer, infer: rollout }
labels: { task: [math, code, chat] }
)";

constexpr std::string_view clauses =
    R"(numerical: { worst_drift: max(logit_osc) <= 1, gap: max(tv) <= 0.5 }
)";

constexpr std::string_view observed = R"(observability:
  rows: sample(logits, 1%)
  tokens: sample(logprobs, 1%)
  requests: sample(requests, 1%)
  replays: replay(batch, 1%)
)";

/// A contract with the sample where its shape belongs.
std::string contractWith(Shape shape, std::string_view sample) {
  std::string quoted = fmt::format("'{}'", sample);
  std::string out(head);
  switch (shape) {
  case Shape::ContractName:
    return fmt::format("tikc: v1\ncontract: {}\n{}", quoted, head.substr(head.find("version")));
  case Shape::SemanticVersion:
    return out.replace(out.find("1.0.0"), 5, quoted);
  case Shape::Fraction:
    return out + fmt::format("promotion: {{ canary: {{ traffic: {} }} }}\n", quoted);
  case Shape::Duration:
    return out + fmt::format("promotion: {{ canary: {{ lasts: {} }} }}\n", quoted);
  case Shape::TokenCount:
    return out + fmt::format("model: {{ horizon: {} }}\n", quoted);
  case Shape::SequenceCount:
    return out + fmt::format("promotion: {{ canary: {{ sequences: {} }} }}\n", quoted);
  case Shape::Window:
    return out +
           fmt::format("numerical: {{ a: {{ require: mean(tv) <= 0.5, over: {} }} }}\n", quoted);
  case Shape::Rate:
    return out + fmt::format("load: {{ tokens: {} }}\n", quoted);
  case Shape::Requirement:
    return out + fmt::format("statistical: {{ a: {} }}\n", quoted);
  case Shape::Predicate:
    return out + fmt::format("slices: {{ a: {{ when: {} }} }}\n", quoted);
  case Shape::Trigger:
    return out + std::string(clauses) +
           fmt::format("escalation: {{ r: {{ when: {}, do: hold }} }}\n", quoted);
  case Shape::Correction:
    return out + fmt::format("assumptions: {{ correction: {} }}\n", quoted);
  case Shape::Action:
    return out + std::string(clauses) +
           fmt::format("escalation: {{ r: {{ when: violated(any), do: {} }} }}\n", quoted);
  case Shape::Directive:
    return out + fmt::format("observability: {{ a: {}, b: 'sample(logprobs, 1%)' }}\n", quoted);
  default:
    return {};
  }
}

TEST(Samples, HaveNoErrorWhereTheyBelong) {
  std::size_t checked = 0;
  for (unsigned shape = 0; shape <= static_cast<unsigned>(Shape::Contract); ++shape)
    for (std::string_view sample : samplesOf(static_cast<Shape>(shape))) {
      std::string text = contractWith(static_cast<Shape>(shape), sample);
      ASSERT_FALSE(text.empty()) << sample << " has no place in this test";
      if (static_cast<Shape>(shape) != Shape::Directive)
        text += observed;
      SourceManager sources;
      project::Settings settings;
      pipeline::Checker checker(sources, settings);
      for (const auto& found : checker.check(sources.add("sample.tikc.yaml", {}, text)).diagnostics)
        EXPECT_NE(found.severity, diag::Severity::Error) << sample << ": " << found.message << "\n"
                                                         << text;
      ++checked;
    }
  EXPECT_GE(checked, 40u);
}

TEST(Samples, EveryKindOfExpressionHasOne) {
  for (Shape shape : {Shape::Requirement, Shape::Predicate, Shape::Trigger, Shape::Correction,
                      Shape::Action, Shape::Directive})
    EXPECT_FALSE(samplesOf(shape).empty()) << model::info(shape).what;
}

TEST(Words, EachHasAMeaning) {
  std::size_t words = 0;
  for (unsigned shape = 0; shape <= static_cast<unsigned>(Shape::Contract); ++shape)
    for (std::string_view word : splitWords(model::info(static_cast<Shape>(shape)).words)) {
      EXPECT_FALSE(meaningOf(static_cast<Shape>(shape), word).empty()) << word;
      ++words;
    }
  EXPECT_GE(words, 20u);
}

TEST(CommandTable, NamesAreUniqueAndDefaultsAreAmongTheWords) {
  for (const CommandInfo& command : commands()) {
    std::set<std::string_view> names;
    for (const OptionInfo& row : options()) {
      if (row.command != command.command)
        continue;
      EXPECT_TRUE(names.insert(row.longName()).second) << row.names;
      if (!row.shortName().empty()) {
        EXPECT_TRUE(names.insert(row.shortName()).second) << row.names;
      }
      auto words = splitWords(row.words);
      if (!words.empty() && !row.fallback.empty()) {
        EXPECT_NE(std::find(words.begin(), words.end(), row.fallback), words.end()) << row.names;
      }
    }
  }
}

} // namespace
} // namespace tikc::driver
