#include "gate/Gate.h"

#include "gate/Corridor.h"
#include "measure/Forms.h"
#include "support/Utf8.h"
#include "tikc/confidence.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

namespace tikc::gate {
namespace {

using measure::Evidence;
using measure::EvidenceOrigin;
using measure::EvidencePiece;

const model::Stage& stageNamed(const GateRequest& request) {
  return *std::find_if(
      request.contract.stages.begin(), request.contract.stages.end(),
      [&](const model::Stage& each) { return model::stageName(each.kind) == request.stage; });
}

std::optional<double> numberOf(const std::optional<model::Amount>& amount) {
  return amount ? std::optional(amount->scaled().get_d()) : std::nullopt;
}

/// One look of a gate, step by step.
class GateLook {
public:
  GateLook(const GateRequest& request, const GateState& state)
      : asked_(request), state_(state), stage_(stageNamed(request)),
        stages_(stagesOf(request.contract)),
        at_(static_cast<std::size_t>(std::find(stages_.begin(), stages_.end(), request.stage) -
                                     stages_.begin())),
        wanted_(EvidenceOrigin::of(request.subject, request.stage)),
        progress_(state.progressOf(kernelOf(wanted_), stages_, at_)), out_{request} {}

  llvm::Expected<GateReport> run(const Evidence* evidence) {
    begin();
    const Evidence taken = evidence == nullptr ? Evidence() : chosen(*evidence);
    if (auto error = judge(taken))
      return error;
    if (!taken.pieces.empty())
      if (auto error = ask(taken))
        return error;
    holdQuotas();
    holdShares();
    holdAge();
    holdPlace();
    corridor();
    giveUp();
    std::stable_sort(
        out_.reasons.begin(), out_.reasons.end(),
        [](const Reason& a, const Reason& b) { return info(a.id).effect > info(b.id).effect; });
    out_.outcome = decide(out_.reasons);
    repeat(taken);
    finish(taken);
    return std::move(out_);
  }

private:
  void add(ReasonId id, std::string text, std::string clause = {}, std::string slice = {}) {
    out_.reasons.push_back({id, std::move(text), std::move(clause), std::move(slice)});
  }

  void begin() {
    out_.attempt = progress_.attempt;
    out_.confidence = numberOf(stage_.confidence).value_or(0.99);
    if (asked_.contract.draft)
      add(ReasonId::Draft, "the contract is a draft, which no stage promotes");
    if (asked_.now < state_.latest)
      add(ReasonId::ClockWentBack, fmt::format("the clock is {} behind an earlier decision; the "
                                               "duration of the stage counts from the later time",
                                               durationText(state_.latest - asked_.now)));
  }

  /// What the decision is to rest on.
  Evidence chosen(const Evidence& evidence) {
    Evidence out;
    out.shape = evidence.shape;
    out.origins = evidence.origins;
    out.kept = evidence.kept;
    const std::vector<std::string> others = measure::othersIn(evidence, wanted_);
    for (const std::string& each : others)
      add(ReasonId::Foreign, each);
    if (auto error = measure::whyNotJudged(evidence.shape, asked_.subject)) {
      std::string why = llvm::toString(std::move(error));
      if (others.empty()) // else it is no wonder
        add(ReasonId::Foreign, std::move(why));
      return out;
    }
    asksAgain(evidence);
    std::size_t closed = 0, spent = 0;
    std::set<data::PieceId> missing = progress_.used;
    for (const EvidencePiece& each : evidence.pieces) {
      missing.erase(each.id);
      if (!isSentBackAgain_ && progress_.closed.count(each.id) != 0)
        ++closed;
      else if (progress_.spent.count(each.id) != 0)
        ++spent;
      else if (evidence.origins[each.origin].differencesFrom(wanted_).empty())
        out.pieces.push_back(each);
    }
    leaveOut(closed, "from an attempt that was rolled back");
    leaveOut(spent, "that passed another stage");
    if (!missing.empty())
      add(ReasonId::Withheld, fmt::format("{} piece{} that an earlier decision of this stage used "
                                          "{} missing; a gate requires all evidence",
                                          missing.size(), missing.size() == 1 ? "" : "s",
                                          missing.size() == 1 ? "is" : "are"));
    return out;
  }

