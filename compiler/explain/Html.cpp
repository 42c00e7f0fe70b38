#include "explain/Formats.h"
#include "explain/HtmlStyle.h"
#include "explain/Pictures.h"
#include "explain/Words.h"
#include "support/Escape.h"
#include "support/Utf8.h"

#include <fmt/format.h>

#include <set>

namespace tikc::explain {
namespace {

std::string code(std::string_view text) {
  return fmt::format("<code>{}</code>", escape::html(text));
}

std::string spotHtml(const std::optional<Spot>& spot) {
  return fmt::format("<span class=\"spot\">{}</span>", escape::html(spotText(spot)));
}

std::string lemmaLink(const bounds::Lemma& lemma) {
  return fmt::format("<a href=\"#{}\" title=\"{}\">{}</a>", escape::anchor(lemma.id),
                     escape::html(lemma.statement), escape::html(lemma.id));
}

std::string verdictMark(bounds::Verdict verdict) {
  return fmt::format("<span class=\"mark {0}\">{0}</span>", bounds::verdictName(verdict));
}

std::string chapterAnchor(std::size_t explanation, std::size_t chapter) {
  return fmt::format("claim-{}-{}", explanation, chapter);
}

std::string groundHtml(const Ground& ground) {
  return fmt::format("{} <b>{}</b> {} {}", kindName(ground.kind), escape::html(ground.name),
                     code(ground.text), spotHtml(ground.spot));
}

std::string becauseHtml(const std::optional<Ground>& ground) {
  return ground && !ground->because.empty()
             ? fmt::format("<span class=\"because\">{}</span>", escape::html(ground->because))
             : "";
}

/// The reason of a step, with links to the lemmas that it names.
std::string reasonHtml(const ChainStep& step) {
  if (step.ground)
    return groundHtml(*step.ground);
  std::string out = "by " + lemmaLink(step.curve ? *step.curve : *step.lemma);
  for (std::size_t i = 0; i < step.inputs.size(); ++i)
    out += fmt::format("{} {}", i == 0 ? " at" : ",",
                       code(fmt::format("{} = {}", step.inputs[i].name,
                                        number(step.inputs[i].value, bounds::Rounding::Up))));
  return step.curve ? out + ", on means by " + lemmaLink(*step.lemma) : out;
}

std::string foldHtml(const ChainStep& step) {
  std::string out;
  for (const FoldedStep& fold : step.folds)
    out += fmt::format("; from {} by {}", code(fold.from), lemmaLink(*fold.lemma));
  return out.empty() ? out : fmt::format("<span class=\"fold\">{}</span>", out);
}

class Page {
public:
  void add(const Explanation& explanation) {
    out_ += fmt::format("<header><h1>{} <small>{}</small></h1>\n",
                        escape::html(escape::oneLine(explanation.contract)),
                        escape::html(explanation.version));
    if (!explanation.summary.empty())
      out_ += fmt::format("<p class=\"lead\">{}</p>\n", escape::html(explanation.summary));
    if (explanation.isDraft)
      out_ += fmt::format("<p>{}</p>\n", draftText);
    out_ += fmt::format("<p class=\"spot\">{}</p></header>\n",
                        escape::html(utf8::printable(explanation.file)));
    if (explanation.chapters.empty())
      out_ += "<p>The contract has no claims to explain.</p>\n";
    else
      addOverview(explanation);
    for (std::size_t i = 0; i < explanation.chapters.size(); ++i)
      addChapter(explanation.chapters[i], chapterAnchor(explanations_, i));
    ++explanations_;
  }

  void addLemmas(std::span<const Explanation> explanations) {
    std::set<std::string_view> told;
    for (const Explanation& explanation : explanations)
      for (const bounds::Lemma* lemma : explanation.lemmas) {
        if (told.empty())
          out_ += "<section><h2>Lemmas</h2>\n";
        if (told.insert(lemma->id).second)
          addLemma(*lemma);
      }
    out_ += told.empty() ? "" : "</section>\n";
  }

