#pragma once

#include "bounds/facts/Comparisons.h"
#include "bounds/prove/Problem.h"
#include "metrics/Metrics.h"
#include "model/Laws.h"

#include <map>

namespace tikc::bounds {

/// Reads a contract into a problem: what is given in PoseGivens.cpp, clauses and claims in
/// PoseClauses.cpp, all else in Problem.cpp.
class Poser {
public:
  Poser(const model::Contract& contract, unsigned bits) : contract_(contract), laws_(contract) {
    problem_.bits = bits;
  }

  Problem take();

private:
  // The places.

  void layOut();
  /// The whole chain is the first link; others are those that clauses and claims name.
  void layOutLinks();
  void add(std::uint32_t first, std::uint32_t second);
  /// What rows tell of a kernel.
  model::Law rowsOf(std::uint32_t kernel) const;
  /// A link of kernels that are not in the chain is at fault elsewhere; here it is the ends'.
  std::uint32_t linkOf(const model::Link& written);
  std::uint32_t linkOf(const model::Statement& statement);
  /// The slices that a scope names, as indices.
  std::vector<std::uint32_t> slicesOf(const model::Scope& scope) const;

  // Inputs, in general.

  Origin origin(Origin::Kind kind, std::string_view name, const Span& span) const;
  FactId add(Key key, Rational bound, Origin from, Place place, bool strict = false);
  /// A number of the contract, where its row says that it holds.
  FactId give(Quantity quantity, Rational value, Origin from);
  FactId giveAt(Place place, Quantity quantity, Rational value, Origin from);
  /// What is assumed of the kernels is said of the ends of the chain, and of the laws that claims
  /// are about.
  Place ends();
  /// Responses that are normalised together are in one slice, or nothing is said of it.
  Place endsOf(Quantity quantity);
  /// What rows of two kernels compare.
  Place rowsBetween(std::uint32_t first, std::uint32_t second);
  /// The layers are those between the first two kernels.
  Place firstLink();
  void giveNumber(Quantity quantity, const std::optional<model::Number>& number,
                  std::string_view key, Origin::Kind kind = Origin::Kind::Assumption);
  bool logsWhatIsServed(std::uint32_t link) const;
  bool isGreedy(std::uint32_t link) const;
  void passOver(std::string why);
  void saysWhyNot();

  // What is given.

  Origin temperatureOrigin(std::uint32_t kernel) const;
  /// Where requests bring their own temperature, drifts of logits say nothing of the laws.
  void poseSampling(std::uint32_t link);
  void posePolicy();
  void poseAssumptions();
  /// A mean length is that of the server's responses, all of them or those of a slice.
  void poseLengths();
  /// Their errors grow layer by layer, those of a run of equal layers as a geometric sum.
  void poseLayers(const model::Assumptions& given);
  void poseSupport(const model::Support& support);
  /// Which kind of estimator it is, and what its correction leaves.
  void poseGradient();

  // Clauses.

  /// A clause is about what it measures, in whichever section it stands.
  void poseClause(std::size_t index);
  /// Whose laws a clause compares: rows the whole ones, log-probs what each kernel logs.
  std::optional<About> aboutOf(const model::Clause& clause, model::MetricId metric,
                               std::uint32_t link);
  /// Whether rows are of what is served because support is declared full.
  bool servesRows(const About& about, metrics::Level level, std::uint32_t link) const;
  /// What is missing is missing from what the second kernel serves: a checker cuts its rows.
  void cut(About& about, const model::Clause& clause, const Problem::Link& ends);
  void poseLimit(const model::Clause& clause, const model::Bound& bound, const QuantityLimit& limit,
                 std::uint32_t link, const Origin& from);
  /// What kernels without any drift would violate asks for a total variation above 0; and no ratio
  /// p/q contradicts its mean, which under full support is 1 over what the second kernel draws.
  void poseLaw(const model::Clause& clause, const model::Bound& bound, ClauseBound stated,
               std::uint32_t link);
  /// A limit on the side that no fact has.
  void poseCounter(const model::Bound& bound, const QuantityLimit& limit, const Origin& from,
                   Place place, bool isResponse);

  // Claims.

  void poseClaim(std::size_t index);
  /// Contexts are the server's; responses are those of the kernel that the link ends at.
  About claimed(const Goal& goal) const;

  static constexpr Place everywhere{Place::any, Place::any, Place::any};

  const model::Contract& contract_;
  model::Laws laws_;
  Problem problem_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> linkAt_;
  std::optional<FactId> fullSupport_; // where it is declared
};

} // namespace tikc::bounds
