#include "explain/Boxes.h"
#include "explain/Graph.h"
#include "support/Escape.h"

#include <fmt/format.h>

#include <algorithm>

namespace tikc::explain {
namespace {

constexpr double room = 12;

/// The parts of a label, one a line.
std::vector<std::string> linesOf(std::string_view label) {
  std::vector<std::string> out;
  for (std::size_t end = 0; end != std::string_view::npos;) {
    end = label.find(", ");
    out.push_back(cut(label.substr(0, end)));
    label.remove_prefix(std::min(label.size(), end + 2));
  }
  return out;
}

std::string textAt(double x, double y, std::string_view style, std::string_view text) {
  return fmt::format("<text class=\"{}\" x=\"{:.1f}\" y=\"{:.1f}\">{}</text>\n", style, x, y,
                     escape::html(text));
}

/// An arrow up or down.
std::string arrow(double x, double from, double to) {
  return fmt::format("<path class=\"wire\" d=\"M{0:.1f} {1:.1f} V{2:.1f}\"/>"
                     "<path class=\"head\" d=\"M{0:.1f} {3:.1f} l-4 {4} h8 z\"/>\n",
                     x, from, from < to ? to - 7 : to + 7, to, from < to ? -8 : 8);
}

/// The stages one below the other, and what they fall back on beside them.
class Column {
public:
  explicit Column(const Graph& graph) : graph_(graph) {
    for (const Graph::Node& node : graph.nodes) {
      boxes_.push_back(boxOf(node));
      places_.push_back(sizeOf(boxes_.back()));
    }
  }

  Picture take() {
    place();
    for (std::size_t i = 0; i < boxes_.size(); ++i)
      out_.body += drawn(boxes_[i], places_[i]);
    bool isNamed = false;
    for (const Graph::Edge& edge : graph_.edges) {
      if (!graph_.nodes[edge.to].isAside) {
        addArrow(edge);
        continue;
      }
      const LayerNode &from = places_[edge.from], &to = places_[edge.to];
      out_.body += drawn(Wire{edge.from,
                              edge.to,
                              {{from.x + from.width, from.y + from.height / 2},
                               {left_ + right_, from.y + from.height / 2}, // beyond all labels
                               {to.x, to.y + to.height / 2}}},
                         "");
      if (!isNamed)
        out_.body += textAt(to.x, to.y - 8, "plain", cut(edge.label));
      isNamed = true;
    }
    return std::move(out_);
  }

private:
  void place() {
    double backs = 0, columnWidth = 0;
    std::vector<double> gaps(graph_.nodes.size(), 0);
    for (std::size_t i = 0; i < places_.size(); ++i)
      if (!graph_.nodes[i].isAside)
        columnWidth = std::max(columnWidth, places_[i].width);
    for (const Graph::Edge& edge : graph_.edges) {
      if (graph_.nodes[edge.to].isAside)
        continue;
      std::vector<std::string> lines = linesOf(edge.label);
      double longest = 0;
      for (const std::string& line : lines)
        longest = std::max(longest, widthOf(line));
      bool isBack = edge.to < edge.from;
      double& side = isBack ? backs : right_;
      side = std::max(side, longest);
      double& gap = gaps[std::min(edge.from, edge.to)];
      gap = std::max(gap, lineHeight * static_cast<double>(lines.size()) + 2 * room);
    }
    left_ = std::max(0.0, backs + room - backAt);
    right_ = std::max(columnWidth, onwardAt + room + right_);
    double y = 0;
    for (std::size_t i = 0; i < places_.size(); ++i) {
      LayerNode& at = places_[i];
      if (graph_.nodes[i].isAside) {
        constexpr double between = 56;
        double named = 0;
        for (const Graph::Edge& edge : graph_.edges)
          if (edge.to == i)
            named = std::max(named, widthOf(cut(edge.label)));
        at.x = left_ + right_ + between;
        at.y = std::max(2 * lineHeight, (y - at.height) / 2);
        out_.width = at.x + std::max(at.width, named);
        out_.height = std::max(y, at.y + at.height);
        return;
      }
      at.x = left_;
      at.y = y;
      at.width = columnWidth;
      y += at.height + gaps[i];
    }
    out_.width = left_ + right_;
    out_.height = y;
  }

  void addArrow(const Graph::Edge& edge) {
    bool isBack = edge.to < edge.from;
    const LayerNode &upper = places_[std::min(edge.from, edge.to)],
                    &lower = places_[std::max(edge.from, edge.to)];
    double gapTop = upper.y + upper.height, x = left_ + (isBack ? backAt : onwardAt);
    out_.body += isBack ? arrow(x, lower.y, gapTop) : arrow(x, gapTop, lower.y);
    double y = gapTop + room + lineHeight - 4;
    for (const std::string& line : linesOf(edge.label)) {
      out_.body +=
          isBack ? textAt(x - room, y, "plain end", line) : textAt(x + room, y, "plain", line);
      y += lineHeight;
    }
  }

  static constexpr double backAt = 24, onwardAt = 60;

  const Graph& graph_;
  std::vector<Box> boxes_;
  std::vector<LayerNode> places_;
  double left_ = 0, right_ = 0; // where the column begins, and how wide it is with its labels
  Picture out_;
};

} // namespace

Picture drawStages(const Graph& graph) { return Column(graph).take(); }

} // namespace tikc::explain
