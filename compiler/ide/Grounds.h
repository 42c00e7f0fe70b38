#pragma once

#include "bounds/prove/Prover.h"
#include "ide/Analysis.h"

#include <map>
#include <set>

/// What the proof of a contract says of its claims and clauses, without deriving anything again.
namespace tikc::ide {

/// A contract of a file with its proof, if it has one.
struct Proven {
  const model::Contract* contract = nullptr;
  const bounds::Proof* proof = nullptr;

  explicit operator bool() const { return contract != nullptr; }
};
std::vector<Proven> provenOf(const Analysis& analysis);
/// The contract that a document is; nothing where it could not be built.
Proven provenOf(const Analysis& analysis, const syntax::YamlDocument& document);

/// What became of a claim, or of one comparison of it: the worst of all its slices.
struct ClaimOutcome {
  bounds::Verdict verdict{};
  std::optional<Rational> slack;
  bool isLower = false;
  const bounds::Proof::Entry* entry = nullptr;
};
std::optional<ClaimOutcome> outcomeOf(const Proven& proven, std::size_t claim,
                                      std::optional<std::size_t> bound = {});
/// "proved, 51% to spare", "refuted", "unproved".
std::string outcomeText(const ClaimOutcome& outcome);

/// What each part of a contract does for its claims.
class Grounds {
public:
  explicit Grounds(const bounds::Proof& proof);

  struct Use {
    std::set<std::size_t> claims; // that have a bound which rests on it
    /// What follows from it alone, just before something else comes in or at the claim itself; of
    /// several slices the loosest.
    std::vector<const bounds::Fact*> alone;
  };
  /// Of the text at a span: a clause's comparison, an assumption's value. Null where no bound rests
  /// on it.
  const Use* at(const Span& span) const;

private:
  void walk(const bounds::Derivation& facts, bounds::FactId goal, std::size_t claim);
  /// The clauses that a fact rests on, whatever numbers of the contract enter beside them.
  struct Support {
    Span clause; // one of them; invalid where there is none
    bool isMixed = false;
  };
  Support supportOf(const bounds::Derivation& facts, bounds::FactId id);
  void addAlone(const Span& span, const bounds::Fact& fact);

  std::map<Span, Use> uses_;
  std::map<const bounds::Fact*, Support> supports_;
};

/// The tightest bound of each given quantity that rests on the text at a span, at one place.
std::vector<const bounds::Fact*> strongestOn(const bounds::Derivation& facts, const Span& span,
                                             const bounds::Place& place,
                                             std::span<const bounds::Quantity> wanted);

/// "mean(tv) <= 0.03162".
std::string factText(const bounds::Fact& fact);

} // namespace tikc::ide
