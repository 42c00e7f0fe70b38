#pragma once

#include "property/World.h"

/// Walks over a world.
namespace tikc::tests {

inline std::size_t childOf(const World& world, std::size_t node, std::size_t token) {
  return node * world.tokens + 1 + token;
}

/// Nodes of a tree of so many levels.
inline std::size_t nodesOf(const World& world, std::size_t levels) {
  std::size_t out = 0, level = 1;
  for (std::size_t i = 0; i < levels; ++i, level *= world.tokens)
    out += level;
  return out;
}

inline void eachPrompt(const Population& population, const auto& visit) {
  double total =
      sumOver(population.parts.size(), [&](std::size_t i) { return population.parts[i]->share; });
  for (const Part* part : population.parts)
    for (const Prompt& prompt : part->prompts)
      visit(prompt, part->share / total * prompt.weight);
}

/// Every prefix that the drawer reaches, with the chance that a sampled token stands after it, of
/// those at the population's positions.
inline void eachNode(const World& world, const Population& population, std::size_t drawer,
                     const auto& visit) {
  struct Reached {
    const Node* node;
    double mass;
  };
  static thread_local std::vector<Reached> found;
  static thread_local std::vector<double> reach;
  found.clear();
  double total = 0;
  eachPrompt(population, [&](const Prompt& prompt, double weight) {
    reach.assign(prompt.nodes.size(), 0);
    reach[0] = weight;
    std::size_t level = 0, end = 1;
    for (std::size_t at = 0; at < reach.size(); ++at) {
      if (at == end)
        end = nodesOf(world, ++level + 1);
      if (!(reach[at] > 0))
        continue;
      const Node& node = prompt.nodes[at];
      if (level >= population.from && level < population.to) {
        found.push_back({&node, reach[at]});
        total += reach[at];
      }
      const Row& draws = node.drawnBy(drawer);
      std::size_t child = childOf(world, at, 0);
      if (child < reach.size())
        for (std::size_t token = prompt.canEnd; token < world.tokens; ++token)
          reach[child + token] = reach[at] * draws[token];
    }
  });
  for (const Reached& each : found)
    visit(*each.node, each.mass / total);
}

} // namespace tikc::tests
