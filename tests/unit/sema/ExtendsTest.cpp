#include "support/Files.h"
#include "unit/Checked.h"
#include "unit/ScratchFolder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tikc::tests {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

/// A folder of files, checked with itself as the root.
class Extends : public testing::Test {
protected:
  void SetUp() override { fs::create_directory(folder_); }

  void write(const fs::path& name, const std::string& text) {
    fs::create_directories((folder_ / name).parent_path());
    ASSERT_FALSE(static_cast<bool>(writeFile(folder_ / name, text)));
  }

  pipeline::CheckedFile check(const fs::path& name) {
    auto text = readFile(folder_ / name, Limits{});
    settings_.root = folder_;
    FileId file = sources_.add(name.string(), folder_ / name, text->text);
    return pipeline::Checker(sources_, settings_).check(file);
  }

  std::vector<std::string> findings(const fs::path& name) {
    std::vector<std::string> out;
    for (const diag::Diagnostic& found : check(name).diagnostics)
      out.push_back(std::string(diag::info(found.code).id) + " " +
                    sources_.get(found.span.file).name + " `" +
                    std::string(sources_.text(found.span)) + "`");
    return out;
  }

  tests::ScratchFolder scratch_;
  fs::path folder_ = scratch_.path() / "root";
  SourceManager sources_;
  project::Settings settings_;
};

std::string base(const std::string& tail) {
  return "tikc: v1\ncontract: base\nabstract: true\nversion: 1.0.0\nkernels:\n  trainer: { engine: "
         "fsdp2 }\n  rollout: { engine: vllm }\n"
         "pair: { train: trainer, infer: rollout }\n" +
         tail;
}
std::string child(const std::string& parent, const std::string& tail) {
  return "tikc: v1\ncontract: child\nextends: " + parent + "\n" + tail;
}

TEST_F(Extends, MergesMapsAndReplacesListsAndClauses) {
  write("base.tikc.yaml",
        base("owners: [a, b]\n"
             "slices:\n  long: { when: prompt_tokens >= 8192, weight: 20% }\n"
             "numerical:\n  drift: { require: max(logit_osc) <= 1, because: measured }\n" +
             observed()));
  write("team/child.tikc.yaml",
        child("../base.tikc.yaml",
              "owners: [c]\n"
              "kernels:\n  rollout: { kv_cache: fp8_e4m3 }\n"
              "slices:\n  long: { weight: 30% }\n  short: { when: prompt_tokens < 64 }\n"
              "numerical:\n  drift: max(logit_osc) <= 2\n"
              "escalation:\n  silent: null\n"));
  auto result = check("team/child.tikc.yaml");
  ASSERT_EQ(result.contracts.size(), 1u);
  EXPECT_THAT(model::print(result.contracts[0]),
              HasSubstr("contract: \"child\"\nversion: \"1.0.0\"\nowners: [\"c\"]\nkernels:\n"
                        "  trainer:\n    engine: \"fsdp2\"\n"
                        "  rollout:\n    engine: \"vllm\"\n    kv_cache: \"fp8_e4m3\"\n"));
  EXPECT_THAT(
      model::print(result.contracts[0]),
      HasSubstr("slices:\n  long:\n    when: \"prompt_tokens >= 8192\"\n    weight: \"30%\"\n"
                "  short:\n    when: \"prompt_tokens < 64\"\n"));
  EXPECT_THAT(model::print(result.contracts[0]),
              HasSubstr("numerical:\n  drift:\n    require: \"max(logit_osc) <= 2\"\nobs"));
  EXPECT_EQ(result.contracts[0].rules.size(), 1u);
  EXPECT_FALSE(result.contracts[0].isAbstract);
}

TEST_F(Extends, AConditionAloneIsAMapWithIt) {
  auto slicesOf = [&](const std::string& parent, const std::string& own) {
    write("base.tikc.yaml", base("slices:\n  long: " + parent + "\n" + observed()));
    write("child.tikc.yaml", child("base.tikc.yaml", "slices:\n  long: " + own + "\n"));
    auto result = check("child.tikc.yaml");
    EXPECT_EQ(result.contracts.size(), 1u);
    std::string out = result.contracts.empty() ? "" : model::print(result.contracts[0]);
    out.erase(0, out.find("slices:"));
    return out.substr(0, out.find("observability:"));
  };
  const std::string when = "slices:\n  long:\n    when: \"prompt_tokens >= 64\"\n",
                    weight = "    weight: \"30%\"\n";
  EXPECT_EQ(slicesOf("prompt_tokens >= 64", "{ weight: 30% }"), when + weight);
  EXPECT_EQ(slicesOf("{ when: prompt_tokens >= 8, weight: 30% }", "prompt_tokens >= 64"),
            when + weight);
  EXPECT_EQ(slicesOf("prompt_tokens >= 8", "prompt_tokens >= 64"), when);
  EXPECT_EQ(slicesOf("prompt_tokens >= 8", "null"), "");
}

