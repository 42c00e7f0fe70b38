#include "bounds/certificate/Certificate.h"
#include "pipeline/Pipeline.h"
#include "property/RandomContract.h"
#include "tools/Rounds.h"

#include <gtest/gtest.h>

namespace tikc::tests {
namespace {

/// All that a check says: findings with their fixes, and the derivations.
std::string saidOf(const std::string& text, std::shared_ptr<pipeline::CheckCache> cache) {
  SourceManager sources;
  project::Settings settings;
  FileId file = sources.add("a.tikc.yaml", {}, text);
  pipeline::Checker checker(sources, settings, {}, std::move(cache));
  pipeline::CheckedFile checked = checker.check(file);
  std::string out;
  for (const diag::Diagnostic& found : checked.diagnostics) {
    out += fmt::format("{} {}-{} {}\n", diag::info(found.code).id, found.span.begin, found.span.end,
                       found.message);
    for (const std::string& note : found.notes)
      out += "  " + note + "\n";
    for (const diag::Fix& fix : found.fixes)
      for (const Edit& edit : fix.edits)
        out += fmt::format("  {} {}-{} {}\n", fix.title, edit.span.begin, edit.span.end, edit.text);
  }
  for (std::size_t i = 0; i < checked.contracts.size(); ++i)
    if (checked.proofs[i])
      out += bounds::certificate(sources, checked.contracts[i], *checked.proofs[i]);
  return out;
}

/// As somebody types: another digit for one, a line more above all, a claim out of reach.
std::string edited(Dice& dice, std::string text) {
  std::vector<std::size_t> digits;
  for (std::size_t i = text.find("numerical:"); i < text.size(); ++i)
    if (text[i] >= '1' && text[i] <= '9')
      digits.push_back(i);
  if (!digits.empty() && dice.chance(0.8))
    text[dice.pick(digits)] = static_cast<char>('1' + dice.roll(9));
  if (dice.chance(0.3))
    text.insert(0, "# a comment moves every place\n");
  return text;
}

TEST(CheckCache, ChangesNoAnswer) {
  auto cache = std::make_shared<pipeline::CheckCache>();
  std::size_t withClaims = 0;
  for (unsigned seed = 0; seed < rounds(60); ++seed) {
    Dice dice(seed);
    std::string text = Generator(dice).take().text;
    for (int i = 0; i < 6; ++i, text = edited(dice, text)) {
      std::string fresh = saidOf(text, nullptr);
      ASSERT_EQ(saidOf(text, cache), fresh) << "seed " << seed << "\n" << text;
      withClaims += fresh.find("TK61") != std::string::npos;
    }
  }
  EXPECT_GT(withClaims, rounds(100)); // advice was given, and remembered
}

} // namespace
} // namespace tikc::tests
