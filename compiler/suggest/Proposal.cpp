#include "suggest/Proposal.h"

#include "data/Fault.h"
#include "suggest/Claims.h"
#include "support/Check.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>

namespace tikc::suggest {
namespace {

// A window is half of what the smallest slice brought, so that as much again fills one.
constexpr std::uint64_t windowsWanted = 2;
constexpr std::uint64_t mostTokens = 1'000'000, mostResponses = 20'000;
constexpr std::uint64_t leastOfTokens = 1'000, leastOfResponses = 30;
constexpr double errorsOfRoom = 3; // of a difference of two halves
constexpr int mostWidenings = 8;

/// Two digits, rounded down.
std::uint64_t roundedDown(std::uint64_t number) {
  std::uint64_t unit = 1;
  while (number / unit >= 100)
    unit *= 10;
  return number / unit * unit;
}

class Proposing {
public:
  Proposing(const SuggestionOptions& options, const data::Source& source, const Look& look,
            unsigned jobs)
      : options_(options), source_(source), look_(look), jobs_(jobs),
        partition_(partitionOf(look)), draft_{options, partition_, {}, 0,  0,  0,
                                              0,       {},         {}, {}, {}, false} {}

  Proposal take() {
    draft_.source = source_.layout().hasRows() ? Brings::Rows : Brings::Tokens;
    draft_.vocabulary = look_.vocabulary;
    if (std::string why = whyRefused(); !why.empty())
      return {{}, std::move(why), {}};
    sizeWindows();
    if (draft_.tokens < leastOfTokens && partition_.isAny()) {
      partition_.giveUp(look_, "a slice would have too few tokens for limits of its own");
      sizeWindows();
    }
    if (draft_.tokens < leastOfTokens)
      return {{},
              fmt::format("too few tokens for a useful limit: expected at least {1}, found {0}",
                          data::grouped(look_.all.tokens + look_.all.rows),
                          data::grouped(leastOfTokens * windowsWanted)),
              {}};
    if (std::string why = setTolerances(); !why.empty())
      return {{}, std::move(why), {}};
    tellHead();
    if (fault_.empty())
      settle();
    if (!fault_.empty())
      return {{}, {}, fault_};
    if (draft_.clauses.empty())
      return {{}, "no metric of these data has a useful limit", {}};
    return {finished(), {}, {}};
  }

private:
  std::string whyRefused() const {
    if (look_.nonFinite != 0)
      return fmt::format("log-probs that count and are not numbers: {}; find this fault first, "
                         "since no limit can cover it",
                         data::grouped(look_.nonFinite));
    if (look_.all.tokens + look_.all.rows == 0)
      return "no tokens or rows count";
    return {};
  }

  void sizeWindows() {
    std::uint64_t tokens = mostTokens * windowsWanted, responses = mostResponses * windowsWanted;
    for (const ProposedSlice* each : partition_.all()) {
      tokens = std::min(tokens, each->tokens + each->rows);
      responses = std::min(responses, each->responses);
    }
    draft_.tokens = roundedDown(draft_.source == Brings::Rows ? tokens : tokens / windowsWanted);
    draft_.responses = roundedDown(responses / windowsWanted);
    if (look_.all.size.count != 0)
      draft_.meanLength =
          static_cast<double>(look_.all.tokens) / static_cast<double>(look_.all.size.count);
  }

  double alpha() const { return 1 - options_.confidence.get_d(); }

  /// Every figure that so much data can have an interval of, with the limits of a probe.
  void ask() {
    std::vector<const ProposedSlice*> slices = partition_.all();
    if (!partition_.isAny())
      slices = {nullptr};
    for (const SuggestedFigure& figure : suggestedFigures()) {
      if (figure.source != draft_.source)
        continue;
      if (figure.per == Per::Response &&
          (partition_.cutsResponses || draft_.responses < leastOfResponses)) {
        leave(figure, partition_.cutsResponses ? "a slice by position cuts responses"
                                               : "too few responses");
        continue;
      }
      std::string level;
      if (figure.isQuantile()) {
        level = levelAbove(figure.share(), draft_.tokens, alpha());
        if (level.empty()) {
          leave(figure, fmt::format("{} tokens are too few", data::grouped(draft_.tokens)));
          continue;
        }
      }
      for (const ProposedSlice* slice : slices)
        draft_.clauses.push_back({&figure,
                                  slice,
                                  slice == nullptr ? std::string(figure.name)
                                                   : fmt::format("{}_{}", figure.name, slice->name),
                                  figure.text(level),
                                  std::string(figure.probe),
                                  {}});
    }
  }

  void leave(const SuggestedFigure& figure, std::string_view why) {
    draft_.left.push_back(fmt::format("Without {}: {}.", figure.text(), why));
  }

