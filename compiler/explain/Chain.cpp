#include "explain/Escape.h"
#include "explain/Layers.h"
#include "explain/Pictures.h"
#include "explain/Words.h"
#include "support/Utf8.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

namespace tikc::explain {
namespace {

constexpr double lineHeight = 17, padding = 12;
constexpr std::size_t widest = 38; // characters of a line
// A monospaced letter of 12 px takes 7.2; some fonts a little more.
constexpr double linkLetter = 7.4;

struct Line {
  std::string text;
  std::string_view style; // a class of the style sheet
};

struct Box {
  std::vector<Line> lines;
  std::string title; // the whole text
  std::string_view style;
};

std::size_t cells(std::string_view text) {
  std::size_t out = 0;
  while (auto next = utf8::decode(text)) {
    out += static_cast<std::size_t>(utf8::displayWidth(next->character));
    text.remove_prefix(next->bytes);
  }
  return out;
}

/// At most so many cells; an ellipsis stands for the rest.
std::string cut(std::string_view text) {
  if (cells(text) <= widest)
    return std::string(text);
  std::string out;
  while (auto next = utf8::decode(text)) {
    if (cells(out) + 2 > widest)
      break;
    out += text.substr(0, next->bytes);
    text.remove_prefix(next->bytes);
  }
  return out + "…";
}

/// One or two lines, parted at a space.
void addWrapped(Box& box, const std::string& text, std::string_view style) {
  std::size_t space = text.rfind(' ', std::min(widest, text.size()));
  if (cells(text) <= widest || space == std::string::npos || space == 0) {
    box.lines.push_back({cut(text), style});
    return;
  }
  box.lines.push_back({cut(text.substr(0, space)), style});
  box.lines.push_back({cut(text.substr(space + 1)), style});
}

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

LayerNode sizeOf(const Box& box) {
  std::size_t longest = 0;
  for (const Line& line : box.lines)
    longest = std::max(longest, cells(line.text));
  LayerNode out;
  out.width = static_cast<double>(longest) * linkLetter + 2 * padding;
  out.height = static_cast<double>(box.lines.size()) * lineHeight + 2 * padding - 6;
  return out;
}

std::string drawn(const Box& box, const LayerNode& node) {
  std::string out =
      fmt::format("<g class=\"box {}\"><title>{}</title><rect x=\"{:.1f}\" y=\"{:.1f}\" "
                  "width=\"{:.1f}\" height=\"{:.1f}\" rx=\"7\"/>",
                  box.style, html(box.title), node.x, node.y, node.width, node.height);
  double y = node.y + padding + 9;
  for (const Line& line : box.lines) {
    out += fmt::format("<text class=\"{}\" x=\"{:.1f}\" y=\"{:.1f}\">{}</text>", line.style,
                       node.x + padding, y, html(line.text));
    y += lineHeight;
  }
  return out + "</g>\n";
}

std::string drawn(const Wire& wire, unsigned times) {
  constexpr double head = 7;
  std::string path = fmt::format("M{:.1f} {:.1f}", wire.bends.front().x, wire.bends.front().y);
  for (std::size_t i = 1; i < wire.bends.size(); ++i) {
    const auto &a = wire.bends[i - 1], &b = wire.bends[i];
    double end = b.x - (i + 1 == wire.bends.size() ? head : 0), middle = (a.x + end) / 2;
    path += fmt::format(" C{:.1f} {:.1f} {:.1f} {:.1f} {:.1f} {:.1f}", middle, a.y, middle, b.y,
                        end, b.y);
  }
  const auto& tip = wire.bends.back();
  std::string out = fmt::format(
      "<path class=\"wire\" d=\"{}\"/><path class=\"head\" d=\"M{:.1f} {:.1f} l-8 -4 v8 z\"/>",
      path, tip.x, tip.y);
  if (times > 1)
    out += fmt::format("<text class=\"faint end\" x=\"{:.1f}\" y=\"{:.1f}\">{} times</text>",
                       tip.x - 12, tip.y - 6, times);
  return out + "\n";
}

} // namespace

Picture drawChain(const Chapter& chapter) {
  std::vector<Box> boxes = {boxOf(chapter)};
  std::vector<Wire> wires;
  std::vector<unsigned> times;
  if (chapter.result()) {
    wires.push_back({1, 0, {}});
    times.push_back(1);
  }
  for (std::size_t i = 0; i < chapter.steps.size(); ++i) {
    boxes.push_back(boxOf(chapter.steps[i]));
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
    out.body += drawn(layout.wires[i], times[i]);
  for (std::size_t i = 0; i < boxes.size(); ++i)
    out.body += drawn(boxes[i], layout.nodes[i]);
  return out;
}

} // namespace tikc::explain
