#pragma once

#include "explain/Graph.h"
#include "explain/Layers.h"

#include <string>
#include <string_view>
#include <vector>

/// What pictures of graphs are made of.
namespace tikc::explain {

struct Line {
  std::string text;
  std::string_view style; // a class of the style sheet
};

/// Lines of text in a frame.
struct Box {
  std::vector<Line> lines;
  std::string title; // the whole text
  std::string_view style;
};

constexpr double lineHeight = 17;
/// Of a text in the letters of a box.
double widthOf(std::string_view text);

/// So much of a text as a line of a box has room for.
std::string cut(std::string_view text);
/// Adds one or two lines, parted at a space.
void addWrapped(Box& box, const std::string& text, std::string_view style);

/// The first line stands out.
Box boxOf(const Graph::Node& node);

LayerNode sizeOf(const Box& box);
std::string drawn(const Box& box, const LayerNode& node);
/// The label stands at the wire's end.
std::string drawn(const Wire& wire, std::string_view label, bool hasHead = true);

} // namespace tikc::explain