  std::string take() { return std::move(out_); }

private:
  void addOverview(const Explanation& explanation) {
    out_ += "<div class=\"wide\"><table "
            "class=\"overview\"><thead><tr><th>Claim</th><th>Requires</th><th>Verdict</th><th>What "
            "follows</th>"
            "<th>Room</th></tr></thead><tbody>\n";
    for (std::size_t i = 0; i < explanation.chapters.size(); ++i) {
      const Chapter& chapter = explanation.chapters[i];
      std::string bound = chapter.result() ? code(stepText(*chapter.result())) : "nothing";
      std::string place = whereText(chapter);
      out_ += fmt::format(
          "<tr><td><a href=\"#{}\">{}</a> <span "
          "class=\"where\">{}</span></td><td>{}</td><td>{}</td><td>{}</td><td>{}</td></tr>\n",
          chapterAnchor(explanations_, i), escape::html(chapter.claim), escape::html(place),
          code(chapter.text), verdictMark(chapter.verdict), bound,
          escape::html(slackText(chapter)));
    }
    out_ += "</tbody></table></div>\n";
  }

  void addChapter(const Chapter& chapter, const std::string& id) {
    std::string place = whereText(chapter);
    out_ += fmt::format("<section id=\"{}\"><h2>{} <small>{}{}</small> {}</h2>\n", id,
                        escape::html(chapter.claim), escape::html(place),
                        chapter.link.empty() ? "" : escape::html(" " + chapter.link),
                        verdictMark(chapter.verdict));
    out_ += fmt::format("<p>{} {}</p>\n", code(chapter.text), spotHtml(chapter.spot));
    if (!chapter.because.empty())
      out_ += fmt::format("<p class=\"because\">{}</p>\n", escape::html(chapter.because));
    out_ += fmt::format("<p>{}.</p>\n", escape::html(verdictText(chapter)));
    auto lines = missingLines(chapter);
    out_ += lines.empty() ? "" : "<ul>\n";
    for (const std::string& line : lines)
      out_ += fmt::format("<li>{}</li>\n", escape::html(line));
    out_ += lines.empty() ? "" : "</ul>\n";
    if (chapter.witness)
      addWitness(*chapter.witness);
    if (chapter.result())
      addDerivation(chapter);
    addReaches(chapter);
    out_ += "</section>\n";
  }

  void addWitness(const bounds::Witness& witness) {
    out_ += "<h3>Kernels that break it</h3>\n<ul>\n";
    for (const std::string& line : bounds::populationLines(witness))
      out_ += fmt::format("<li>{}</li>\n", escape::html(line));
    out_ += "</ul>\n<div class=\"wide\"><table><thead><tr><th>Of these "
            "kernels</th><th>is</th><th>asked</th></tr></thead><tbody>\n";
    for (const bounds::Witness::Row& row : witness.rows)
      out_ += fmt::format("<tr><td>{}</td><td>{}</td><td>{}</td></tr>\n",
                          code(escape::oneLine(row.what)), bounds::valueText(row), code(row.limit));
    out_ += "</tbody></table></div>\n";
  }

  void addDerivation(const Chapter& chapter) {
    std::string described = fmt::format("how {} follows from the clauses", chapter.claim);
    Picture chain = drawChain(chapter);
    constexpr double least = 0.72; // of its size: smaller letters are hard to read
    out_ += fmt::format("<figure class=\"chain\" style=\"--least: "
                        "{:.0f}px\">{}</figure>\n<h3>Derivation</h3>\n<div class=\"tree\">\n",
                        chain.width * least, svgElement(chain, described));
    shown_.clear();
    addStep(chapter, 0, 1);
    out_ += "</div>\n";
    if (chapter.conditions.empty())
      return;
    out_ += "<h3>Assumptions</h3>\n<ul>\n";
    for (const Ground& ground : chapter.conditions)
      out_ += fmt::format("<li>{}</li>\n", groundHtml(ground));
    out_ += "</ul>\n";
  }

