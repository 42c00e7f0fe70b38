#pragma once

#include "property/Distances.h"
#include "property/World.h"

/// Walks over a world.
namespace tikc::tests {

inline std::size_t childOf(const World& world, std::size_t node, std::size_t token) {
  return node * world.tokens + 1 + token;
}

inline double totalShare(const std::vector<const Part*>& parts) {
  return sumOver(parts.size(), [&](std::size_t i) { return parts[i]->share; });
}

inline void eachPrompt(const std::vector<const Part*>& parts, const auto& visit) {
  double total = totalShare(parts);
  for (const Part* part : parts)
    for (const Prompt& prompt : part->prompts)
      visit(prompt, part->share / total * prompt.weight);
}

/// Every prefix, with the chance that a sampled token stands after it.
inline void eachNode(const World& world, const Prompt& prompt, const auto& visit) {
  std::vector<double> reach(prompt.nodes.size(), 0);
  reach[0] = 1;
  for (std::size_t at = 0; at < prompt.nodes.size(); ++at) {
    visit(prompt.nodes[at], reach[at] / static_cast<double>(world.depth));
    for (std::size_t token = 0; token < world.tokens; ++token)
      if (childOf(world, at, token) < reach.size())
        reach[childOf(world, at, token)] = reach[at] * prompt.nodes[at].q[token];
  }
}

} // namespace tikc::tests
