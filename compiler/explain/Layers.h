#pragma once

#include <cstddef>
#include <vector>

/// A layered drawing of an acyclic graph: sources at the left, every wire from left to right.
namespace tikc::explain {

struct LayerNode {
  double width = 0, height = 0;
  double x = 0, y = 0; // the upper left corner, once laid out
  std::size_t layer = 0;
};

struct Wire {
  std::size_t from = 0, to = 0;
  struct Bend {
    double x = 0, y = 0;
  };
  std::vector<Bend> bends; // from the right side of one node to the left side of the other
};

struct Layout {
  double width = 0, height = 0;
  std::vector<LayerNode> nodes;
  std::vector<Wire> wires;
};

/// Wires run from a node to one that comes before it: the last nodes are premises, the first is
/// what follows from them all.
Layout layOut(std::vector<LayerNode> nodes, std::vector<Wire> wires);

} // namespace tikc::explain