  void leaveOut(std::size_t count, std::string_view which) {
    if (count != 0)
      add(ReasonId::LeftOut, fmt::format("{} piece{} {} {} left out", count, count == 1 ? "" : "s",
                                         which, count == 1 ? "is" : "are"));
  }

  /// Whether it is all that the kernel was sent back by, and nothing else: then so it was.
  void asksAgain(const Evidence& evidence) {
    std::set<data::PieceId> asked;
    for (const EvidencePiece& each : evidence.pieces)
      if (evidence.origins[each.origin].differencesFrom(wanted_).empty())
        asked.insert(each.id);
    isSentBackAgain_ = progress_.sentBack && asked == progress_.sentBackBy;
    if (isSentBackAgain_)
      --out_.attempt;
  }

  llvm::Error judge(const Evidence& taken) {
    Terms terms = asked_.terms;
    const double attempt = static_cast<double>(out_.attempt);
    // Attempts share the stage's error: 1/(a(a + 1)) sums to 1 (S-LOOKS).
    terms.alpha = (1 - out_.confidence) / (attempt * (attempt + 1));
    auto judged = judgedOf(asked_.subject, asked_.contract, taken, terms);
    if (!judged)
      return judged.takeError();
    out_.rows = std::move(judged->rows);
    out_.alpha = judged->alpha;
    out_.tokens = judged->tokens;
    out_.responses = judged->responses;
    out_.isPartlyDated = judged->isUndated && judged->first;
    if (!judged->isUndated) {
      out_.first = judged->first;
      out_.last = judged->last;
    }
    out_.pieces = taken.pieces.size();
    if (taken.pieces.empty() || judged->tokens + judged->responses == 0)
      if (std::none_of(out_.rows.begin(), out_.rows.end(),
                       [](const GateRow& each) { return each.observations != 0; }))
        add(ReasonId::NoEvidence, "no observations");
    const measure::Intake intake = measure::summaryOf(taken).intake;
    if (const std::uint64_t lost =
            intake.report.broken + intake.report.unpaired + intake.unpaired + intake.strangers;
        lost != 0)
      add(ReasonId::PassedOver,
          fmt::format("{} record{} skipped, and what {} would have shown is unknown", lost,
                      lost == 1 ? " was" : "s were", lost == 1 ? "it" : "they"));
    if (auto error = data::whyNotMarked(intake.report))
      return error;
    const measure::ServedSettings settings(asked_.subject.plan, asked_.subject.stream);
    for (const auto& [key, count] : intake.otherSettings) {
      const measure::OtherSetting other = settings.read(key);
      add(ReasonId::OtherSettings,
          fmt::format("{} of {} record{} is {}, but the contract has {}", other.name, count,
                      count == 1 ? "" : "s",
                      other.inData.empty() ? "something else" : utf8::ticked(other.inData),
                      utf8::ticked(other.inContract)));
    }
    std::set<std::string> given;
    for (const GateRow& each : out_.rows) {
      if (each.outcome == verdict::violated)
        add(*each.fault, figureText(each), each.clause, each.slice);
      else if (each.outcome != verdict::satisfied)
        add(ReasonId::Undecided, each.why, each.clause, each.slice);
      if (!each.premise.empty() && given.insert(each.clause).second)
        add(ReasonId::Given, each.premise, each.clause);
    }
    for (const std::string& each : judged->unasked)
      add(ReasonId::Unasked, "recorded data do not show which share of the traffic is observed",
          each);
    return llvm::Error::success();
  }