  void addStep(const Chapter& chapter, std::size_t index, unsigned times) {
    const ChainStep& step = chapter.steps[index];
    bool isKnown = !shown_.insert(index).second && !step.premises.empty();
    std::string why =
        isKnown ? "as above" : reasonHtml(step) + foldHtml(step) + becauseHtml(step.ground);
    std::string line =
        fmt::format("<span class=\"fact\" title=\"{}\">{}</span>{} <span class=\"why\">{}</span>",
                    escape::html(step.meaning), code(stepText(step)),
                    times > 1 ? fmt::format(" ({} times)", times) : "", why);
    if (isKnown || step.premises.empty()) {
      out_ += fmt::format("<div class=\"leaf{}\">{}</div>\n", step.ground ? " ground" : "", line);
      return;
    }
    out_ += fmt::format("<details open><summary>{}</summary>\n<p class=\"formula\">{}</p>\n", line,
                        escape::html((step.curve ? step.curve : step.lemma)->formula));
    for (const ChainStep::Premise& premise : step.premises)
      addStep(chapter, premise.step, premise.times);
    out_ += "</details>\n";
  }

  void addReaches(const Chapter& chapter) {
    if (chapter.isInfeasible)
      out_ += "<p>Infeasible at any tolerance: the budget is out of reach even where no clause "
              "leaves any drift.</p>\n";
    if (chapter.reaches.empty())
      return;
    out_ += "<h3>What it rests on</h3>\n<div "
            "class=\"wide\"><table><thead><tr><th>Clause</th><th>Says</th><th>Declared</th>"
            "<th>Largest with which it follows</th></tr></thead><tbody>\n";
    for (const Reach& reach : chapter.reaches)
      addReach(reach, chapter.isInfeasible);
    out_ += "</tbody></table></div>\n<div class=\"plots\">\n";
    for (const Reach& reach : chapter.reaches)
      if (!reach.isHorizon)
        out_ += fmt::format(
            "<figure><figcaption>{} against the tolerance of <b>{}</b>, "
            "{}</figcaption>{}</figure>\n",
            code(chapter.says), escape::html(reach.ground.name), code(reach.ground.text),
            svgElement(drawPlot(plotOf(chapter, reach)),
                       fmt::format("{} against {}", chapter.says, reach.ground.name)));
    out_ += "</div>\n";
  }

  void addReach(const Reach& reach, bool isInfeasible) {
    out_ += fmt::format(
        "<tr><td>{} {}</td><td>{}</td><td>{}</td><td>{}</td></tr>\n",
        escape::html(reach.ground.name), spotHtml(reach.ground.spot), code(reach.ground.text),
        escape::html(measured(reach.declared, reach.notation, bounds::Rounding::Up)),
        isInfeasible ? "none" : escape::html(reachText(reach)));
  }

  void addLemma(const bounds::Lemma& lemma) {
    out_ +=
        fmt::format("<article id=\"{}\"><h3>{}</h3>\n<p>{}</p>\n<p class=\"formula\">{}</p>\n<p "
                    "class=\"where\">Holds where: {}</p></article>\n",
                    escape::anchor(lemma.id), escape::html(lemma.id), escape::html(lemma.statement),
                    escape::html(lemma.formula), escape::html(lemma.hypotheses));
  }

  std::string out_;
  std::size_t explanations_ = 0;
  std::set<std::size_t> shown_;
};

} // namespace

std::string htmlPage(std::span<const Explanation> explanations) {
  Page page;
  for (const Explanation& explanation : explanations)
    page.add(explanation);
  page.addLemmas(explanations);
  std::string title =
      explanations.empty() ? "tikc" : escape::oneLine(explanations.front().contract);
  return fmt::format("<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                     "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
                     "style-src 'unsafe-inline'\">\n"
                     "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
                     "<meta name=\"color-scheme\" content=\"light dark\">\n<title>{}: why its "
                     "claims follow</title>\n"
                     "<style>{}{}</style>\n</head>\n<body>\n<main>\n{}</main>\n</body>\n</html>\n",
                     escape::html(title), pageStyle, pictureStyle(), page.take());
}

} // namespace tikc::explain
