#pragma once

#include "metrics/Metrics.h"

#include <vector>

/// Small worlds of two kernels in plain doubles, written apart from the compiler: prompts whose
/// responses are trees, every prefix with its own two distributions.
namespace tikc::tests {

/// One prefix. Rows compare the two softmaxes; the server samples from what it keeps of its own.
struct Node {
  std::vector<double> middle; // logits between the two kernels'
  std::vector<double> drift;  // times the prompt's scale: train minus infer
  double trainPart = 0.5;     // of the drift; the inference kernel has the rest, the other way
  std::vector<char> kept;
  std::vector<double> z, zi, p, raw, q;

  void settle(double scale);
};

struct Prompt {
  double weight = 1;
  double scale = 0;
  std::vector<Node> nodes; // in level order, all children of a node in a row

  void setScale(double to) {
    scale = to;
    for (Node& node : nodes)
      node.settle(scale);
  }
};

struct Part { // of the population: a slice
  double share = 1;
  std::vector<Prompt> prompts;
};

struct World {
  std::size_t tokens = 2, depth = 1;
  std::vector<Part> parts;
};

/// What the contract fixes.
struct Setting {
  double missing = 0; // mass that may be missing; 0 under full support
  double reward = 1, stepReward = 1, discount = 1, gradient = 1;
  model::Estimator estimator = model::Estimator::Step;
  model::CallId correction{};
  std::vector<double> arguments; // of the correction
};

struct Atom {
  double value, mass;
};

/// A response as far as a node, and one token more.
struct Path {
  std::size_t node, token;
  double trainMass, inferMass; // of the whole path, with the token
  double gap;                  // log P/Q
  std::vector<double> steps;   // p/q of each token
};

/// The paths of a prompt that have so many tokens.
std::vector<Path> pathsOf(const World& world, const Prompt& prompt, std::size_t length);

/// What a clause's metric takes in some parts of the population; infinite where it is.
std::vector<Atom> observe(const World& world, const std::vector<const Part*>& parts,
                          const model::Measure& measure);
double aggregate(const std::vector<Atom>& atoms, const model::Measure& measure);

/// What the claimed quantity is at worst, over rewards and gradients that the setting allows.
double claimed(const World& world, const std::vector<const Part*>& parts, const Setting& setting,
               const model::Measure& measure);

/// The parts that an index of a problem's slices stands for: one, or all for the mixture.
std::vector<const Part*> partsOf(const World& world, std::size_t index);

bool holds(const World& world, const Setting& setting, const model::Contract& contract);

} // namespace tikc::tests