  /// Rules, assumptions and claims, as `measure` has them.
  llvm::Error ask(const Evidence& taken) {
    const measure::MeasuredPlan& subject = asked_.subject;
    const engine::LoadedPolicy policy(subject.plan);
    auto measured = measure::measure(subject, policy, taken);
    if (!measured)
      return measured.takeError();
    holdRules(*measured);
    auto all = measure::MeasuredContract::of(subject, *measured,
                                             measure::rowsOf(subject, *measured, {}), {});
    all.observeClaims(asked_.contract, {});
    for (const measure::AssumptionRow& each : all.assumptions)
      if (each.state == assumption_state::broken)
        add(ReasonId::Broken,
            fmt::format("{} does not hold: {}", each.says, measure::offenceText(each)));
    for (const measure::ClaimRow& each : all.claims) {
      if (each.state == claim_state::suspended)
        add(ReasonId::Suspended, measure::reasonText(each), each.claim);
      for (const measure::ObservedBound& one : each.observed)
        if (one.isBeyond)
          add(ReasonId::Beyond, "the observations imply " + measure::observedText(each), each.claim,
              one.slice);
    }
    return llvm::Error::success();
  }

  void holdRules(const measure::Measurement& measured) {
    for (const auto& [rule, slice] : measured.activations.active()) {
      const plan::Rule& entry = asked_.subject.plan.rules[rule];
      const bool goesBack =
          std::any_of(entry.steps.begin(), entry.steps.end(), [](const plan::Step& step) {
            return std::any_of(step.actions.begin(), step.actions.end(), [](const auto& action) {
              return action.kind == action_kind::rollback;
            });
          });
      add(goesBack ? ReasonId::RuleGoesBack : ReasonId::RuleActive,
          fmt::format("rule {} is active", utf8::ticked(entry.id)), entry.id,
          asked_.subject.plan.slices[slice].name);
    }
  }

  void quota(std::string what, double has, const std::optional<double>& wants, ReasonId id) {
    if (!wants)
      return;
    out_.quotas.push_back({what, has, *wants});
    if (has >= *wants)
      return;
    add(id, id == ReasonId::TooShort
                ? fmt::format("it lasted {} of {}", durationText(has), durationText(*wants))
                : fmt::format("observed {:.0f} of {:.0f} {}", has, *wants, what));
    out_.missing.push_back(
        {id == ReasonId::TooShort ? durationText(*wants - has)
                                  : fmt::format("{:.0f} {}", *wants - has, what),
         id == ReasonId::TooShort ? std::optional(*wants - has) : waitFor(*wants - has, has)});
  }

  /// At the rate at which so many came.
  std::optional<double> waitFor(double more, double came) const {
    const double span = out_.first && out_.last ? *out_.last - *out_.first : 0;
    return span > 0 && came > 0 ? std::optional(more / (came / span)) : std::nullopt;
  }

  void holdQuotas() {
    quota("tokens", static_cast<double>(out_.tokens), numberOf(stage_.tokens), ReasonId::TooFew);
    quota("responses", static_cast<double>(out_.responses), numberOf(stage_.sequences),
          ReasonId::TooFew);
    quota("seconds", lasted(), numberOf(stage_.lasts), ReasonId::TooShort);
    for (const GateRow& each : out_.rows)
      if (each.outcome == verdict::undecided && each.needed) {
        const double has = static_cast<double>(each.units), more = *each.needed - has;
        out_.missing.push_back(
            {fmt::format("{:.0f} responses of {} for {}", more, each.slice, each.clause),
             waitFor(more, has)});
      }
  }

  /// Rolls back if nothing is missing but a verdict, and a clause is nowhere near one although as
  /// much came as the best values would need.
  void giveUp() {
    constexpr double mostTimes = 10;
    const bool isComplete =
        !out_.quotas.empty() &&
        std::none_of(out_.reasons.begin(), out_.reasons.end(), [](const Reason& each) {
          return info(each.id).effect == ReasonEffect::Hold && each.id != ReasonId::Undecided;
        });
    if (!isComplete)
      return;
    for (const GateRow& each : out_.rows) {
      const auto has = static_cast<double>(each.units);
      if (each.outcome != verdict::undecided || !each.fewest || has < *each.fewest)
        continue;
      const bool isBeyond = each.isUpper ? *each.value >= *each.bound : *each.value <= *each.bound;
      if (each.needed ? *each.needed > mostTimes * has : isBeyond)
        add(ReasonId::Futile,
            each.needed
                ? fmt::format("the stage has all that it requires, and {:.0f} times as many "
                              "responses like these would be needed to show that it is satisfied",
                              *each.needed / has)
                : "the stage has all that it requires, and no number of responses like these would "
                  "show that it is satisfied",
            each.clause, each.slice);
    }
  }