TEST_F(Extends, FindingsNameTheFileThatHoldsTheText) {
  write("base.tikc.yaml", base("numerical:\n  drift: max(logit_ocs) <= 1\n" + observed()));
  write("child.tikc.yaml", child("base.tikc.yaml", "modle: {}\n"));
  EXPECT_THAT(findings("child.tikc.yaml"),
              ElementsAre("TK2001 child.tikc.yaml `modle`", "TK5001 base.tikc.yaml `logit_ocs`"));
}

TEST_F(Extends, PlacesStayExactInFoldedTextOfAParent) {
  write("base.tikc.yaml",
        base("numerical:\n  a: >\n    p99(tv) <= 0.1 and\n    max(logit_ocs) <= 1\n" + observed()));
  write("child.tikc.yaml", child("base.tikc.yaml", ""));
  EXPECT_THAT(findings("child.tikc.yaml"), ElementsAre("TK5001 base.tikc.yaml `logit_ocs`"));
}

TEST_F(Extends, AParentsSuppressionsHoldForItsChildren) {
  write("base.tikc.yaml",
        base("numerical:\n  # tikc: allow TK4002 -- a reminder\n  drift: mean(tv) <= 1\n" +
             observed()));
  write("child.tikc.yaml", child("base.tikc.yaml", ""));
  EXPECT_THAT(findings("child.tikc.yaml"), IsEmpty());
  EXPECT_THAT(findings("base.tikc.yaml"), IsEmpty());
}

TEST_F(Extends, AChildSaysItselfWhetherItIsADraft) {
  const std::string claim = "claims: { a: tv <= 0.1 }\n";
  write("base.tikc.yaml", base("draft: true\n" + observed()));
  write("whole.tikc.yaml", child("base.tikc.yaml", claim));
  write("draft.tikc.yaml", child("base.tikc.yaml", "draft: true\n" + claim));
  auto severity = [&](const char* name) { return check(name).diagnostics.at(0).severity; };
  EXPECT_THAT(findings("whole.tikc.yaml"), ElementsAre("TK6101 whole.tikc.yaml `tv <= 0.1`"));
  EXPECT_EQ(severity("whole.tikc.yaml"), diag::Severity::Error);
  EXPECT_THAT(findings("draft.tikc.yaml"), ElementsAre("TK6101 draft.tikc.yaml `tv <= 0.1`"));
  EXPECT_EQ(severity("draft.tikc.yaml"), diag::Severity::Warning);
  // A child that is whole makes no draft of its own child.
  write("below.tikc.yaml", child("draft.tikc.yaml", ""));
  EXPECT_FALSE(check("below.tikc.yaml").contracts.at(0).draft);
}

TEST_F(Extends, AChildMustBeWhole) {
  write("base.tikc.yaml", "tikc: v1\ncontract: base\nabstract: true\n");
  write("child.tikc.yaml", child("base.tikc.yaml", ""));
  EXPECT_THAT(findings("child.tikc.yaml"),
              ElementsAre("TK2002 child.tikc.yaml `tikc`", "TK2002 child.tikc.yaml `tikc`",
                          "TK2007 child.tikc.yaml `tikc`"));
}

/// Whatever a parent is, a child that is nothing by itself never passes, nor does the next one.
TEST_F(Extends, NoTextMakesAChildPass) {
  for (const char* text : {"root:x:0:0:root:/root:/bin/bash\ndaemon:x:1:1\n",
                           "a scalar\n",
                           "42\n",
                           "true\n",
                           "~\n",
                           "null\n",
                           "",
                           "# nothing\n",
                           "---\n",
                           "--- \n...\n",
                           "[a, b]\n",
                           "- a\n- b\n",
                           "[]\n",
                           "{}\n",
                           "''\n",
                           "{ a: 1 }\n",
                           "a: [\n",
                           "\"open\n",
                           "\t- a\n",
                           "\xff\xfe",
                           "*nobody\n",
                           "&a [*a]\n",
                           "!!binary aGk=\n",
                           "? [a]\n: b\n",
                           "| \n text\n",
                           "<<: { tikc: v1 }\n",
                           "%YAML 9.9\n--- a\n",
                           "extends: base.tikc.yaml\n",
                           "tikc: v2\n",
                           "tikc: v1\n"}) {
    write("base.tikc.yaml", text);
    settings_.root = folder_;
    pipeline::Checker checker(sources_, settings_);
    for (const char* name : {"one.tikc.yaml", "two.tikc.yaml"}) {
      FileId file = sources_.add(name, folder_ / name, child("base.tikc.yaml", ""));
      auto checked = checker.check(file);
      bool hasError = std::any_of(
          checked.diagnostics.begin(), checked.diagnostics.end(),
          [](const diag::Diagnostic& each) { return each.severity == diag::Severity::Error; });
      EXPECT_TRUE(hasError) << name << " extends\n" << text;
    }
  }
}

