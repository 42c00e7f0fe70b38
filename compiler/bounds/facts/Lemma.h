#pragma once

#include "bounds/numbers/Real.h"

#include <array>
#include <optional>
#include <span>
#include <string_view>

namespace tikc::bounds {

enum class Quantity : std::uint8_t {
#define QUANTITY(Id, ...) Id,
#include "bounds/facts/Quantities.def"
};

/// The statement that a fact makes about its quantity over the population of its place. Contexts
/// are weighted by tokens, responses by requests.
enum class Quantifier : std::uint8_t {
  Given,    // a single number
  Sup,      // for every reachable context or prompt
  Mean,     // for the population's mean
  Quantile, // for all but a given share of the population
};

/// The valid values of a parameter.
enum class Domain : std::uint8_t {
  Any,
  NonNegative,
  Positive,
  AtLeastOne,
  Share,     // [0, 1]
  OpenShare, // (0, 1)
  Count,     // 1, 2, 3, …
  Whole,     // 0, 1, 2, …
  Format,    // a number format; the lemma receives its unit roundoff
};

struct Parameter {
  std::string_view name;
  Domain domain = Domain::NonNegative;
  std::string_view meaning;
};

/// How a derivation fills a parameter of a lemma.
struct Premise {
  enum class Need : std::uint8_t {
    Nothing, // after the last parameter
    Each,    // a supremum yields a supremum, a quantile yields a quantile
    Sup,
    Mean,
    Given,
    ShareOf, // the share on which a quantile of the quantity fails …
    AtShare, // … and its value: always right after ShareOf
    Asked,   // the share on which the claim to prove may fail
    Chosen,  // free: any value is sound, and the lemma's `choose` finds a good one
  };
  /// The laws of the premise, relative to those of the conclusion.
  enum class From : std::uint8_t {
    Here,      // equal
    Rows,      // the laws that rows compare
    Whole,     // the server's law before its cuts, for a trainer without cuts
    Kept,      // the trainer's law conditioned on the tokens that the server serves
    WholeKept, // the trainer's law conditioned on the tokens that the server does not mask
  };

  Need need = Need::Nothing;
  Quantity quantity{}; // unused for Asked and Chosen
  From from = From::Here;

  constexpr Premise of(From laws) const { return {need, quantity, laws}; }
};
constexpr Premise each(Quantity quantity) { return {Premise::Need::Each, quantity}; }
constexpr Premise sup(Quantity quantity) { return {Premise::Need::Sup, quantity}; }
constexpr Premise mean(Quantity quantity) { return {Premise::Need::Mean, quantity}; }
constexpr Premise given(Quantity quantity) { return {Premise::Need::Given, quantity}; }
constexpr Premise shareOf(Quantity quantity) { return {Premise::Need::ShareOf, quantity}; }
constexpr Premise atShare(Quantity quantity) { return {Premise::Need::AtShare, quantity}; }
constexpr Premise asked() { return {Premise::Need::Asked, {}}; }
constexpr Premise chosen() { return {Premise::Need::Chosen, {}}; }

inline constexpr std::size_t maxParameters = 6;

/// The laws that the conclusion of a use can be about.
enum class Into : std::uint8_t {
  Any,    // those of its premises
  Served, // the law that tokens are sampled from
  Kept,   // as Premise::From::Kept
};

/// One way to use a lemma: its premises in the order of the parameters, and its conclusion. With an
/// Each premise, the conclusion has the premises' quantifier, and the shares of quantiles add up.
/// Otherwise it has the quantifier given here.
struct Use {
  std::array<Premise, maxParameters> premises{};
  Quantity concludes{};
  Quantifier quantifier = Quantifier::Sup;
  /// A Given fact that must exist, in addition to the parameters: the kind of estimator.
  std::optional<Quantity> under = std::nullopt;
  Into into = Into::Any;
};

/// The curvature of a lemma in its only Each parameter, which decides whether means may enter. A
/// convex lemma is 0 at 0.
enum class Curvature : std::uint8_t { Unknown, Concave, Convex };

/// A lemma's value; nothing if its hypotheses do not hold.
using Result = std::optional<Real>;
/// One argument for each parameter, in their order.
using Arguments = std::span<const Real>;

inline constexpr std::size_t maxUses = 16;

/// A lemma, for readers and for derivations. `evaluate` is monotone in every drift, so upper bounds
/// as arguments give an upper bound. bounds/lemmas/Lemmas.def lists all lemmas.
struct Lemma {
  std::string_view id;
  std::string_view statement;
  std::string_view hypotheses;
  std::string_view formula;
  std::string_view proof;
  std::string_view trap = {};  // a common mistake with the lemma; may be empty
  std::string_view tight = {}; // a case of equality; may be empty
  std::array<Parameter, maxParameters> parameterRow{};
  Result (*evaluate)(Arguments arguments) = nullptr;

  /// Empty for lemmas that the prover does not use; readers and other lemmas do.
  std::array<Use, maxUses> useRow{};
  /// In the only Each parameter.
  Curvature curvature = Curvature::Unknown;
  /// Whether the result strictly increases in each drift, except where it is 0 or a cap.
  bool isStrict = false;
  /// Whether the lemma needs a server that can sample every token that the trainer can.
  bool needsFullSupport = false;
  /// Whether the lemma needs tokens sampled by the second kernel, from the compared law.
  bool needsDraws = false;
  /// Returns the Chosen parameter for these arguments; its own argument is ignored.
  std::optional<Rational> (*choose)(Arguments arguments) = nullptr;
  /// The lemma that returns the largest drift for a budget.
  const Lemma* inverse = nullptr;

  std::span<const Parameter> parameters() const;
  std::span<const Use> uses() const;
};

#define LEMMA(symbol) extern const Lemma symbol;
namespace lemmas {
#include "bounds/lemmas/Lemmas.def"
}

/// Returns all lemmas, in the order of the table.
std::span<const Lemma* const> allLemmas();
const Lemma* findLemma(std::string_view id);

struct Section {
  std::string_view title;
  std::span<const Lemma* const> lemmas;
};
/// Returns all lemmas by topic.
std::span<const Section> sections();

struct QuantityInfo {
  enum class Level : std::uint8_t { Context, Response, Given };
  enum class Kind : std::uint8_t {
    Plain,
    Sample,
    Drift,
    Pooled,
    OfAll,
    OfEnds,
    OfFirstLink,
    OfAge,
    OfPlace
  };
  enum class Side : std::uint8_t { Upper, Lower };
  Quantity quantity;
  std::string_view symbol;
  Level level;
  Kind kind;
  Side side;
  std::string_view cap;
  std::string_view meaning;
};
const QuantityInfo& info(Quantity quantity);
inline bool hasCap(Quantity quantity) { return !info(quantity).cap.empty(); }
/// Returns the cap of a quantity that has one.
const Rational& mostOf(Quantity quantity);

} // namespace tikc::bounds
