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

/// What a fact says of its quantity, over the population that its place names: token-weighted for
/// contexts, request-weighted for responses.
enum class Quantifier : std::uint8_t {
  Given,    // one number
  Sup,      // every reachable context or prompt
  Mean,     // the population's mean
  Quantile, // all but a stated share of the population
};

/// The values that a parameter can take.
enum class Domain : std::uint8_t {
  Any,
  NonNegative,
  Positive,
  AtLeastOne,
  Share,     // [0, 1]
  OpenShare, // (0, 1)
  Count,     // 1, 2, 3, …
  Whole,     // 0, 1, 2, …
  Format,    // a number format; the lemma gets its unit roundoff
};

struct Parameter {
  std::string_view name;
  Domain domain = Domain::NonNegative;
  std::string_view meaning;
};

/// How a derivation fills a parameter of a lemma.
struct Premise {
  enum class Need : std::uint8_t {
    Nothing, // beyond the last parameter
    Each,    // a supremum gives a supremum, a quantile a quantile
    Sup,
    Mean,
    Given,
    ShareOf, // the share on which a quantile of the quantity fails …
    AtShare, // … and its value: the premise right after its ShareOf
    Asked,   // the share on which the claim that is to be proved may fail
    Chosen,  // a free parameter: any value is sound, and the lemma's `choose` finds a good one
  };
  /// Whose laws the fact is about, beside those that the conclusion is about.
  enum class From : std::uint8_t {
    Here,      // the same
    Rows,      // those that rows compare
    Whole,     // the inference kernel's before it cuts, of a trainer that cuts nothing
    Kept,      // the trainer's given the tokens that the inference kernel serves
    WholeKept, // the trainer's given the tokens that the inference kernel does not mask
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

/// The laws that a use of a lemma can conclude something about.
enum class Into : std::uint8_t {
  Any,    // those that its premises are about
  Served, // what tokens are drawn from
  Kept,   // as Premise::From::Kept
};

/// One way in which derivations use a lemma: premises in the order of its parameters, and what
/// follows. Where a premise is Each, the conclusion has the premises' quantifier, and a quantile
/// fails on the shares of all of them together; else it has the one stated here.
struct Use {
  std::array<Premise, maxParameters> premises{};
  Quantity concludes{};
  Quantifier quantifier = Quantifier::Sup;
  /// A Given fact that must stand, beside the parameters: which kind of estimator it is.
  std::optional<Quantity> under = std::nullopt;
  Into into = Into::Any;
};

/// The curve of a lemma in its one Each parameter, which decides what means may enter. A convex one
/// is 0 at 0.
enum class Curvature : std::uint8_t { Unknown, Concave, Convex };

/// What the lemma gives, or nothing where its hypotheses do not hold at these arguments.
using Result = std::optional<Real>;
/// In the order of the parameters.
using Arguments = std::span<const Real>;

inline constexpr std::size_t maxUses = 16;

/// One lemma: what people read and what derivations use. `evaluate` is monotone in every drift, so
/// arguments are upper bounds and the result's upper end is one. The rows of
/// bounds/lemmas/Lemmas.def list them all; each is in one file of bounds/lemmas.
struct Lemma {
  std::string_view id;
  std::string_view statement;
  std::string_view hypotheses;
  std::string_view formula;
  std::string_view proof;
  std::string_view trap = {};  // what goes wrong with it; may be empty
  std::string_view tight = {}; // where equality holds; may be empty
  std::array<Parameter, maxParameters> parameterRow{};
  Result (*evaluate)(Arguments arguments) = nullptr;

  /// Empty: the prover does not use it; it stands for people and for other lemmas.
  std::array<Use, maxUses> useRow{};
  /// Of the result in the one Each parameter.
  Curvature curvature = Curvature::Unknown;
  /// Increases strictly in each drift, but where the result is 0 or a cap.
  bool isStrict = false;
  /// Holds only where the inference kernel can sample whatever the trainer can.
  bool needsFullSupport = false;
  /// Counts what the second kernel draws, from the law that is compared.
  bool needsDraws = false;
  /// The Chosen parameter for these arguments (whose own place is ignored).
  std::optional<Rational> (*choose)(Arguments arguments) = nullptr;
  /// The lemma that gives the largest drift for a budget.
  const Lemma* inverse = nullptr;

  std::span<const Parameter> parameters() const;
  std::span<const Use> uses() const;
};

#define LEMMA(symbol) extern const Lemma symbol;
namespace lemmas {
#include "bounds/lemmas/Lemmas.def"
}

/// All rows, in the order of the table.
std::span<const Lemma* const> allLemmas();
const Lemma* findLemma(std::string_view id);

struct Section {
  std::string_view title;
  std::span<const Lemma* const> lemmas;
};
/// All rows again, by what they are about.
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
/// The cap of a quantity that has one.
const Rational& mostOf(Quantity quantity);

} // namespace tikc::bounds
