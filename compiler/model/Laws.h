#pragma once

#include "model/Contract.h"

#include <string_view>

namespace tikc::model {

/// The laws that one kernel has of the next token.
enum class Law : std::uint8_t {
  Raw,     // softmax(z) over the tokens that it does not mask
  Nominal, // softmax(z/τ) at the temperature that is declared, where requests bring their own
  Whole,   // softmax(z/τ), τ the temperature that serves; one-hot at τ = 0
  Served,  // that after its own top_p, top_k and min_p, renormalised: what tokens are drawn from
};
std::string_view lawName(Law law);

/// What the contract declares of one kernel's laws.
struct KernelLaws {
  struct Cut {
    std::string_view key; // top_p
    const Number* setting;
  };

  std::string_view name;
  Rational temperature = 1;                // that serves
  const Number* temperatureFrom = nullptr; // where that is written; null: nowhere
  std::vector<Cut> cuts;                   // that take something away
  bool logsRaw = false;

  bool isGreedy() const { return temperature == 0; }
  bool declaresCut() const { return !cuts.empty(); }
};

/// What tokens and prefixes were drawn by.
struct Drawer {
  static constexpr std::uint32_t ofText =
      0xffffffff; // none of the contract's kernels: teacher-forced
};

/// What a contract knows of its kernels' laws: which cuts, at which temperature each serves, what
/// each logs, who drew. The one place that reads these settings; whoever argues about a law asks
/// here.
class Laws {
public:
  explicit Laws(const Contract& contract);

  /// In the order of the chain, the server last; a kernel that is not declared has no settings.
  const std::vector<KernelLaws>& kernels() const { return kernels_; }
  std::size_t server() const { return kernels_.size() - 1; }
  /// The place of a kernel in the chain.
  std::optional<std::size_t> placeOf(std::string_view kernel) const;

  /// Slices speak of a request's own temperature, or of its own top_p: what the kernel that serves
  /// them declares is not what every request gets.
  bool temperatureVaries() const { return temperatureVaries_; }
  bool cutVaries() const { return cutVaries_; }
  /// A slice can begin or end within a response.
  bool slicesCutResponses() const { return slicesCutResponses_; }
  /// Of the responses to one prompt some can be in a slice and others not: it speaks of something
  /// else than the prompt and its labels.
  bool slicesSplitGroups() const { return slicesSplitGroups_; }

  /// Whether a kernel draws from its whole law, as far as the contract knows. Of the server that
  /// has to be assumed: `support: full`.
  bool servesWhole(std::size_t kernel) const;
  /// The law as one of the weakest kind that equals it: what a kernel does not cut is what it
  /// serves.
  Law settled(std::size_t kernel, Law law) const;
  /// What the kernel's log-probs are of.
  Law logged(std::size_t kernel) const;
  /// Whether `raw` and `processed` log-probs of the kernel differ by what is declared.
  bool logsDiffer(std::size_t kernel) const;
  /// What rows compare: logits at the temperature that is declared.
  Law ofRows(std::size_t kernel) const;

  /// The kernel's settings that `support` cannot be true with.
  struct Contradiction {
    std::string_view setting; // `top_p`
    const Number* at;
  };
  std::vector<Contradiction> contradictions() const;
  bool hasFullSupport() const { return hasFullSupport_; }
  /// Tokens that the server alone masks are left out of drifts, and their mass is missing.
  bool declaresMissingMass() const { return declaresMissingMass_; }

  /// Who drew what the statement is measured on.
  std::uint32_t drawerOf(const Statement& statement) const;

private:
  std::vector<KernelLaws> kernels_;
  std::optional<Support> support_;
  bool temperatureVaries_ = false, cutVaries_ = false, slicesCutResponses_ = false,
       slicesSplitGroups_ = false;
  bool hasFullSupport_ = false, declaresMissingMass_ = false;
};

/// Whether a predicate names one of these request fields.
bool speaksOf(const Expr& predicate, std::initializer_list<std::string_view> fields);

} // namespace tikc::model