  std::string setTolerances() {
    ask();
    const CheckedDraft probe(draft_.text());
    if (probe.hasErrors()) {
      fault_ = probe.findings().front().message;
      return {};
    }
    const std::vector<ClauseOutcome> outcomes = probe.measured(source_, jobs_, &diagnosis_);
    for (const ClauseOutcome& each : outcomes) {
      if (each.is != verdict::violated)
        continue;
      if (each.clause == "coherent")
        return fmt::format("the mean of the ratios p/q is {:.4g} on `{}`, but it is at most 1 if "
                           "tokens are sampled from the logged distribution: with {} confidence "
                           "the record is wrong, and no limit on the kernels follows from it",
                           each.value, each.slice, draft_.confidence());
      if (each.clause == "finite")
        return fmt::format("logits that are not numbers, or masked on only one side: {:g}; find "
                           "this fault first, since no limit can cover it",
                           each.value);
    }
    std::vector<DraftClause> kept;
    for (DraftClause& clause : draft_.clauses) {
      const auto found =
          std::find_if(outcomes.begin(), outcomes.end(),
                       [&](const ClauseOutcome& each) { return each.clause == clause.id; });
      if (found != outcomes.end() && found->windows != 0 && std::isfinite(found->high))
        kept.push_back(limited(std::move(clause), *found));
      else
        leave(*clause.figure, fmt::format("no window of `{}` was full", clause.id));
    }
    draft_.clauses = std::move(kept);
    return {};
  }

  /// How far apart the means of two such data may be by chance, responses counted.
  double roomOf(const ProposedSlice* slice) const {
    const ResponseMeans& size = look_.all.size;
    if (size.count < 2 || !(size.mean() > 0))
      return 0;
    const double responses = static_cast<double>(
        slice == nullptr ? size.count : std::max<std::uint64_t>(1, slice->responses));
    return errorsOfRoom * std::sqrt(2 * size.variance() / responses) / size.mean();
  }

  double noiseFloor(const SuggestedFigure& figure) const {
    if (figure.source == Brings::Rows)
      return 0;
    if (figure.unit == "nat")
      return look_.grid.step();
    // Of log-ratios so small the total variation is half of their mean size at most.
    const double token = look_.grid.usualStep() / 2;
    return 100 * (figure.per == Per::Token ? token : token * std::sqrt(draft_.meanLength));
  }

  DraftClause limited(DraftClause clause, const ClauseOutcome& seen) const {
    const SuggestedFigure& figure = *clause.figure;
    const double room = std::max(options_.headroom.get_d(), roomOf(clause.slice));
    const double floor = noiseFloor(figure);
    const double wanted = seen.high * (1 + room);
    clause.measure = figure.text();
    clause.limit = roundedUp(std::max(wanted, floor)) + unitOf(figure);
    const std::string unit = unitOf(figure);
    const std::string value =
        figure.isQuantile() ? fmt::format("upper end of the interval {:.4g}{}", seen.high, unit)
                            : fmt::format("{0:.4g}{1} in [{2:.4g}{4}, {3:.4g}{4}]", seen.value,
                                          unit, seen.low, seen.high, figure.unit == "%" ? "%" : "");
    const std::string why = wanted < floor
                                ? fmt::format("raised to what storing {} does", look_.grid.format())
                            : room > options_.headroom.get_d()
                                ? fmt::format("{:.0f}% headroom instead of {}, because responses "
                                              "differ",
                                              room * 100, percent(options_.headroom))
                                : fmt::format("{} headroom", percent(options_.headroom));
    clause.comment = fmt::format(
        "{}: {}, n {}, the worst of {} window{}; {}.", capitalised(figure.meaning), value,
        data::grouped(seen.observations), seen.windows, seen.windows == 1 ? "" : "s", why);
    return clause;
  }

  static std::string unitOf(const SuggestedFigure& figure) {
    return figure.unit == "%" ? "%" : fmt::format(" {}", figure.unit);
  }
  static std::string capitalised(std::string_view text) {
    std::string out(text);
    out.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(out.front())));
    return out;
  }