TEST_F(Extends, AParentOfAnotherLanguageVersionIsNotRead) {
  std::string whole = base(observed());
  write("base.tikc.yaml", whole.replace(whole.find("v1"), 2, "v2"));
  write("child.tikc.yaml", child("base.tikc.yaml", ""));
  EXPECT_THAT(findings("child.tikc.yaml"), ElementsAre("TK2004 base.tikc.yaml `v2`"));
}

/// Nor is any part of a parent passed over where the child has it, too.
TEST_F(Extends, WhatAChildReplacesIsReadToo) {
  std::string whole = base(observed()).replace(base("").find("abstract: true\n"), 15, "");
  ASSERT_THAT(whole, testing::Not(HasSubstr("abstract")));
  write("whole.tikc.yaml", whole);
  for (const char* section :
       {"kernels", "pair", "numerical", "statistical", "runtime", "observability", "claims",
        "slices", "assumptions", "model", "load", "labels", "escalation", "promotion"})
    for (const char* text : {" [a]\n", " |\n  a: b\n", " a text\n", "\n  - a: b\n", " 7\n"}) {
      std::string said = section + std::string(":") + text;
      write("base.tikc.yaml", "tikc: v1\ncontract: base\nabstract: true\n" + said);
      std::string own = whole.substr(whole.find("version"));
      if (own.find(std::string(section) + ":") == std::string::npos)
        own += std::string(section) + ": {}\n";
      write("child.tikc.yaml", child("base.tikc.yaml", own));
      EXPECT_THAT(findings("child.tikc.yaml"), testing::Contains(HasSubstr("base.tikc.yaml")))
          << said;
    }
}

TEST_F(Extends, PicksAContractOfAFile) {
  write("bases.tikc.yaml", base("") + "---\n" + "tikc: v1\ncontract: other\nabstract: true\n");
  write("good.tikc.yaml", child("bases.tikc.yaml#base", ""));
  write("vague.tikc.yaml", child("bases.tikc.yaml", ""));
  write("wrong.tikc.yaml", child("bases.tikc.yaml#bse", ""));
  write("same.tikc.yaml", base("") + "---\n" + child("'#base'", ""));
  EXPECT_THAT(findings("good.tikc.yaml"), IsEmpty());
  EXPECT_THAT(findings("vague.tikc.yaml"), ElementsAre("TK5023 vague.tikc.yaml `bases.tikc.yaml`"));
  EXPECT_THAT(findings("wrong.tikc.yaml"),
              ElementsAre("TK5022 wrong.tikc.yaml `bases.tikc.yaml#bse`"));
  EXPECT_THAT(findings("same.tikc.yaml"), IsEmpty());
}

TEST_F(Extends, StaysInsideTheRoot) {
  write("../secret.tikc.yaml", base(""));
  fs::create_symlink("../secret.tikc.yaml", folder_ / "link.tikc.yaml");
  write("up.tikc.yaml", child("../secret.tikc.yaml", ""));
  write("link-child.tikc.yaml", child("link.tikc.yaml", ""));
  write("absolute.tikc.yaml", child("/etc/passwd", ""));
  write("missing.tikc.yaml", child("nowhere.tikc.yaml", ""));
  EXPECT_THAT(findings("up.tikc.yaml"), ElementsAre("TK5020 up.tikc.yaml `../secret.tikc.yaml`"));
  EXPECT_THAT(findings("link-child.tikc.yaml"),
              ElementsAre("TK5020 link-child.tikc.yaml `link.tikc.yaml`"));
  EXPECT_THAT(findings("absolute.tikc.yaml"),
              ElementsAre("TK5020 absolute.tikc.yaml `/etc/passwd`"));
  EXPECT_THAT(findings("missing.tikc.yaml"),
              ElementsAre("TK5019 missing.tikc.yaml `nowhere.tikc.yaml`"));
}

