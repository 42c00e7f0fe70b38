#pragma once

#include "property/Distances.h"

#include <optional>
#include <vector>

/// Small worlds of a chain of kernels in plain doubles, written apart from the compiler and after
/// the language's own words: prompts whose responses are trees, every prefix with every kernel's
/// laws.
namespace tikc::tests {

inline constexpr std::size_t mostKernels = 3, mostDepth = 4;
/// As a drawer: no kernel of the chain, but a text that is given.
inline constexpr std::size_t givenText = mostKernels;

/// How a kernel samples and what it logs, as the contract declares it.
struct Kernel {
  double temperature = 1;
  double topP = 1, minP = 0;
  std::size_t topK = mostTokens;
  bool logsRaw = false;

  bool cuts() const { return topP < 1 || minP > 0 || topK < mostTokens; }
};

/// What the contract fixes.
struct Setting {
  enum class Support { Unsaid, Full, MissingMass, TopP };

  std::vector<Kernel> kernels = std::vector<Kernel>(2);
  Support support = Support::Unsaid;
  double supportValue = 0;
  /// What training changes in the logits while rollouts keep their weights; the first kernel has
  /// the newest ones then, and is not written.
  std::optional<double> age;
  std::optional<double> ratioCap, logitBound, meanLength, leastMeanLength;
  std::optional<double> rewardRange, rewardSigma, rewardLipschitz;
  double stepLow = 0, stepHigh = 0, discount = 1, gradient = 0;
  std::size_t group = 0;
  model::GradientEstimator estimator = model::GradientEstimator::Step;
  model::Loss loss = model::Loss::TokenSum;
  model::CallId correction{};
  std::vector<double> arguments; // of the correction

  /// One a slice, the remainder included; of a contract without slices, the whole.
  struct Slice {
    double share = 1;
    std::optional<double> meanLength, leastMeanLength;
    std::size_t length = 0;          // of every response, which token weights follow from; 0: any
    double coldest = 0, hottest = 0; // of its requests' own temperatures; 0: as declared
    bool bringsTopP = false;         // requests cut as they like
  };
  std::vector<Slice> slices = std::vector<Slice>(1);
  /// Slices are told apart by the position: the first ends before this one. 0: they are not.
  std::size_t cutAt = 0;

  std::size_t trainer() const { return age ? 1 : 0; } // that clauses compare
  std::size_t server() const { return kernels.size() - 1; }
  bool isCutting() const { return cutAt > 0; }
};

/// What one kernel has at one prefix.
struct Laws {
  Row drift{};              // times the prompt's scale
  unsigned masked = 0;      // tokens at −∞, a bit each
  std::size_t refused = 0;  // so many of the least likely are cut, whatever is declared
  bool isStretched = false; // logits grow with the kernel's own temperature

  Row logits{};
  Row raw{};     // softmax(z)
  Row nominal{}; // at the declared temperature
  Row whole{};   // at the temperature that serves
  Row served{};  // after all cuts

  bool masks(std::size_t token) const { return masked >> token & 1; }
};

struct Node {
  Row middle{};
  Row words{}; // of the text, where it goes on from here
  std::array<Laws, mostKernels> of;

  const Row& drawnBy(std::size_t drawer) const {
    return drawer == givenText ? words : of[drawer].served;
  }
};

struct Prompt {
  double weight = 1;
  double scale = 0;
  std::size_t length = 1;
  bool canEnd = false;     // early, with the first token
  std::vector<Node> nodes; // in level order, all children of a node in a row
};

struct Part { // of the population: a slice
  double share = 1;
  std::optional<double> temperature; // that its requests bring
  std::vector<Prompt> prompts;
};

struct World {
  std::size_t tokens = 2;
  std::vector<Part> parts;
};

/// Computes all laws of a prompt.
void settle(const World& world, const Setting& setting, const Part& part, Prompt& prompt,
            double scale);

struct Atom {
  double value, mass;
};

/// A response as far as a node, and one token more.
struct Path {
  std::size_t node = 0, token = 0, count = 0;
  std::array<double, mostKernels + 1> mass{}; // of the whole path, by who draws
  std::array<std::array<double, mostDepth>, mostKernels> served{}, logged{}; // of each token
};

/// The paths of a prompt that have so many tokens, or end before.
std::vector<Path> pathsOf(const World& world, const Setting& setting, const Prompt& prompt,
                          std::size_t length);

/// Two kernels of the chain, and who drew.
struct Link {
  std::size_t first = 0, second = 1;
};
Link linkOf(const model::Contract& contract, const model::Clause& clause);
Link linkOf(const model::Contract& contract, const model::Claim& claim);
std::size_t drawerOf(const model::Contract& contract, const model::Statement& statement);

/// A slice, or the mixture: an index beyond them.
struct Population {
  std::vector<const Part*> parts;
  std::size_t from = 0, to = mostDepth; // positions
};
Population populationOf(const World& world, const Setting& setting, std::size_t slice);

/// What a clause's metric takes in a population; infinite where it is, and no number where the
/// clause speaks of what cannot be told.
std::vector<Atom> observe(const World& world, const Setting& setting, const Population& population,
                          const model::Measure& measure, const Link& link, std::size_t drawer);
/// A quantile may fail on `room` more than its share: claims have more of it than clauses, or what
/// is rounded would break them.
inline constexpr double roomOfClauses = 1e-12, roomOfClaims = 1e-9;
double aggregate(const std::vector<Atom>& atoms, const model::Measure& measure, bool isLower,
                 double room);

/// What the claimed quantity is at worst, over rewards and gradients that the setting allows.
double claimed(const World& world, const Setting& setting, const Population& population,
               const model::Measure& measure, const Link& link, bool isLower);

/// The mean length of a population's responses, by one kernel.
double lengthOf(const World& world, const Setting& setting, const Population& population,
                std::size_t kernel);

bool meetsAssumptions(const World& world, const Setting& setting);
bool meetsClauses(const World& world, const Setting& setting, const model::Contract& contract);
inline bool holds(const World& world, const Setting& setting, const model::Contract& contract) {
  return meetsAssumptions(world, setting) && meetsClauses(world, setting, contract);
}

} // namespace tikc::tests
