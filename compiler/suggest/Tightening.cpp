#include "suggest/Tightening.h"

#include "data/Fault.h"
#include "model/Metrics.h"
#include "support/Edits.h"
#include "support/Utf8.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <set>

namespace tikc::suggest {
namespace {

constexpr double worthAChange = 1.25;
constexpr double widening = 1.2;
constexpr int mostRounds = 8;

/// A limit that is to be written: in place of another, or in a clause that is new.
struct NewLimit {
  std::string clause;
  model::Amount amount; // its unit is what is kept
  double limit = 0;     // in that unit
  std::optional<double> was;
  Span at; // of the limit, or where the clause goes
  std::string comment, require, indent, confidence;
  std::optional<Span> commentAt;

  std::string limitText() const {
    model::Amount out = amount;
    out.value = *parseDecimal(roundedUp(limit));
    return model::print(out);
  }
  void addTo(EditSet& edits) const {
    if (was) {
      const Edit edit{at, limitText()};
      edits.add(std::array{edit});
      if (commentAt)
        edits.add(std::array{Edit{*commentAt, fmt::format("{}# {}\n", indent, comment)}});
    }
  }
  /// Lines of a clause that is new.
  std::string lines() const {
    return fmt::format("{0}# Seen: {1}\n{0}{2}: {3} <= {4} with confidence {5}\n", indent, comment,
                       clause, require, limitText(), confidence);
  }
};

class Tightener {
public:
  Tightener(const std::string& contract, const SuggestionOptions& options,
            const data::Source& source, const Look& look, unsigned jobs)
      : options_(options), source_(source), look_(look), jobs_(jobs), before_(contract),
        base_(contract) {}

  TighteningResult take() {
    if (base_.hasErrors() || base_.contracts().size() != 1) {
      out_.fault =
          base_.hasErrors() ? "it has errors, which `tikc check` shows" : "expected one contract";
      return std::move(out_);
    }
    contract_ = &base_.contracts().front();
    const std::vector<ClauseOutcome> outcomes = base_.measured(source_, jobs_);
    for (const model::Clause& clause : contract_->clauses)
      consider(clause, outcomes);
    addFigures();
    settle();
    out_.text = composed();
    return std::move(out_);
  }

private:
  static bool isOf(const model::Bound& bound) {
    using model::Aggregate;
    const Aggregate is = bound.measure.aggregate;
    const bool isSteady = is == Aggregate::Mean || is == Aggregate::MeanByResponse ||
                          is == Aggregate::Quantile || is == Aggregate::Rate ||
                          is == Aggregate::RootMeanSquare;
    return isSteady && !bound.upper && model::isBelow(bound.comparator) && bound.limit.value > 0;
  }

  double room() const {
    const ResponseMeans& size = look_.all.size;
    const double chance = size.count > 1 && size.mean() > 0
                              ? 3 * std::sqrt(2.0) * size.standardError() / size.mean()
                              : 0;
    return std::max(options_.headroom.get_d(), chance);
  }

  /// The worst of the slices that the clause is asked of; nothing where one does not tell.
  std::optional<ClauseOutcome> worstOf(const std::string& clause,
                                       const std::vector<ClauseOutcome>& outcomes) {
    std::optional<ClauseOutcome> out;
    for (const ClauseOutcome& each : outcomes) {
      if (each.clause != clause)
        continue;
      if (each.is == verdict::violated)
        out_.notes.push_back(fmt::format("{}: {} is violated on {}", kept(clause),
                                         utf8::ticked(clause), utf8::ticked(each.slice)));
      if (each.is == verdict::undecided)
        out_.notes.push_back(fmt::format("{}: {} is undecided on {}", kept(clause),
                                         utf8::ticked(clause), utf8::ticked(each.slice)));
      if (each.is != verdict::satisfied || !std::isfinite(each.high))
        return std::nullopt;
      if (!out || each.high > out->high)
        out = each;
    }
    return out;
  }

  /// What happens to a clause of the contract, or to a candidate for one.
  std::string_view kept(std::string_view clause) const {
    const auto isIt = [&](const model::Clause& each) { return each.id.text == clause; };
    return std::any_of(contract_->clauses.begin(), contract_->clauses.end(), isIt) ? "unchanged"
                                                                                   : "not added";
  }

  static std::string seenText(const ClauseOutcome& worst, model::Unit unit, double room) {
    const std::string_view symbol = model::info(unit).symbol;
    return fmt::format("at most {:.4g}{}{}, n {} in the worst of {} window{}; {:.0f}% headroom",
                       worst.high, symbol.empty() || symbol == "%" ? "" : " ", symbol,
                       data::grouped(worst.observations), worst.windows,
                       worst.windows == 1 ? "" : "s", room * 100);
  }

