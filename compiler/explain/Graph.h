#pragma once

#include "explain/Explanation.h"
#include "explain/Pictures.h"

#include <span>
#include <string>
#include <vector>

/// The parts of a contract as boxes and arrows; every format draws the same graph.
namespace tikc::explain {

struct Graph {
  enum class Look : std::uint8_t { Plain, Ground, Proved, Refuted, Unproved };
  struct Node {
    std::vector<std::string> lines; // the first is the node's name
    Look look = Look::Plain;
    std::size_t column = 0;
    bool isAside = false; // for stages: a fallback
  };
  /// An arrow forward, or back to the node's own column or an earlier one.
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

/// Returns the word for a look, such as "proved".
std::string_view lookName(Graph::Look look);

/// Returns a graph from slices to their clauses, and on to the claims whose proofs rest on these.
Graph clauseGraph(const model::Contract& contract, const Explanation& explanation);
/// Returns each rule as a state machine: idle, its steps, and back.
std::vector<Graph> ruleGraphs(const model::Contract& contract);
/// Returns the promotion stages, their requirements, and the targets of rollbacks. Has no nodes if
/// the contract has no stages.
Graph stageGraph(const model::Contract& contract);

std::string graphDot(std::span<const Graph> graphs);
std::string graphMermaid(std::span<const Graph> graphs);
Picture drawStages(const Graph& graph);
std::string graphSvg(std::span<const Graph> graphs, std::string_view described);

} // namespace tikc::explain
