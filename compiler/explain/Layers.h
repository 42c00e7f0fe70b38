#pragma once

#include <cstddef>
#include <vector>

/// Lays out an acyclic graph in layers: sources at the left, every wire from left to right.
namespace tikc::explain {

struct LayerNode {
  double width = 0, height = 0;
  double x = 0, y = 0; // the upper left corner, set by layOut()
  std::size_t layer = 0;
};

struct Wire {
  std::size_t from = 0, to = 0;
  struct Bend {
    double x = 0, y = 0;
  };
  std::vector<Bend> bends; // from the right side of a node to the left side of another
};

struct Layout {
  double width = 0, height = 0;
  std::vector<LayerNode> nodes;
  std::vector<Wire> wires;
};

/// Wires run from a node to an earlier one: the last nodes are premises, the first is the
/// conclusion.
Layout layOut(std::vector<LayerNode> nodes, std::vector<Wire> wires);

} // namespace tikc::explain
