#include "explain/Boxes.h"

#include "support/Escape.h"
#include "support/Utf8.h"

#include <fmt/format.h>

#include <algorithm>

namespace tikc::explain {

using utf8::cells;

namespace {

constexpr double padding = 12;
constexpr std::size_t widest = 38; // characters of a line
// A monospaced letter of 12 px takes 7.2; some fonts a little more.
constexpr double linkLetter = 7.4;

} // namespace

double widthOf(std::string_view text) { return static_cast<double>(cells(text)) * linkLetter; }

/// An ellipsis stands for the rest.
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

void addWrapped(Box& box, const std::string& text, std::string_view style) {
  std::size_t space = text.rfind(' ', std::min(widest, text.size()));
  if (cells(text) <= widest || space == std::string::npos || space == 0) {
    box.lines.push_back({cut(text), style});
    return;
  }
  box.lines.push_back({cut(text.substr(0, space)), style});
  box.lines.push_back({cut(text.substr(space + 1)), style});
}

Box boxOf(const Graph::Node& node) {
  Box out;
  out.style = lookName(node.look);
  for (const std::string& line : node.lines) {
    addWrapped(out, line, out.lines.empty() ? "strong" : "plain");
    out.title += (out.title.empty() ? "" : "\n") + line;
  }
  return out;
}

LayerNode sizeOf(const Box& box) {
  LayerNode out;
  for (const Line& line : box.lines)
    out.width = std::max(out.width, widthOf(line.text));
  out.width += 2 * padding;
  out.height = static_cast<double>(box.lines.size()) * lineHeight + 2 * padding - 6;
  return out;
}

std::string drawn(const Box& box, const LayerNode& node) {
  std::string out =
      fmt::format("<g class=\"box {}\"><title>{}</title><rect x=\"{:.1f}\" y=\"{:.1f}\" "
                  "width=\"{:.1f}\" height=\"{:.1f}\" rx=\"7\"/>",
                  box.style, escape::html(box.title), node.x, node.y, node.width, node.height);
  double y = node.y + padding + 9;
  for (const Line& line : box.lines) {
    out += fmt::format("<text class=\"{}\" x=\"{:.1f}\" y=\"{:.1f}\">{}</text>", line.style,
                       node.x + padding, y, escape::html(line.text));
    y += lineHeight;
  }
  return out + "</g>\n";
}

std::string drawn(const Wire& wire, std::string_view label, bool hasHead) {
  const double head = hasHead ? 7 : 0;
  std::string path = fmt::format("M{:.1f} {:.1f}", wire.bends.front().x, wire.bends.front().y);
  for (std::size_t i = 1; i < wire.bends.size(); ++i) {
    const auto &a = wire.bends[i - 1], &b = wire.bends[i];
    double end = b.x - (i + 1 == wire.bends.size() ? head : 0), middle = (a.x + end) / 2;
    path += fmt::format(" C{:.1f} {:.1f} {:.1f} {:.1f} {:.1f} {:.1f}", middle, a.y, middle, b.y,
                        end, b.y);
  }
  const auto& tip = wire.bends.back();
  std::string out = fmt::format("<path class=\"wire\" d=\"{}\"/>", path);
  if (hasHead)
    out += fmt::format("<path class=\"head\" d=\"M{:.1f} {:.1f} l-8 -4 v8 z\"/>", tip.x, tip.y);
  if (!label.empty())
    out += fmt::format("<text class=\"faint end\" x=\"{:.1f}\" y=\"{:.1f}\">{}</text>", tip.x - 12,
                       tip.y - 6, escape::html(label));
  return out + "\n";
}

} // namespace tikc::explain
