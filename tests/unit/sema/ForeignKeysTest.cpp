#include "unit/Checked.h"

#include "model/Metrics.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

/// Keys that people bring from engines: what is written for them says each key once, and is safe
/// only where they can mean nothing else.
namespace tikc::tests {
namespace {

using model::AliasInfo;
using model::AliasOf;

/// A contract whose trainer has the lines, in braces or as a block.
std::string trainerWith(const std::vector<std::string>& lines, bool inBraces) {
  std::string map = inBraces ? " { " : "\n";
  for (const std::string& line : lines)
    map += inBraces ? fmt::format("{}{}", &line == &lines.front() ? "" : ", ", line)
                    : fmt::format("    {}\n", line);
  return "tikc: v1\ncontract: test\nversion: 1.0.0\nkernels:\n  trainer:" + map +
         (inBraces ? " }\n" : "") +
         "  rollout: { engine: vllm }\npair: { train: trainer, infer: rollout }\n";
}

std::vector<std::string> codes(const std::string& text) {
  std::vector<std::string> out;
  for (const std::string& found : Checked(text).findings())
    out.push_back(found.substr(0, 6));
  return out;
}

/// Applies safe fixes, one at a time, until there is none.
std::string mended(std::string text) {
  for (int round = 0; round < 10; ++round) {
    const diag::Fix* safe = nullptr;
    Checked checked(text);
    for (const diag::Diagnostic& found : checked.diagnostics())
      for (const diag::Fix& fix : found.fixes)
        safe = !safe && fix.safe ? &fix : safe;
    if (!safe)
      return text;
    text = applied(text, *safe);
    EXPECT_THAT(codes(text), testing::Not(testing::Contains("TK1002"))) << text;
  }
  ADD_FAILURE() << "it never ends: " << text;
  return text;
}

bool isSureAndNested(const AliasInfo& row) {
  return row.kind == AliasOf::KernelKey && row.isSame &&
         row.instead.find('.') != std::string_view::npos;
}

TEST(ForeignKeys, NoTwoOfThemBringOneMapTwice) {
  for (const AliasInfo& one : model::aliases())
    for (const AliasInfo& other : model::aliases()) {
      if (!isSureAndNested(one) || !isSureAndNested(other) || one.instead == other.instead)
        continue;
      std::string first = fmt::format("{}: 1", one.written);
      std::string second = fmt::format("{}: 1", other.written);
      for (bool inBraces : {true, false})
        for (const auto& lines :
             {std::vector<std::string>{first, second, "engine: x"},
              {"engine: x", first, "weights: bf16", second},
              {first, "parallel: { cp: 2 }", "engine: x", second, "sampling: { min_p: 0 }"}}) {
          if (lines.size() == 5 &&
              (one.instead == "parallel.cp" || one.instead == "sampling.min_p"))
            continue; // said already
          if (lines.size() == 5 &&
              (other.instead == "parallel.cp" || other.instead == "sampling.min_p"))
            continue;
          std::string after = mended(trainerWith(lines, inBraces));
          EXPECT_THAT(codes(after), testing::IsEmpty()) << after;
          Checked checked(after);
          ASSERT_EQ(checked.contracts().size(), 1u);
        }
    }
}

TEST(ForeignKeys, OneMapIsOneFindingAndOneEdit) {
  EXPECT_THAT(codes(trainerWith({"engine: x", "tp: 8", "pp: 2", "dp_size: 3"}, true)),
              testing::ElementsAre("TK2001"));
  EXPECT_THAT(codes(trainerWith({"engine: x", "tp: 8", "temperature: 1", "pp: 2"}, false)),
              testing::ElementsAre("TK2001", "TK2001"));
}

TEST(ForeignKeys, CommentsStay) {
  std::string block =
      mended(trainerWith({"tp: 8 # eight", "engine: x", "pp: 2", "dp: 4 # four"}, false));
  EXPECT_NE(block.find("parallel: { tp: 8, pp: 2 } # eight"), std::string::npos) << block;
  EXPECT_NE(block.find("dp: 4 # four"), std::string::npos) << block;
  std::string into =
      mended(trainerWith({"engine: x", "parallel:", "  cp: 2 # two", "tp: 8"}, false));
  EXPECT_NE(into.find("      tp: 8\n      cp: 2 # two\n"), std::string::npos) << into;
}

std::vector<diag::Fix> fixesOfTopK(const std::string& beside) {
  Checked checked(trainerWith({"engine: x", beside, "top_k: 8"}, true));
  for (const diag::Diagnostic& found : checked.diagnostics())
    if (checked.text(found.span) == "top_k")
      return found.fixes;
  return {};
}

TEST(ForeignKeys, TokensAndExpertsBothHaveATopK) {
  for (auto [beside, first] : {std::pair{"weights: bf16", "write sampling.top_k"},
                               {"temperature: 1", "write sampling.temperature, sampling.top_k"},
                               {"sampling: { top_p: 1 }", "write sampling.top_k"},
                               {"experts: 128", "write experts_per_token"},
                               {"num_moe_experts: 128", "write experts_per_token"}}) {
    auto fixes = fixesOfTopK(beside);
    ASSERT_EQ(fixes.size(), 2u) << beside;
    EXPECT_EQ(fixes[0].title, first);
    EXPECT_FALSE(fixes[0].safe || fixes[1].safe);
  }
}

TEST(ForeignKeys, NothingIsSaidTwice) {
  for (std::string_view twice : {"kv_cache: bf16, kv_cache_dtype: bf16", "tp: 8, tp_size: 8",
                                 "parallel: { tp: 8 }, tp: 8"}) {
    Checked checked(trainerWith({"engine: x", std::string(twice)}, true));
    const diag::Diagnostic& last = checked.diagnostics().back();
    EXPECT_TRUE(last.fixes.empty()) << twice;
    ASSERT_EQ(last.related.size(), 1u) << twice;
    EXPECT_TRUE(last.related[0].message.ends_with("is already here")) << twice;
  }
}

TEST(ForeignKeys, AreKnownWhereTheyBelongToo) {
  Checked checked(
      trainerWith({"engine: x", "parallel: { tensor_model_parallel_size: 8, sp: 2 }"}, true));
  ASSERT_EQ(checked.diagnostics().size(), 2u);
  EXPECT_EQ(checked.diagnostics()[0].fixes.at(0).title, "write tp");
  EXPECT_TRUE(checked.diagnostics()[1].fixes.empty()) << "sp is no slip of tp";
}

} // namespace
} // namespace tikc::tests
