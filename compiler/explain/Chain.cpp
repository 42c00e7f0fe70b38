#include "explain/Boxes.h"
#include "explain/Pictures.h"
#include "explain/Words.h"
#include "support/Utf8.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

namespace tikc::explain {

namespace {

Box boxOf(const ChainStep& step) {
  Box out;
  out.style = step.ground ? "ground" : "step";
  addWrapped(out, stepText(step), "strong");
  addWrapped(out, reasonText(step), "plain");
  out.title = fmt::format("{}\n{}", stepText(step), reasonText(step));
  if (step.ground) {
    const auto& spot = step.ground->spot;
    std::string place =
        spot ? fmt::format("{}:{}:{}",
                           utf8::printable(std::filesystem::path(spot->file).filename().string()),
                           spot->at.line, spot->at.column)
             : spotText(spot);
    out.lines.push_back({cut(place), "faint"});
    out.title += fmt::format("\n{}\n{}", step.ground->text, spotText(spot));
  }
  if (!step.folds.empty())
    out.lines.push_back({cut(foldText(step)), "faint"});
  return out;
}

Box boxOf(const Chapter& chapter) {
  Box out;
  out.style = bounds::verdictName(chapter.verdict);
  out.lines.push_back({cut(chapter.claim), "plain"});
  addWrapped(out, chapter.text, "strong");
  out.lines.push_back({std::string(bounds::verdictName(chapter.verdict)), "word"});
  if (std::string slack = slackText(chapter); !slack.empty())
    addWrapped(out, slack, "faint");
  out.title = fmt::format("{}: {}\n{}", chapter.claim, chapter.text, verdictText(chapter));
  return out;
}

} // namespace

Picture drawChain(const Chapter& chapter, SeenOf observations) {
  auto withSeen = [&](Box box, const Ground* ground) {
    if (const std::string text = observations ? observations(ground) : std::string();
        !text.empty()) {
      addWrapped(box, text, "seen");
      box.title += "\n" + text;
    }
    return box;
  };
  std::vector<Box> boxes = {withSeen(boxOf(chapter), nullptr)};
  std::vector<Wire> wires;
  std::vector<unsigned> times;
  if (chapter.result()) {
    wires.push_back({1, 0, {}});
    times.push_back(1);
  }
  for (std::size_t i = 0; i < chapter.steps.size(); ++i) {
    const ChainStep& step = chapter.steps[i];
    boxes.push_back(step.ground ? withSeen(boxOf(step), &*step.ground) : boxOf(step));
    for (const ChainStep::Premise& premise : chapter.steps[i].premises) {
      wires.push_back({premise.step + 1, i + 1, {}});
      times.push_back(premise.times);
    }
  }
  std::vector<LayerNode> nodes;
  nodes.reserve(boxes.size());
  for (const Box& box : boxes)
    nodes.push_back(sizeOf(box));
  Layout layout = layOut(std::move(nodes), std::move(wires));
  Picture out{layout.width, layout.height, {}};
  for (std::size_t i = 0; i < layout.wires.size(); ++i)
    out.body += drawn(layout.wires[i], times[i] > 1 ? fmt::format("{} times", times[i]) : "");
  for (std::size_t i = 0; i < boxes.size(); ++i)
    out.body += drawn(boxes[i], layout.nodes[i]);
  return out;
}

} // namespace tikc::explain
