#include "Analysed.h"

#include "ide/actions/Actions.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tikc::ide::testing {
namespace {

/// An editor with nothing but the text that is asked about.
class Alone : public Supposing {
public:
  bool isThere(const std::filesystem::path&) const override { return false; }
  Analysis suppose(const std::filesystem::path&, std::string text,
                   const std::map<std::filesystem::path, std::string>&) const override {
    return *Analysed(std::move(text));
  }
};

std::vector<CodeAction> actions(const Analysed& of, std::set<ActionKind> kinds) {
  Alone supposing;
  ActionRequest request{
      *of, {}, {0, static_cast<std::uint32_t>(of.text().size())}, kinds, {}, false, supposing};
  for (const diag::Diagnostic& found : of->checked.diagnostics)
    request.findings.push_back(&found);
  return actionsFor(request);
}

const Analysed& misspelt() {
  static const Analysed of(
      "tikc: v1\ncontract: a\nversion: 1.0.0\nmodel: { Horizon: 64 tokens }\n");
  return of;
}

TEST(Actions, OfAFindingEndIt) {
  for (const CodeAction& action : actions(misspelt(), {ActionKind::QuickFix})) {
    if (!action.finding || action.finding->code != diag::Code::UnknownKey)
      continue;
    EditSet set;
    ASSERT_TRUE(set.add(std::get<std::vector<Edit>>(action.does)));
    Analysed after(set.apply(misspelt()->file, misspelt().text()));
    for (const diag::Diagnostic& found : after->checked.diagnostics)
      EXPECT_NE(found.code, diag::Code::UnknownKey) << action.title;
    return;
  }
  FAIL() << "nothing was offered";
}

TEST(Actions, AreOfTheKindsThatWereAskedFor) {
  for (ActionKind kind :
       {ActionKind::QuickFix, ActionKind::FixAll, ActionKind::Rewrite, ActionKind::Extract})
    for (const CodeAction& action : actions(misspelt(), {kind}))
      EXPECT_EQ(action.kind, kind) << action.title;
  EXPECT_TRUE(actions(misspelt(), {}).empty());
  EXPECT_EQ(actions(misspelt(), {ActionKind::FixAll}).size(), 1U);
}

TEST(Actions, ReplaceNoMoreThanTheLinesThatDiffer) {
  Edit edit = wholeEdit(FileId{}, "a\nb\nc\nd\n", "a\nB\nc\nd\n");
  EXPECT_EQ(edit.span.begin, 2U);
  EXPECT_EQ(edit.span.end, 4U);
  EXPECT_EQ(edit.text, "B\n");
}

} // namespace
} // namespace tikc::ide::testing