  /// The blanks before it, where nothing else is on its line.
  std::optional<std::string> indentOf(const Span& span) const {
    std::size_t begin = before_.rfind('\n', span.begin);
    begin = begin == std::string::npos ? 0 : begin + 1;
    std::string out = before_.substr(begin, span.begin - begin);
    if (out.find_first_not_of(' ') != std::string::npos)
      return std::nullopt;
    return out;
  }

  void consider(const model::Clause& clause, const std::vector<ClauseOutcome>& outcomes) {
    const auto worst = worstOf(clause.id.text, outcomes);
    if (!worst || clause.directive || clause.bounds.size() != 1 || !isOf(clause.bounds.front()) ||
        !worst->bound)
      return;
    const double wanted = worst->high * (1 + room());
    if (!(wanted > 0) || wanted * worthAChange > *worst->bound)
      return;
    const model::Amount& limit = clause.bounds.front().limit;
    NewLimit change{clause.id.text, limit, wanted, *worst->bound, limit.span, {}, {}, {}, {}, {}};
    change.comment =
        fmt::format("Was {}: {}", model::print(limit), seenText(*worst, limit.unit, room()));
    if (const auto indent = indentOf(clause.id.span)) {
      change.indent = *indent;
      Span at = clause.id.span.start();
      at.begin -= static_cast<std::uint32_t>(indent->size());
      at.end = at.begin;
      change.commentAt = at;
    }
    changes_.push_back(std::move(change));
  }

  /// Behind the last clause of the section, where each has a line of its own.
  const model::Clause* lastOf(model::Family family) const {
    const model::Clause* out = nullptr;
    for (const model::Clause& each : contract_->clauses)
      if (each.family == family && (out == nullptr || out->span.end < each.span.end))
        out = &each;
    return out;
  }

  bool hasFigure(const SuggestedFigure& figure) const {
    return std::any_of(
        contract_->clauses.begin(), contract_->clauses.end(), [&](const model::Clause& clause) {
          return std::any_of(
              clause.bounds.begin(), clause.bounds.end(), [&](const model::Bound& bound) {
                const model::Measure& is = bound.measure;
                const std::string name(model::info(is.metric).symbol);
                const std::string written = is.absolute ? "abs(" + name + ")" : name;
                return written == figure.measure &&
                       (figure.isQuantile() ? is.aggregate == model::Aggregate::Quantile &&
                                                  is.level.get_d() == figure.share()
                                            : is.aggregate == model::Aggregate::Mean);
              });
        });
  }

  bool isTaken(std::string_view id) const {
    const auto isIt = [&](const auto& each) { return each.id.text == id; };
    return std::any_of(contract_->clauses.begin(), contract_->clauses.end(), isIt) ||
           std::any_of(contract_->claims.begin(), contract_->claims.end(), isIt) ||
           std::any_of(contract_->rules.begin(), contract_->rules.end(), isIt);
  }

  void addFigures() {
    const bool isOfRows = source_.layout().hasRows();
    const model::Family family = isOfRows ? model::Family::Numerical : model::Family::Statistical;
    const model::Clause* last = lastOf(family);
    const auto indent = last == nullptr ? std::nullopt : indentOf(last->id.span);
    if (!indent)
      return;
    const std::size_t lineEnd = before_.find('\n', last->span.end);
    if (lineEnd == std::string::npos)
      return;
    for (const SuggestedFigure& figure : suggestedFigures()) {
      if ((figure.source == Brings::Rows) != isOfRows || hasFigure(figure) || isTaken(figure.name))
        continue;
      const auto at = static_cast<std::uint32_t>(lineEnd + 1);
      NewLimit added{
          std::string(figure.name), {}, 0, std::nullopt, last->id.span, {}, {}, {}, {}, {}};
      added.at.begin = added.at.end = at;
      added.amount.unit = figure.unit == "%" ? model::Unit::Percent : model::Unit::Nat;
      added.require = figure.text();
      added.indent = *indent;
      added.confidence = percent(options_.confidence);
      added.limit = figure.unit == "%" ? 100 : 1e6;
      fresh_.push_back(std::move(added));
    }
    limitFresh();
  }