  /// Compares what came of each slice with its weight, which claims about all traffic use. Offline
  /// data are seldom sampled like traffic.
  void holdShares() {
    if (asked_.subject.plan.slicesByToken || stage_.kind == model::StageKind::Offline)
      return;
    std::map<std::string_view, std::uint64_t> came;
    for (const GateRow& each : out_.rows)
      if (each.slice != "*")
        came[each.slice] = std::max(came[each.slice], each.units);
    std::uint64_t all = 0;
    for (const plan::Slice& each : asked_.subject.plan.slices) {
      if (!each.isEmpty && !came.contains(each.name))
        return; // how many responses a slice has is known from its clauses
      all += came[each.name];
    }
    if (all == 0)
      return;
    // Responses to one prompt are all in one slice, so prompts are what is drawn.
    const double shared = std::max(asked_.terms.shared, 1.0);
    const double drawn = std::floor(static_cast<double>(all) / shared);
    const double alpha = (1 - out_.confidence) / static_cast<double>(came.size());
    for (const model::Slice& each : asked_.contract.slices) {
      const auto weight = numberOf(each.weight);
      if (!weight)
        continue;
      const auto count = static_cast<double>(came[each.name.text]);
      const interval share = bounded_mean(std::min(count / shared, drawn),
                                          static_cast<std::uint64_t>(drawn), 1, alpha);
      const double tolerated = std::max(0.1 * *weight, 0.01);
      if (share.low > *weight + tolerated || share.high < *weight - tolerated)
        add(ReasonId::OtherShares,
            fmt::format(
                "{:.3g}% of the responses, in [{:.3g}%, {:.3g}%], but its weight is {:.3g}%",
                100 * count / static_cast<double>(all), 100 * share.low, 100 * share.high,
                100 * *weight),
            {}, each.name.text);
    }
  }

  /// By the data's own times; else since the first look, by a clock that never went back. Unknown
  /// if only some data have times.
  double lasted() const {
    if (out_.isPartlyDated)
      return 0;
    if (out_.first && out_.last)
      return *out_.last - *out_.first;
    return progress_.since ? std::max(0.0, asked_.now - *progress_.since) : 0;
  }

  void holdAge() {
    std::optional<double> most = asked_.maxAge;
    if (!most && stage_.window && stage_.window->dimension() == model::Dimension::Time)
      most = numberOf(stage_.window);
    if (out_.pieces == 0)
      return;
    if (out_.isPartlyDated && (most || stage_.lasts))
      add(ReasonId::Undated, "only some data have times, so neither their age nor how long they "
                             "took is known");
    else if (!out_.last && most)
      add(ReasonId::Undated, "the data have no times, so their age is unknown");
    if (!out_.last)
      return;
    const double age = asked_.now - *out_.last;
    // Clocks of two machines differ by little.
    constexpr double tolerated = 60;
    if (age < -tolerated)
      add(ReasonId::Ahead,
          fmt::format("the last observation is {} ahead of the clock", durationText(-age)));
    else if (most && age > *most)
      add(ReasonId::Stale, fmt::format("the last observation is {} old; expected at most {}",
                                       durationText(age), durationText(*most)));
  }

  void holdPlace() {
    if (at_ > progress_.stage)
      add(ReasonId::Skipped, fmt::format("stage {} has not been passed", stages_[progress_.stage]));
    else if (at_ < progress_.stage)
      add(ReasonId::Passed,
          progress_.passed
              ? fmt::format("the stage was passed with {} piece{} of evidence",
                            progress_.passed->restsOn, progress_.passed->restsOn == 1 ? "" : "s")
              : "the stage was passed");
  }

