#pragma once

#include "model/Contract.h"

#include <string_view>

namespace tikc::model {

/// The distributions of the next token that one kernel has.
enum class Law : std::uint8_t {
  Raw,     // softmax(z) over the tokens that the kernel does not mask
  Nominal, // softmax(z/τ) at the declared temperature, if requests set their own
  Whole,   // softmax(z/τ) at the serving temperature τ; one-hot at τ = 0
  Served,  // Whole after the kernel's top_p, top_k and min_p, renormalised; tokens are sampled from
           // it
};
std::string_view lawName(Law law);

/// The settings of one kernel that affect its laws.
struct KernelLaws {
  struct Cut {
    std::string_view key; // such as top_p
    const Number* setting;
  };

  std::string_view name;
  Rational temperature = 1;                // of serving
  const Number* temperatureFrom = nullptr; // null if the contract declares none
  std::vector<Cut> cuts;                   // only settings that remove tokens
  bool logsRaw = false;

  bool isGreedy() const { return temperature == 0; }
  bool declaresCut() const { return !cuts.empty(); }
};

/// The sampler of tokens and prefixes.
struct Drawer {
  static constexpr std::uint32_t ofText = 0xffffffff; // no kernel of the contract: teacher-forced
};

/// The laws of a contract's kernels: their cuts, serving temperatures, logged log-probs, and who
/// sampled. Only this class reads these settings; other code about laws asks it.
class Laws {
public:
  explicit Laws(const Contract& contract);

  /// In the order of the chain, with the server last. An undeclared kernel has no settings.
  const std::vector<KernelLaws>& kernels() const { return kernels_; }
  std::size_t server() const { return kernels_.size() - 1; }
  /// Returns the kernel's index in the chain.
  std::optional<std::size_t> placeOf(std::string_view kernel) const;

  /// Whether slices mention a request's own temperature or top_p. If so, requests may override what
  /// the server declares.
  bool temperatureVaries() const { return temperatureVaries_; }
  bool cutVaries() const { return cutVaries_; }
  /// Whether a slice can begin or end within a response.
  bool slicesCutResponses() const { return slicesCutResponses_; }
  /// Whether a slice can contain only some of the responses to one prompt, because it depends on
  /// more than the prompt and its labels.
  bool slicesSplitGroups() const { return slicesSplitGroups_; }

  /// Whether the kernel is known to sample from its whole law. For the server, that needs `support:
  /// full`.
  bool servesWhole(std::size_t kernel) const;
  /// Returns the canonical one of equal laws: a whole law without cuts is the served law.
  Law settled(std::size_t kernel, Law law) const;
  /// Returns the law of the kernel's log-probs.
  Law logged(std::size_t kernel) const;
  /// Whether `raw` and `processed` log-probs of the kernel differ under its settings.
  bool logsDiffer(std::size_t kernel) const;
  /// Returns the law that rows compare: that of logits at the declared temperature.
  Law ofRows(std::size_t kernel) const;

  /// A setting of the server that contradicts the assumed `support`.
  struct Contradiction {
    std::string_view setting; // such as `top_p`
    const Number* at;
  };
  std::vector<Contradiction> contradictions() const;
  bool hasFullSupport() const { return hasFullSupport_; }
  /// Whether `support` allows missing mass: drifts then ignore tokens that only the server masks.
  bool declaresMissingMass() const { return declaresMissingMass_; }

  /// Returns who sampled the tokens that the statement is measured on: a kernel's index, or ofText.
  std::uint32_t drawerOf(const Statement& statement) const;

private:
  std::vector<KernelLaws> kernels_;
  std::optional<Support> support_;
  bool temperatureVaries_ = false, cutVaries_ = false, slicesCutResponses_ = false,
       slicesSplitGroups_ = false;
  bool hasFullSupport_ = false, declaresMissingMass_ = false;
};

/// Whether a predicate mentions one of the request fields.
bool speaksOf(const Expr& predicate, std::initializer_list<std::string_view> fields);

} // namespace tikc::model
