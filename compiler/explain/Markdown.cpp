#include "explain/Evidence.h"
#include "explain/Formats.h"
#include "explain/Words.h"
#include "support/Escape.h"

#include <fmt/format.h>

#include <set>

namespace tikc::explain {
namespace {

class MarkdownPage {
public:
  explicit MarkdownPage(const std::filesystem::path& folder) : folder_(folder) {}

  void add(const Explanation& explanation) {
    out_ += out_.empty() ? "" : "\n";
    out_ +=
        fmt::format("# {}{}{}\n", escape::markdown(escape::oneLine(explanation.contract)),
                    explanation.version.empty() ? "" : " ", escape::markdown(explanation.version));
    if (!explanation.summary.empty())
      out_ += fmt::format("\n{}\n", escape::markdown(explanation.summary));
    if (explanation.isDraft)
      out_ += fmt::format("\n{}\n", draftText);
    if (explanation.chapters.empty())
      out_ += "\nThe contract has no claims to explain.\n";
    else
      addOverview(explanation);
    if (explanation.observed)
      addObserved(*explanation.observed);
    for (const Chapter& chapter : explanation.chapters)
      addChapter(chapter);
    addLemmas(explanation);
  }

  std::string take() { return std::move(out_); }

private:
  /// `name` as a link to its line; plain without a place.
  std::string linked(const std::string& label, const std::optional<Spot>& spot) const {
    if (!spot)
      return escape::markdown(label);
    std::filesystem::path path = spot->file;
    if (!folder_.empty()) {
      std::error_code ignored;
      auto here =
          std::filesystem::absolute(path, ignored)
              .lexically_relative(std::filesystem::absolute(folder_, ignored).lexically_normal());
      path = here.empty() ? path : here;
    }
    return fmt::format("[{}]({}#L{})", escape::markdown(label),
                       escape::linkPath(path.generic_string()), spot->at.line);
  }

  void addOverview(const Explanation& explanation) {
    out_ += "\n| claim | requires | where | verdict | bound | room |\n|---|---|---|---|---|---|\n";
    for (const Chapter& chapter : explanation.chapters) {
      std::string bound =
          chapter.result() ? escape::markdownCode(stepText(*chapter.result())) : "none";
      std::string place = whereText(chapter);
      out_ += fmt::format("| {} | {} | {} | **{}** | {} | {} |\n",
                          linked(chapter.claim, chapter.spot), escape::markdownCode(chapter.text),
                          escape::markdown(place.empty() ? "everywhere" : place),
                          bounds::verdictName(chapter.verdict), bound,
                          escape::markdown(slackText(chapter)));
    }
  }

  void addChapter(const Chapter& chapter) {
    std::string place = whereText(chapter);
    out_ += fmt::format("\n## {}{}{}\n", escape::markdown(chapter.claim), place.empty() ? "" : " ",
                        escape::markdown(place));
    out_ += fmt::format("\n{} at {}{}\n\n**{}**\n", escape::markdownCode(chapter.text),
                        linked(spotText(chapter.spot), chapter.spot),
                        chapter.because.empty() ? "" : ": " + escape::markdown(chapter.because),
                        escape::markdown(verdictText(chapter)));
    for (const std::string& line : missingLines(chapter))
      out_ += fmt::format("\n- {}\n", escape::markdown(line));
    addWeighed(chapter);
    if (chapter.witness)
      addWitness(*chapter.witness);
    if (chapter.result()) {
      out_ += "\n";
      shown_.clear();
      addStep(chapter, 0, 1, 0);
    }
    if (!chapter.conditions.empty())
      out_ += "\nAssuming:\n\n";
    for (const Ground& ground : chapter.conditions)
      out_ += fmt::format("- {}\n", leaf(ground));
    addReaches(chapter);
  }

  void addObserved(const Observations& observed) {
    out_ += "\n## Evidence\n";
    for (const std::string& line : observedLines(observed))
      out_ += fmt::format("\n{}\n", escape::markdown(line));
  }

  void addWeighed(const Chapter& chapter) {
    for (const WeighedClaim& weighed : chapter.weighed) {
      out_ += fmt::format("\n**On this evidence, {}**: {}\n\n", wayName(weighed.isAnytime),
                          escape::markdown(weighedText(weighed, chapter)));
      for (const std::string& line : statementLines(weighed))
        out_ += fmt::format("- {}\n", escape::markdown(line));
    }
  }

  void addWitness(const bounds::Witness& witness) {
    for (const std::string& line : bounds::populationLines(witness))
      out_ += fmt::format("\n{}\n", escape::markdown(line));
    out_ += "\n| of these kernels | is | asked |\n|---|---|---|\n";
    for (const bounds::Witness::Row& row : witness.rows)
      out_ += fmt::format("| {} | {} | {} |\n", escape::markdownCode(escape::oneLine(row.what)),
                          bounds::valueText(row), escape::markdownCode(row.limit));
  }

  std::string leaf(const Ground& ground) const {
    std::string out = fmt::format("{} {}", kindName(ground.kind), linked(ground.name, ground.spot));
    if (!ground.text.empty())
      out += ": " + escape::markdownCode(ground.text);
    return ground.because.empty() ? out
                                  : fmt::format("{} ({})", out, escape::markdown(ground.because));
  }

  void addStep(const Chapter& chapter, std::size_t index, unsigned times, unsigned depth) {
    const ChainStep& step = chapter.steps[index];
    bool isKnown = !shown_.insert(index).second && !step.premises.empty();
    std::string why = isKnown       ? "as above"
                      : step.ground ? leaf(*step.ground)
                                    : "by " + escape::markdown(reasonText(step));
    if (!isKnown && !step.folds.empty())
      why += "; " + escape::markdown(foldText(step));
    out_ += fmt::format("{}- {}{}, {}\n", std::string(2 * depth, ' '),
                        escape::markdownCode(stepText(step)),
                        times > 1 ? fmt::format(" ({} times)", times) : "", why);
    if (isKnown)
      return;
    for (const ChainStep::Premise& premise : step.premises)
      addStep(chapter, premise.step, premise.times, depth + 1);
  }

  void addReaches(const Chapter& chapter) {
    if (chapter.isInfeasible) {
      out_ += "\nInfeasible at any tolerance: the budget is out of reach even where no clause "
              "leaves any drift.\n";
      return;
    }
    if (chapter.reaches.empty())
      return;
    out_ +=
        "\n| it rests on | declared | the largest with which it still follows |\n|---|---|---|\n";
    for (const Reach& reach : chapter.reaches)
      out_ += fmt::format(
          "| {} | {} | {} |\n", linked(reach.ground.name, reach.ground.spot),
          escape::markdown(measured(reach.declared, reach.notation, bounds::Rounding::Up)),
          escape::markdown(reachText(reach)));
  }

  void addLemmas(const Explanation& explanation) {
    if (explanation.lemmas.empty())
      return;
    out_ += "\n## Lemmas\n\n| lemma | says | formula |\n|---|---|---|\n";
    for (const bounds::Lemma* lemma : explanation.lemmas)
      out_ += fmt::format("| {} | {} | {} |\n", lemma->id, escape::markdown(lemma->statement),
                          escape::markdownCode(lemma->formula));
  }

  const std::filesystem::path& folder_;
  std::set<std::size_t> shown_;
  std::string out_;
};

} // namespace

std::string markdownPage(std::span<const Explanation> explanations,
                         const std::filesystem::path& folder) {
  MarkdownPage page(folder);
  for (const Explanation& explanation : explanations)
    page.add(explanation);
  return page.take();
}

} // namespace tikc::explain
