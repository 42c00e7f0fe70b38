#pragma once

#include "bounds/facts/Comparisons.h"
#include "bounds/prove/Problem.h"
#include "model/Laws.h"
#include "model/Metrics.h"

#include <map>

namespace tikc::bounds {

/// Turns a contract into a problem. PoseGivens.cpp poses assumptions and settings, PoseClauses.cpp
/// clauses and claims, Problem.cpp the rest.
class Poser {
public:
  Poser(const model::Contract& contract, unsigned bits) : contract_(contract), laws_(contract) {
    problem_.bits = bits;
  }

  Problem take();

private:
  // Places.

  void layOut();
  /// Link 0 is the whole chain; clauses and claims add others.
  void layOutLinks();
  void add(std::uint32_t first, std::uint32_t second);
  /// Returns the law that rows compare for a kernel.
  model::Law rowsOf(std::uint32_t kernel) const;
  /// Returns link 0 if a kernel is not in the chain; another check reports that.
  std::uint32_t linkOf(const model::Link& written);
  std::uint32_t linkOf(const model::Statement& statement);
  /// Returns the indices of the slices in a scope.
  std::vector<std::uint32_t> slicesOf(const model::Scope& scope) const;

  // Inputs.

  Origin origin(Origin::Kind kind, std::string_view name, const Span& span) const;
  FactId add(Key key, Rational bound, Origin from, Place place, bool strict = false);
  /// Adds a number of the contract as a fact, wherever its quantity's kind says that it holds.
  FactId give(Quantity quantity, Rational value, Origin from);
  FactId giveAt(Place place, Quantity quantity, Rational value, Origin from);
  /// Returns the place of assumptions: the ends of the chain, and the laws of claims.
  Place ends();
  /// Returns the place of an assumed quantity. If slices split groups of responses, quantities of
  /// groups hold on the mixture only.
  Place endsOf(Quantity quantity);
  /// Returns the place of what rows of two kernels compare.
  Place rowsBetween(std::uint32_t first, std::uint32_t second);
  /// Returns the place of the first two kernels, to which the layers belong.
  Place firstLink();
  void giveNumber(Quantity quantity, const std::optional<model::Number>& number,
                  std::string_view key, Origin::Kind kind = Origin::Kind::Assumption);
  bool logsWhatIsServed(std::uint32_t link) const;
  bool isGreedy(std::uint32_t link) const;
  void passOver(std::string why);
  void saysWhyNot();

  // Assumptions and settings.

  Origin temperatureOrigin(std::uint32_t kernel) const;
  /// If requests set their own temperature, logit drifts imply nothing about laws.
  void poseSampling(std::uint32_t link);
  void posePolicy();
  void poseAssumptions();
  /// Mean lengths are of the server's responses, in total or in a slice.
  void poseLengths();
  /// Errors grow layer by layer; a run of equal layers is a geometric sum.
  void poseLayers(const model::Assumptions& assumptions);
  void poseSupport(const model::Support& support);
  /// Adds the kind of estimator and the effect of its correction.
  void poseGradient();

  // Clauses.

  /// Poses a clause by its metrics; its section does not matter.
  void poseClause(std::size_t index);
  /// Returns the laws that a clause compares: whole laws for rows, each kernel's logged law for
  /// log-probs.
  std::optional<About> aboutOf(const model::Clause& clause, model::MetricId metric,
                               std::uint32_t link);
  /// Whether rows are of the served law because the contract declares full support.
  bool servesRows(const About& about, model::Level level, std::uint32_t link) const;
  /// Makes a clause on missing mass about the served law of the second kernel, because checkers cut
  /// its rows; skips it if that law is unknown.
  void cut(About& about, const model::Clause& clause, const Problem::Link& ends);
  void poseLimit(const model::Clause& clause, const model::Bound& bound, const QuantityLimit& limit,
                 std::uint32_t link, const Origin& from);
  /// Poses what a clause implies about any kernels. A bound that equal kernels violate asks for
  /// positive total variation. Under full support, a ratio p/q of the second kernel's samples has
  /// mean 1, which some bounds contradict.
  void poseLaw(const model::Clause& clause, const model::Bound& bound, ClauseBound stated,
               std::uint32_t link);
  /// Poses a limit on the side that facts do not bound.
  void poseCounter(const model::Bound& bound, const QuantityLimit& limit, const Origin& from,
                   Place place, bool isResponse);

  // Claims.

  void poseClaim(std::size_t index);
  /// Returns the laws and sampler of a goal. The server samples contexts; the second kernel of the
  /// link samples responses.
  About claimed(const Goal& goal) const;

  static constexpr Place everywhere{Place::any, Place::any, Place::any};

  const model::Contract& contract_;
  model::Laws laws_;
  Problem problem_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> linkAt_;
  std::optional<FactId> fullSupport_; // if declared
};

} // namespace tikc::bounds
