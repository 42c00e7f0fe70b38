#include "explain/Formats.h"
#include "explain/Words.h"
#include "support/Escape.h"

#include <fmt/format.h>

namespace tikc::explain {
namespace {

constexpr std::string_view preamble = R"(digraph claims {
  rankdir=LR;
  fontname="Helvetica";
  node [shape=box, style="rounded,filled", fillcolor=white, fontname="Helvetica", fontsize=11];
  edge [color="#64748b"];
)";

std::string_view colour(bounds::Verdict verdict) {
  static constexpr std::string_view colours[] = {"#dcfce7", "#fee2e2", "#fef3c7"};
  return colours[static_cast<std::size_t>(verdict)];
}

std::string labelOf(const ChainStep& step) {
  std::string out = escape::dot(stepText(step)) + "\\n" + escape::dot(reasonText(step));
  return step.ground ? out + "\\n" + escape::dot(spotText(step.ground->spot)) : out;
}

std::string cluster(const Chapter& chapter, std::size_t number) {
  std::string place = whereText(chapter);
  std::string name = fmt::format("c{}", number);
  std::string out =
      fmt::format("  subgraph cluster_{} {{\n    label=\"{}{}{}\";\n    color=\"#94a3b8\";\n", name,
                  escape::dot(chapter.claim), place.empty() ? "" : " ", escape::dot(place));
  out += fmt::format("    {} [label=\"{}\\n{}\", fillcolor=\"{}\", penwidth=2];\n", name,
                     escape::dot(chapter.text), bounds::verdictName(chapter.verdict),
                     colour(chapter.verdict));
  if (chapter.result())
    out += fmt::format("    {0}_0 -> {0};\n", name);
  for (std::size_t i = 0; i < chapter.steps.size(); ++i) {
    const ChainStep& step = chapter.steps[i];
    out += fmt::format("    {}_{} [label=\"{}\"{}];\n", name, i, labelOf(step),
                       step.ground ? ", fillcolor=\"#e0f2fe\"" : "");
    for (const ChainStep::Premise& premise : step.premises)
      out +=
          fmt::format("    {0}_{1} -> {0}_{2}{3};\n", name, premise.step, i,
                      premise.times > 1 ? fmt::format(" [label=\"{} times\"]", premise.times) : "");
  }
  return out + "  }\n";
}

} // namespace

std::string dotGraph(std::span<const Explanation> explanations) {
  std::string out(preamble);
  std::size_t number = 0;
  for (const Explanation& explanation : explanations)
    for (const Chapter& chapter : explanation.chapters)
      out += cluster(chapter, number++);
  return out + "}\n";
}

} // namespace tikc::explain
