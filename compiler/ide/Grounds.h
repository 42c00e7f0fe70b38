#pragma once

#include "bounds/prove/Prover.h"
#include "ide/Analysis.h"

#include <map>
#include <set>

/// The contents of a contract's proof about its claims and clauses, without new derivations.
namespace tikc::ide {

/// A contract of a file, and its proof if it has one.
struct ProvenContract {
  const model::Contract* contract = nullptr;
  const bounds::Proof* proof = nullptr;

  explicit operator bool() const { return contract != nullptr; }
};
std::vector<ProvenContract> provenOf(const Analysis& analysis);
/// Returns the contract of a document; empty if it could not be built.
ProvenContract provenOf(const Analysis& analysis, const yaml::YamlDocument& document);

/// The verdict on a claim, or on one comparison of it, on its worst slice.
struct ClaimOutcome {
  bounds::Verdict verdict{};
  std::optional<Rational> slack;
  bool isLower = false;
  const bounds::Proof::Entry* entry = nullptr;
};
std::optional<ClaimOutcome> outcomeOf(const ProvenContract& proven, std::size_t claim,
                                      std::optional<std::size_t> bound = {});
/// Returns "proved, 51% to spare", "refuted", "unproved".
std::string outcomeText(const ClaimOutcome& outcome);

/// How the claims depend on each part of a contract.
class Grounds {
public:
  explicit Grounds(const bounds::Proof& proof);

  struct Use {
    std::set<std::size_t> claims; // whose bounds rest on the part
    /// The facts that follow from the part alone, at the claim or just before another part joins;
    /// the loosest of several slices.
    std::vector<const bounds::Fact*> alone;
  };
  /// Returns the use of a clause's comparison or an assumption's value, by its span. Null if no
  /// bound rests on it.
  const Use* at(const Span& span) const;

private:
  void walk(const bounds::Derivation& facts, bounds::FactId goal, std::size_t claim);
  /// The clauses that a fact rests on; other numbers of the contract do not count.
  struct Support {
    Span clause; // one of them; invalid if there are none
    bool isMixed = false;
  };
  Support supportOf(const bounds::Derivation& facts, bounds::FactId id);
  void addAlone(const Span& span, const bounds::Fact& fact);

  std::map<Span, Use> uses_;
  std::map<const bounds::Fact*, Support> supports_;
};

/// Returns, for one place, the tightest bound of each wanted quantity that rests on the text of a
/// span.
std::vector<const bounds::Fact*> strongestOn(const bounds::Derivation& facts, const Span& span,
                                             const bounds::Place& place,
                                             std::span<const bounds::Quantity> wanted);

/// Returns "mean(tv) <= 0.03162".
std::string factText(const bounds::Fact& fact);

} // namespace tikc::ide