  /// What the figures come to on the contract's own slices, in its own windows.
  void limitFresh() {
    if (fresh_.empty())
      return;
    const CheckedDraft probe(composed());
    if (probe.hasErrors()) {
      fresh_.clear();
      return;
    }
    const std::vector<ClauseOutcome> outcomes = probe.measured(source_, jobs_);
    std::vector<NewLimit> kept;
    for (NewLimit& each : fresh_)
      if (const auto worst = worstOf(each.clause, outcomes); worst && worst->high > 0) {
        each.limit = worst->high * (1 + room());
        each.comment = seenText(*worst, each.amount.unit, room());
        kept.push_back(std::move(each));
      }
    fresh_ = std::move(kept);
  }

  std::string composed() const {
    EditSet edits;
    for (const NewLimit& each : changes_)
      each.addTo(edits);
    std::string lines;
    for (const NewLimit& each : fresh_)
      lines += each.lines();
    if (!fresh_.empty())
      edits.add(std::array{Edit{fresh_.front().at, lines}});
    return edits.apply(contract_->name.span.file, before_);
  }

  /// What the data or the pipeline object to is widened, and given up where nothing is left of it.
  void settle() {
    std::set<std::string> known;
    for (const diag::Diagnostic& each : base_.findings())
      known.insert(each.message);
    for (int round = 0; round < mostRounds && !(changes_.empty() && fresh_.empty()); ++round) {
      const CheckedDraft trial(composed());
      const auto found =
          std::find_if(trial.findings().begin(), trial.findings().end(),
                       [&](const diag::Diagnostic& each) { return !known.contains(each.message); });
      if (found != trial.findings().end()) {
        giveUp(trial.statementAt(found->span), found->message);
        --round; // there is one less
        continue;
      }
      if (!widen(trial.measured(source_, jobs_)))
        return;
    }
    if (changes_.empty() && fresh_.empty())
      return;
    changes_.clear();
    fresh_.clear();
    out_.notes.push_back("no limit can be changed: intervals stay open");
  }

  void giveUp(const std::string& clause, const std::string& why) {
    const auto isIt = [&](const NewLimit& each) { return each.clause == clause; };
    if (std::erase_if(changes_, isIt) + std::erase_if(fresh_, isIt) != 0) {
      out_.notes.push_back(fmt::format("{}: {}: {}", kept(clause), utf8::ticked(clause), why));
      return;
    }
    // It is about something else: which change brings it up is found by leaving each out.
    for (std::vector<NewLimit>* list : {&fresh_, &changes_})
      for (std::size_t i = list->size(); i-- > 0;) {
        NewLimit each = std::move((*list)[i]);
        list->erase(list->begin() + static_cast<std::ptrdiff_t>(i));
        const CheckedDraft without(composed());
        const bool isGone =
            std::none_of(without.findings().begin(), without.findings().end(),
                         [&](const diag::Diagnostic& finding) { return finding.message == why; });
        if (isGone || (changes_.empty() && fresh_.empty())) {
          out_.notes.push_back(
              fmt::format("{}: {}: {}", kept(each.clause), utf8::ticked(each.clause), why));
          return;
        }
        list->insert(list->begin() + static_cast<std::ptrdiff_t>(i), std::move(each));
      }
    changes_.clear();
    fresh_.clear();
    out_.notes.push_back(fmt::format("no limit can be changed: {}", why));
  }

  bool widen(const std::vector<ClauseOutcome>& outcomes) {
    bool isAny = false;
    for (std::vector<NewLimit>* list : {&changes_, &fresh_})
      for (auto each = list->begin(); each != list->end();) {
        const bool isKept =
            std::all_of(outcomes.begin(), outcomes.end(), [&](const ClauseOutcome& outcome) {
              return outcome.clause != each->clause || outcome.is == verdict::satisfied;
            });
        if (!isKept)
          each->limit *= widening;
        isAny = isAny || !isKept;
        const bool isWorthIt = !each->was || each->limit * worthAChange <= *each->was;
        each = isWorthIt ? each + 1 : list->erase(each);
      }
    return isAny;
  }

  const SuggestionOptions& options_;
  const data::Source& source_;
  const Look& look_;
  unsigned jobs_;
  const std::string& before_;
  CheckedDraft base_;
  const model::Contract* contract_ = nullptr;
  std::vector<NewLimit> changes_, fresh_;
  TighteningResult out_;
};

} // namespace

TighteningResult tighten(const std::string& contract, const SuggestionOptions& options,
                         const data::Source& source, const Look& look, unsigned jobs) {
  return Tightener(contract, options, source, look, jobs).take();
}

} // namespace tikc::suggest
