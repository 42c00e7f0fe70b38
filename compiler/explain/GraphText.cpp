#include "explain/Graph.h"
#include "support/Escape.h"

#include <fmt/format.h>

#include <array>

namespace tikc::explain {
namespace {

/// By Graph::Look: a box and its frame.
struct Shade {
  std::string_view fill, edge;
};
constexpr std::array<Shade, 5> shades = {{{"#ffffff", "#64748b"},
                                          {"#e0f2fe", "#64748b"},
                                          {"#dcfce7", "#15803d"},
                                          {"#fee2e2", "#b91c1c"},
                                          {"#fef3c7", "#92580a"}}};

const Shade& shadeOf(Graph::Look look) { return shades[static_cast<std::size_t>(look)]; }

bool areOfStages(std::span<const Graph> graphs) {
  return !graphs.empty() && graphs.front().isOfStages;
}

/// The lines of a node, each made harmless.
std::string nodeLabel(const Graph::Node& node, std::string (*escape)(std::string_view),
                      std::string_view between) {
  std::string out;
  for (const std::string& line : node.lines)
    out += (out.empty() ? "" : std::string(between)) + escape(line);
  return out;
}

void addDot(std::string& out, const Graph& graph, std::size_t number) {
  out += fmt::format("  subgraph cluster_{} {{\n    label=\"{}\";\n    color=\"#94a3b8\";\n",
                     number, escape::dot(graph.title));
  for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
    const Shade& shade = shadeOf(graph.nodes[i].look);
    out += fmt::format("    g{}_{} [label=\"{}\", fillcolor=\"{}\", color=\"{}\"];\n", number, i,
                       nodeLabel(graph.nodes[i], escape::dot, "\\n"), shade.fill, shade.edge);
  }
  for (const Graph::Edge& edge : graph.edges)
    out += fmt::format(
        "    g{0}_{1} -> g{0}_{2}{3};\n", number, edge.from, edge.to,
        edge.label.empty() ? "" : fmt::format(" [label=\"{}\"]", escape::dot(edge.label)));
  out += "  }\n";
}

void addMermaid(std::string& out, const Graph& graph, std::size_t number) {
  out += fmt::format("  subgraph g{} [\"{}\"]\n    direction {}\n", number,
                     escape::mermaid(graph.title), graph.isOfStages ? "TB" : "LR");
  for (std::size_t i = 0; i < graph.nodes.size(); ++i)
    out += fmt::format("    g{}_{}[\"{}\"]:::{}\n", number, i,
                       nodeLabel(graph.nodes[i], escape::mermaid, "<br/>"),
                       lookName(graph.nodes[i].look));
  for (const Graph::Edge& edge : graph.edges)
    out +=
        fmt::format("    g{0}_{1} -->{3} g{0}_{2}\n", number, edge.from, edge.to,
                    edge.label.empty() ? "" : fmt::format("|\"{}\"|", escape::mermaid(edge.label)));
  out += "  end\n";
}

} // namespace

std::string graphDot(std::span<const Graph> graphs) {
  std::string out = R"(digraph contract {
)";
  out += fmt::format("  rankdir={};\n", areOfStages(graphs) ? "TB" : "LR");
  out += R"(  fontname="Helvetica";
  node [shape=box, style="rounded,filled", fontname="Helvetica", fontsize=11];
  edge [color="#64748b", fontname="Helvetica", fontsize=10];
)";
  for (std::size_t i = 0; i < graphs.size(); ++i)
    addDot(out, graphs[i], i);
  return out + "}\n";
}

std::string graphMermaid(std::span<const Graph> graphs) {
  std::string out = fmt::format("flowchart {}\n", areOfStages(graphs) ? "TB" : "LR");
  for (std::size_t i = 0; i < graphs.size(); ++i)
    addMermaid(out, graphs[i], i);
  for (std::size_t i = 0; i < shades.size(); ++i)
    out += fmt::format("  classDef {} fill:{},stroke:{},color:#172033\n",
                       lookName(static_cast<Graph::Look>(i)), shades[i].fill, shades[i].edge);
  return out;
}

} // namespace tikc::explain
