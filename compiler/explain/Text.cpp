#include "explain/Evidence.h"
#include "explain/Formats.h"
#include "explain/Words.h"
#include "support/Utf8.h"
#include "support/Wrap.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace tikc::explain {
namespace {

class TextTree {
public:
  explicit TextTree(const Chapter& chapter) : chapter_(chapter) {}

  std::string take() {
    line(0, 1, "  ", "  ");
    return std::move(out_);
  }

private:
  void line(std::size_t index, unsigned times, const std::string& head, const std::string& indent) {
    const ChainStep& step = chapter_.steps[index];
    bool isKnown = !shown_.insert(index).second;
    out_ += fmt::format("{}{}{}", head, stepText(step),
                        times > 1 ? fmt::format(" ({} times)", times) : "");
    if (isKnown && !step.premises.empty()) {
      out_ += "  as above\n";
      return;
    }
    out_ += fmt::format("  {}\n", whyText(step));
    for (std::size_t i = 0; i < step.premises.size(); ++i) {
      bool isLast = i + 1 == step.premises.size();
      line(step.premises[i].step, step.premises[i].times, indent + (isLast ? "└─ " : "├─ "),
           indent + (isLast ? "   " : "│  "));
    }
  }

  static std::string whyText(const ChainStep& step) {
    std::string out = "by " + reasonText(step);
    if (step.ground) {
      bool repeats = step.isGiven || stepText(step) == step.ground->text;
      std::string word = repeats ? "" : ": " + step.ground->text;
      out = fmt::format("{}{}, {}", reasonText(step), word, spotText(step.ground->spot));
    }
    return step.folds.empty() ? out : fmt::format("{}; {}", out, foldText(step));
  }

  const Chapter& chapter_;
  std::set<std::size_t> shown_;
  std::string out_;
};

std::string paragraph(std::string_view text, std::size_t indent) {
  return std::string(indent, ' ') + wrapped(text, indent, indent) + '\n';
}

std::string reachLines(const Chapter& chapter) {
  if (chapter.isInfeasible)
    return paragraph("Infeasible at any tolerance: the budget is out of reach even where no clause "
                     "leaves any drift.",
                     2);
  std::string out;
  for (const Reach& reach : chapter.reaches)
    out += fmt::format("    {:<24}  {} (declared: {}), {}\n", reach.ground.name, reachText(reach),
                       measured(reach.declared, reach.notation, bounds::Rounding::Up),
                       spotText(reach.ground.spot));
  return out.empty() ? out : "  The largest with which it follows, all else as it is:\n" + out;
}

std::string witnessBlock(const bounds::Witness& witness) {
  std::string out;
  for (const std::string& line : bounds::populationLines(witness))
    out += paragraph(line, 2);
  for (const bounds::Witness::Row& row : witness.rows)
    out += fmt::format("    {:<32}  {} (asked: {})\n", row.what, bounds::valueText(row), row.limit);
  return out;
}

std::string evidenceLines(const Chapter& chapter) {
  std::string out;
  for (const WeighedClaim& weighed : chapter.weighed) {
    out += fmt::format("  on this evidence, {}: {}\n", wayName(weighed.isAnytime),
                       weighedText(weighed, chapter));
    for (const std::string& line : statementLines(weighed))
      out += fmt::format("    {}\n", line);
  }
  return out;
}

std::string chapterText(const Chapter& chapter) {
  std::string place = whereText(chapter);
  std::string out =
      fmt::format("{}: {}{}{}\n", chapter.claim, chapter.text, place.empty() ? "" : " " + place,
                  chapter.link.empty() ? "" : fmt::format(" [{}]", chapter.link));
  out += fmt::format("  {}\n", spotText(chapter.spot));
  if (!chapter.because.empty())
    out += paragraph("because " + chapter.because, 2);
  out += paragraph((chapter.weighed.empty() ? "" : "by promise ") + verdictText(chapter), 2);
  out += evidenceLines(chapter);
  for (const std::string& line : missingLines(chapter))
    out += paragraph(line, 2);
  if (chapter.witness)
    out += "\n" + witnessBlock(*chapter.witness);
  if (chapter.result())
    out += "\n" + TextTree(chapter).take();
  if (!chapter.conditions.empty())
    out += "  assuming\n";
  for (const Ground& ground : chapter.conditions)
    out += fmt::format("    {}, {}\n", groundText(ground), spotText(ground.spot));
  std::string reach = reachLines(chapter);
  return out + (reach.empty() ? "" : "\n" + reach);
}

std::string explanationText(const Explanation& explanation) {
  std::string out =
      fmt::format("{}{}{}, {}\n", explanation.contract, explanation.version.empty() ? "" : " ",
                  explanation.version, utf8::printable(explanation.file));
  if (!explanation.summary.empty())
    out += wrapped(explanation.summary, 0, 0) + "\n";
  if (explanation.isDraft)
    out += wrapped(draftText, 0, 0) + "\n";
  if (explanation.chapters.empty())
    out += "\nThe contract has no claims to explain.\n";
  if (explanation.observed) {
    out += "\nEvidence\n";
    for (const std::string& line : observedLines(*explanation.observed))
      out += paragraph(line, 2);
  }
  for (const Chapter& chapter : explanation.chapters)
    out += "\n" + chapterText(chapter);
  if (!explanation.lemmas.empty())
    out += "\nLemmas\n";
  for (const bounds::Lemma* lemma : explanation.lemmas)
    out += fmt::format("  {}\n", lemma->id) + paragraph(lemma->statement, 4) +
           paragraph(lemma->formula, 4);
  return out;
}

} // namespace

std::string treeText(const Chapter& chapter) { return TextTree(chapter).take(); }

std::string text(std::span<const Explanation> explanations) {
  std::string out;
  for (const Explanation& explanation : explanations)
    out += (out.empty() ? "" : "\n\n") + explanationText(explanation);
  return out;
}

} // namespace tikc::explain