  void corridor() {
    if (!stage_.corridor)
      return;
    const CorridorReading reading{state_, asked_.stage, numberOf(stage_.corridor).value_or(0)};
    for (Reason& each : corridorReasons(reading, out_.rows))
      out_.reasons.push_back(std::move(each));
  }

  /// The same question as that which was answered.
  void repeat(const Evidence& taken) {
    if (isSentBackAgain_)
      return answer(*progress_.sentBack);
    if (!progress_.passed || at_ >= progress_.stage || taken.pieces.size() != progress_.used.size())
      return;
    for (const EvidencePiece& each : taken.pieces)
      if (progress_.used.count(each.id) == 0)
        return;
    if (out_.outcome == GateOutcome::RollBack)
      return;
    answer(*progress_.passed);
  }

  void answer(const GateDecision& before) {
    out_.repeats = before.at;
    out_.outcome = before.outcome;
    out_.reasons = before.reasons;
  }

  void finish(const Evidence& taken) {
    const std::size_t to = out_.outcome == GateOutcome::Promote    ? at_ + 1
                           : out_.outcome == GateOutcome::RollBack ? (at_ == 0 ? 0 : at_ - 1)
                                                                   : at_;
    out_.goesTo = to < stages_.size() ? stages_[to] : "";
    // A clock that went back shortens no stage that begins with this look.
    const double at = std::max(asked_.now, state_.latest);
    out_.decided = {out_.outcome, asked_.stage,        kernelOf(wanted_), at,
                    {},           taken.pieces.size(), out_.reasons};
    for (const EvidencePiece& each : taken.pieces)
      if (progress_.used.count(each.id) == 0)
        out_.decided.pieces.push_back(each.id);
  }

  const GateRequest& asked_;
  const GateState& state_;
  const model::Stage& stage_;
  const std::vector<std::string> stages_;
  const std::size_t at_;
  const EvidenceOrigin wanted_;
  const KernelProgress progress_;
  bool isSentBackAgain_ = false;
  GateReport out_;
};

} // namespace

std::string durationText(double seconds) {
  if (seconds < 120)
    return fmt::format("{:.0f} s", seconds);
  if (seconds < 7200)
    return fmt::format("{:.0f} min", seconds / 60);
  return seconds < 172800 ? fmt::format("{:.1f} h", seconds / 3600)
                          : fmt::format("{:.1f} d", seconds / 86400);
}

std::vector<std::string> stagesOf(const model::Contract& contract) {
  std::vector<std::string> out;
  for (model::StageKind kind : {model::StageKind::Offline, model::StageKind::Shadow,
                                model::StageKind::Canary, model::StageKind::Full})
    if (std::any_of(contract.stages.begin(), contract.stages.end(),
                    [&](const model::Stage& each) { return each.kind == kind; }))
      out.emplace_back(model::stageName(kind));
  return out;
}

llvm::Expected<GateReport> gateReport(const GateRequest& request, const Evidence* evidence,
                                      const GateState& state) {
  return GateLook(request, state).run(evidence);
}

void keep(const GateReport& report, GateState& state) {
  state.latest = std::max(state.latest, report.request.now);
  if (report.repeats)
    return;
  state.decisions.push_back(report.decided);
}

llvm::Expected<AcceptedRun> acceptedRun(const GateRequest& request, const Evidence& evidence,
                                        std::string by, std::string because) {
  auto judged = judgedOf(request.subject, request.contract, evidence, request.terms);
  if (!judged)
    return judged.takeError();
  AcceptedRun out;
  out.stage = request.stage;
  out.origin = kernelOf(EvidenceOrigin::of(request.subject, request.stage));
  out.at = request.now;
  out.by = std::move(by);
  out.because = std::move(because);
  for (const EvidencePiece& each : evidence.pieces)
    out.pieces.push_back(each.id);
  for (const GateRow& each : judged->rows)
    if (each.sums)
      out.rows.push_back({each.clause, each.says, each.slice, *each.sums});
  return out;
}

} // namespace tikc::gate
