#pragma once

#include "explain/Graph.h"
#include "explain/Layers.h"

#include <string>
#include <string_view>
#include <vector>

/// Parts that pictures of graphs share.
namespace tikc::explain {

struct Line {
  std::string text;
  std::string_view style; // a class of the style sheet
};

/// Lines of text in a frame.
struct Box {
  std::vector<Line> lines;
  std::string title; // the complete text
  std::string_view style;
};

constexpr double lineHeight = 17;
/// Returns the width of a text in a box.
double widthOf(std::string_view text);

/// Returns the part of a text that fits on a line of a box.
std::string cut(std::string_view text);
/// Adds a text as one or two lines, broken at a space.
void addWrapped(Box& box, const std::string& text, std::string_view style);

/// Returns a node's box, with an emphasised first line.
Box boxOf(const Graph::Node& node);

LayerNode sizeOf(const Box& box);
std::string drawn(const Box& box, const LayerNode& node);
/// Draws a wire with a label at its end.
std::string drawn(const Wire& wire, std::string_view label, bool hasHead = true);

} // namespace tikc::explain