TEST_F(Extends, WhatAnHeirBringsNamesTheHeir) {
  std::string rule = "numerical: { a: max(tv) <= 0.1 }\n"
                     "escalation: { r: { when: violated(a), do: rollback } }\n";
  write("base.tikc.yaml", base(rule));
  std::string without = child("base.tikc.yaml", "numerical: { a: null, b: max(tv) <= 0.1 }\n");
  write("other.tikc.yaml", without);
  write("same.tikc.yaml",
        base(rule) + "---\n" + child("'#base'", "numerical: { a: null, b: max(tv) <= 0.1 }\n"));
  for (const char* name : {"other.tikc.yaml", "same.tikc.yaml"}) {
    auto found = check(name).diagnostics;
    auto names = std::find_if(found.begin(), found.end(), [](const diag::Diagnostic& each) {
      return each.code == diag::Code::UnknownClause;
    });
    ASSERT_NE(names, found.end()) << name;
    ASSERT_EQ(names->related.size(), 1u) << name;
    EXPECT_EQ(names->related[0].message, "found in `child`, which extends it");
    EXPECT_EQ(sources_.get(names->related[0].span.file).name, name);
  }
}

TEST_F(Extends, WhatRemovesIsWrittenOut) {
  std::string rest = "observability: { rows: 'sample(logits, 1%)' }\n"
                     "escalation: { r: { when: violated(any), do: rollback }, s: { when: "
                     "undecided(any), do: rollback } }\n";
  write("base.tikc.yaml",
        base("numerical: { a: max(tv) <= 0.1, b: max(logit_linf) <= 5 }\n" + rest));
  write("none.tikc.yaml", "tikc: v1\ncontract: none\nextends:\n");
  write("empty.tikc.yaml", child("base.tikc.yaml", "numerical:\n  a:\n"));
  write("section.tikc.yaml", child("base.tikc.yaml", "numerical:\n"));
  write("fresh.tikc.yaml", child("base.tikc.yaml", "numerical:\n  c:\n"));
  write("deep.tikc.yaml", child("base.tikc.yaml", "slices:\n  long: { when: , weight: 20% }\n"));
  write("slip.tikc.yaml", child("base.tikc.yaml", "numerical: { aa: null }\n"));
  write("null.tikc.yaml",
        child("base.tikc.yaml", "numerical: { a: null, b: max(logit_linf) <= 6 }\n"));
  EXPECT_THAT(findings("none.tikc.yaml"), ElementsAre("TK2003 none.tikc.yaml ``"));
  EXPECT_THAT(findings("empty.tikc.yaml"), ElementsAre("TK2008 empty.tikc.yaml `a`"));
  EXPECT_THAT(findings("section.tikc.yaml"), ElementsAre("TK2008 section.tikc.yaml `numerical`"));
  EXPECT_THAT(findings("fresh.tikc.yaml"), ElementsAre("TK2003 fresh.tikc.yaml ``"));
  EXPECT_THAT(findings("deep.tikc.yaml"), ElementsAre("TK2003 deep.tikc.yaml ``"));
  EXPECT_THAT(findings("slip.tikc.yaml"), ElementsAre("TK2009 slip.tikc.yaml `aa`"));
  EXPECT_THAT(findings("null.tikc.yaml"), IsEmpty());
}

TEST_F(Extends, AParentThatExtendsNothingIsNotWhole) {
  write("base.tikc.yaml", "tikc: v1\ncontract: base\nabstract: true\nextends:\n");
  write("child.tikc.yaml", child("base.tikc.yaml", ""));
  EXPECT_THAT(findings("child.tikc.yaml"), ElementsAre("TK2003 base.tikc.yaml ``"));
}

TEST_F(Extends, CyclesEnd) {
  write("a.tikc.yaml", "tikc: v1\ncontract: a\nextends: b.tikc.yaml\n");
  write("b.tikc.yaml", "tikc: v1\ncontract: b\nextends: a.tikc.yaml\n");
  write("self.tikc.yaml", "tikc: v1\ncontract: a\nextends: self.tikc.yaml\n");
  EXPECT_THAT(findings("a.tikc.yaml"), ElementsAre("TK5021 a.tikc.yaml `b.tikc.yaml`"));
  EXPECT_THAT(findings("self.tikc.yaml"), ElementsAre("TK5021 self.tikc.yaml `self.tikc.yaml`"));
}

TEST_F(Extends, ChainsAreBounded) {
  for (int i = 0; i < 40; ++i)
    write("c" + std::to_string(i) + ".tikc.yaml",
          child("c" + std::to_string(i + 1) + ".tikc.yaml", ""));
  write("c40.tikc.yaml", base(""));
  EXPECT_THAT(findings("c0.tikc.yaml"), ElementsAre("TK0012 c16.tikc.yaml `c17.tikc.yaml`"));
  EXPECT_THAT(findings("c30.tikc.yaml"), IsEmpty());
}

} // namespace
} // namespace tikc::tests
