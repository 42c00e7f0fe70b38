#include "explain/Graph.h"

#include "driver/ProvenFile.h"
#include "support/Check.h"
#include "support/Utf8.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace tikc::driver {
namespace {

using explain::Graph;

// Beyond, nobody finds anything in a picture, and drawing it takes long.
constexpr std::size_t mostBoxes = 1000, mostArrows = 3000;

std::vector<Graph> clausesOf(const ProvenFile& file, std::size_t number) {
  static const bounds::Proof nothing;
  const model::Contract& contract = file.checked.contracts[number];
  const auto& proof = file.checked.proofs[number];
  explain::Explanation explanation = explain::tell(
      *file.sources, file.name, contract, proof ? *proof : nothing, {}, explain::Depth::Verdict);
  return {explain::clauseGraph(contract, explanation)};
}

std::vector<Graph> rulesOf(const ProvenFile& file, std::size_t number) {
  return explain::ruleGraphs(file.checked.contracts[number]);
}

std::vector<Graph> stagesOf(const ProvenFile& file, std::size_t number) {
  return {explain::stageGraph(file.checked.contracts[number])};
}

/// What can be drawn of a contract.
struct DrawnPart {
  std::string_view name, missing;
  std::vector<Graph> (*graphs)(const ProvenFile& file, std::size_t number);
};
constexpr DrawnPart drawnParts[] = {{"clauses", "no clauses or claims", clausesOf},
                                    {"escalation", "no escalation rules", rulesOf},
                                    {"stages", "no promotion stages", stagesOf}};

const DrawnPart& partOf(std::string_view name) {
  const DrawnPart* part = std::find_if(std::begin(drawnParts), std::end(drawnParts),
                                       [&](const DrawnPart& row) { return row.name == name; });
  TIKC_CHECK(part != std::end(drawnParts), "a part that can be named is one that is drawn");
  return *part;
}

/// Of several contracts each picture says which one it is of.
void addGraphs(std::vector<Graph>& out, const ProvenFile& file, std::size_t number,
               const DrawnPart& part) {
  std::string contract = utf8::printable(file.checked.contracts[number].name.value);
  for (Graph& graph : part.graphs(file, number)) {
    if (graph.nodes.empty())
      continue;
    if (file.checked.contracts.size() > 1 && !graph.title.starts_with(contract))
      graph.title = contract + ": " + graph.title;
    out.push_back(std::move(graph));
  }
}

llvm::Error checkContract(const ProvenFile& file, const std::string& wanted) {
  std::vector<std::string> names;
  for (const model::Contract& contract : file.checked.contracts)
    names.push_back(contract.name.value);
  if (wanted.empty() || std::find(names.begin(), names.end(), wanted) != names.end())
    return llvm::Error::success();
  return usageError(
      fmt::format("unknown contract {}{}", utf8::ticked(wanted), suggestion(wanted, names)));
}

llvm::Error checkSize(const std::vector<Graph>& graphs) {
  std::size_t boxes = 0, arrows = 0;
  for (const Graph& graph : graphs) {
    boxes += graph.nodes.size();
    arrows += graph.edges.size();
  }
  if (boxes <= mostBoxes && arrows <= mostArrows)
    return llvm::Error::success();
  return usageError(
      fmt::format("graph too large: expected at most {2} boxes and {3} arrows, found {0} and {1}; "
                  "draw one contract with --contract, or another part with --of",
                  boxes, arrows, mostBoxes, mostArrows));
}

std::string drawing(const std::string& form, const std::vector<Graph>& graphs,
                    std::string_view described) {
  return form == "svg"       ? explain::graphSvg(graphs, described)
         : form == "mermaid" ? explain::graphMermaid(graphs)
                             : explain::graphDot(graphs);
}

} // namespace

llvm::Expected<int> runGraph(const Invocation& invocation) {
  auto file = proveFile(invocation, invocation.arguments.front());
  if (!file)
    return file.takeError();
  if (file->isFaulty)
    return Findings;
  std::string wanted = invocation.get("--contract");
  if (auto error = checkContract(*file, wanted))
    return error;
  const DrawnPart& part = partOf(invocation.get("--of"));
  std::vector<Graph> graphs;
  for (std::size_t i = 0; i < file->checked.contracts.size(); ++i)
    if (wanted.empty() || file->checked.contracts[i].name.value == wanted)
      addGraphs(graphs, *file, i, part);
  if (graphs.empty())
    return usageError(
        fmt::format("nothing to draw: {} has {}", utf8::tickedPath(file->name), part.missing));
  if (auto error = checkSize(graphs))
    return error;
  std::string text = drawing(invocation.get("--format"), graphs,
                             fmt::format("{} of {}", part.name, utf8::printable(file->name)));
  if (auto error = writeOutput(invocation, text))
    return error;
  return Clean;
}

} // namespace tikc::driver
