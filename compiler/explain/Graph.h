#pragma once

#include "explain/Explanation.h"
#include "explain/Pictures.h"

#include <span>
#include <string>
#include <vector>

/// A contract's parts as boxes and arrows, as plain data: each format draws the same.
namespace tikc::explain {

struct Graph {
  enum class Look : std::uint8_t { Plain, Ground, Proved, Refuted, Unproved };
  struct Node {
    std::vector<std::string> lines; // the first is its name
    Look look = Look::Plain;
    std::size_t column = 0;
    bool isAside = false; // of stages: what they fall back on
  };
  /// Back to its own column or one before it, or onward.
  struct Edge {
    std::size_t from = 0, to = 0;
    std::string label;
  };

  std::string title;
  bool isOfStages = false; // drawn from top to bottom
  std::vector<Node> nodes;
  std::vector<Edge> edges;

  bool isBack(const Edge& edge) const { return nodes[edge.to].column <= nodes[edge.from].column; }
};

/// "proved" of what looks so.
std::string_view lookName(Graph::Look look);

/// From slices to the clauses that are about them, and on to the claims whose proofs rest on those.
Graph clauseGraph(const model::Contract& contract, const Explanation& told);
/// Each rule as the machine that it is: idle, its steps, and back.
std::vector<Graph> ruleGraphs(const model::Contract& contract);
/// The promotion stages, what each asks before the next, and where a rollback leads. Without nodes
/// where the contract has none.
Graph stageGraph(const model::Contract& contract);

std::string graphDot(std::span<const Graph> graphs);
std::string graphMermaid(std::span<const Graph> graphs);
Picture drawStages(const Graph& graph);
std::string graphSvg(std::span<const Graph> graphs, std::string_view described);

} // namespace tikc::explain
