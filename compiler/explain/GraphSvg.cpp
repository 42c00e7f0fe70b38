#include "explain/Boxes.h"
#include "explain/Graph.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace tikc::explain {
namespace {

/// All wires lead to the right: what leads back leads to a box that stands for the one it means,
/// and a label is a box of its own between two columns.
class GraphDrawing {
public:
  explicit GraphDrawing(const Graph& graph) : graph_(graph) {
    for (const Graph::Edge& edge : graph.edges)
      hasLabels_ |= !edge.label.empty();
    for (const Graph::Node& node : graph.nodes)
      last_ = std::max(last_, node.column);
  }

  Picture take() {
    for (const Graph::Node& node : graph_.nodes)
      add(boxOf(node), layerOf(node.column));
    for (const Graph::Edge& edge : graph_.edges)
      connect(edge);
    Layout layout = layOut(std::move(nodes_), std::move(wires_));
    Picture out{layout.width, layout.height, {}};
    for (std::size_t i = 0; i < layout.wires.size(); ++i)
      out.body += drawn(layout.wires[i], "", hasHead_[i]);
    for (std::size_t i = 0; i < boxes_.size(); ++i)
      out.body += drawn(boxes_[i], layout.nodes[i]);
    return out;
  }

private:
  std::size_t layerOf(std::size_t column) const { return hasLabels_ ? 2 * column : column; }

  std::size_t add(Box box, std::size_t layer) {
    nodes_.push_back(sizeOf(box));
    nodes_.back().layer = layer;
    boxes_.push_back(std::move(box));
    return boxes_.size() - 1;
  }

  void wire(std::size_t from, std::size_t to) {
    wires_.push_back({from, to, {}});
    hasHead_.push_back(boxes_[to].style != "label");
  }

  void connect(const Graph::Edge& edge) {
    bool isBack = graph_.isBack(edge);
    std::size_t layer = layerOf(isBack ? last_ + 1 : graph_.nodes[edge.to].column);
    std::size_t to = edge.to;
    if (isBack) {
      auto [known, fresh] = again_.try_emplace(edge.to, 0);
      if (fresh)
        known->second = add(boxOf(graph_.nodes[edge.to]), layer);
      to = known->second;
    }
    if (edge.label.empty())
      return wire(edge.from, to);
    auto [known, fresh] = labels_.try_emplace({to, edge.label}, 0);
    if (fresh) {
      Box box{{}, edge.label, "label"};
      addWrapped(box, edge.label, "plain");
      known->second = add(std::move(box), layer - 1);
      wire(known->second, to);
    }
    wire(edge.from, known->second);
  }

  const Graph& graph_;
  bool hasLabels_ = false;
  std::size_t last_ = 0;
  std::vector<Box> boxes_;
  std::vector<LayerNode> nodes_;
  std::vector<Wire> wires_;
  std::vector<bool> hasHead_;
  std::map<std::size_t, std::size_t> again_; // boxes at the right, by the nodes they stand for
  std::map<std::pair<std::size_t, std::string>, std::size_t> labels_;
};

} // namespace

std::string graphSvg(std::span<const Graph> graphs, std::string_view described) {
  std::vector<Plate> plates;
  for (const Graph& graph : graphs)
    plates.push_back(
        {graph.title, graph.isOfStages ? drawStages(graph) : GraphDrawing(graph).take()});
  return svgOf(plates, described);
}

} // namespace tikc::explain