  void tellHead() {
    std::vector<std::string>& head = draft_.head;
    const bool isOfRows = draft_.source == Brings::Rows;
    head.push_back(
        isOfRows
            ? fmt::format("Suggested by `tikc suggest` from {} rows of logits, with {} headroom at "
                          "{} confidence.",
                          data::grouped(look_.all.rows), percent(options_.headroom),
                          draft_.confidence())
            : fmt::format("Suggested by `tikc suggest` from {} responses with {} tokens, with {} "
                          "headroom at {} confidence.",
                          data::grouped(look_.all.size.count), data::grouped(look_.all.tokens),
                          percent(options_.headroom), draft_.confidence()));
    head.push_back("Intervals are of the contexts that a window served. Read each number before "
                   "you promise it.");
    if (!isOfRows)
      head.push_back(fmt::format("All log-probs are {} numbers, down to -{:.3g}: storing both "
                                 "sides so moves a log-ratio by up to {:.2g} nat.",
                                 look_.grid.format(), look_.grid.largest, look_.grid.step()));
    if (isOfRows && !options_.hasFullSupport)
      head.push_back("Rows compare whole laws: with --full-support it is claimed what follows for "
                     "what is served.");
    if (diagnosis_.state == data::DiagnosisState::named)
      head.push_back(fmt::format("The data are {}, as `tikc diagnose` shows: the limits allow this "
                                 "fault, unless you fix it first.",
                                 diagnosis_.outcome()));
    for (const std::string& note : partition_.notes)
      head.push_back(fmt::format("Not sliced by: {}.", note));
    if (look_.reward.responses != 0 && !options_.reward)
      head.push_back(fmt::format("Rewards from {:g} to {:g} were seen; say what they can be by "
                                 "--reward, and what follows for their drift is claimed.",
                                 look_.reward.smallest, look_.reward.largest));
    if (look_.advantage.responses != 0 && !(options_.advantage && options_.scoreNorm))
      head.push_back(fmt::format("Advantages from {:g} to {:g} were seen; with --advantage and "
                                 "--score-norm the gradient's bias is claimed.",
                                 look_.advantage.smallest, look_.advantage.largest));
  }

  /// What the pipeline objects to goes, and what the data do not satisfy is widened or goes.
  void settle() {
    dropObjections();
    if (!fault_.empty())
      return;
    for (int i = 0; i <= mostWidenings && !draft_.clauses.empty(); ++i) {
      const CheckedDraft checked(draft_.text());
      const std::vector<ClauseOutcome> outcomes = checked.measured(source_, jobs_);
      if (adjust(outcomes, i == mostWidenings))
        continue;
      tellUndecided(outcomes);
      break;
    }
    addClaims(draft_);
    dropObjections();
  }

  void dropObjections() {
    for (;;) {
      const CheckedDraft checked(draft_.text());
      if (checked.findings().empty())
        return;
      const diag::Diagnostic& finding = checked.findings().front();
      const std::string id = checked.statementAt(finding.span);
      const auto isIt = [&](const auto& each) { return each.id == id; };
      const auto clause = std::find_if(draft_.clauses.begin(), draft_.clauses.end(), isIt);
      if (clause != draft_.clauses.end()) {
        draft_.left.push_back(fmt::format("Without {}, whose limit would be {}: {}.", clause->id,
                                          clause->limit, finding.message));
        draft_.clauses.erase(clause);
        draft_.claims.clear();
        continue;
      }
      if (std::erase_if(draft_.claims, isIt) == 0) {
        fault_ = finding.message;
        return;
      }
    }
  }

  void tellUndecided(const std::vector<ClauseOutcome>& outcomes) {
    for (const ClauseOutcome& each : outcomes)
      if (each.is == verdict::undecided && each.clause == "coherent")
        draft_.left.push_back(fmt::format("These data leave `coherent` undecided on {}: windows "
                                          "are too short for ratios that are so far apart.",
                                          each.slice));
  }

  /// Whether anything was not satisfied.
  bool adjust(const std::vector<ClauseOutcome>& outcomes, bool isLast) {
    bool isAny = false;
    std::vector<DraftClause> kept;
    for (DraftClause& clause : draft_.clauses) {
      const auto found =
          std::find_if(outcomes.begin(), outcomes.end(),
                       [&](const ClauseOutcome& each) { return each.clause == clause.id; });
      if (found == outcomes.end() || found->is == verdict::satisfied) {
        kept.push_back(std::move(clause));
        continue;
      }
      isAny = true;
      if (isLast) {
        leave(*clause.figure, "its interval stays open");
        continue;
      }
      constexpr double wider = 1.1;
      clause.limit = roundedUp(*found->bound * wider) + unitOf(*clause.figure);
      kept.push_back(std::move(clause));
    }
    draft_.clauses = std::move(kept);
    return isAny;
  }

  std::string finished() const {
    CheckedDraft checked(draft_.text());
    auto text = checked.formatted();
    TIKC_CHECK(text.has_value(), "what is suggested can be formatted");
    CheckedDraft again(*text);
    TIKC_CHECK(again.findings().empty() && again.formatted() == text,
               "what is suggested checks clean in canonical style");
    return *text;
  }

  const SuggestionOptions& options_;
  const data::Source& source_;
  const Look& look_;
  unsigned jobs_;
  SlicePartition partition_;
  Draft draft_;
  data::Diagnosis diagnosis_;
  std::string fault_;
};

} // namespace

Proposal propose(const SuggestionOptions& options, const data::Source& source, const Look& look,
                 unsigned jobs) {
  return Proposing(options, source, look, jobs).take();
}

} // namespace tikc::suggest
