#include "lint/Lint.h"

#include "support/Utf8.h"

namespace tikc::lint {

using namespace model;
using utf8::ticked;

namespace {

void checkOrder(const LintInput& input, const Stage& earlier, const Stage& later) {
  if (later.kind < earlier.kind)
    input.sink
        .report<diag::StageOrder>(later.span, ticked(stageName(later.kind)),
                                  ticked(stageName(earlier.kind)))
        .relatedTo(earlier.span, "the stage before it");
}

void checkTraffic(const LintInput& input, const Stage& earlier, const Stage& later) {
  if (earlier.kind < later.kind && earlier.traffic && later.traffic &&
      later.traffic->scaled() < earlier.traffic->scaled())
    input.sink
        .report<diag::TrafficShrinks>(later.traffic->span, ticked(stageName(later.kind)),
                                      ticked(stageName(earlier.kind)))
        .relatedTo(earlier.traffic->span, "the earlier stage has more");
}

/// What a stage asks for that the one before it asked for more of.
void checkEvidence(const LintInput& input, const Stage& earlier, const Stage& later) {
  using Asked = std::optional<Amount> Stage::*;
  static constexpr std::pair<std::string_view, Asked> asked[] = {
      {"tokens", &Stage::tokens}, {"sequences", &Stage::sequences}, {"lasts", &Stage::lasts}};
  // A recording is as long as it is.
  if (earlier.kind >= later.kind || earlier.kind == StageKind::Offline)
    return;
  for (const auto& [name, of] : asked)
    if (const auto& before = earlier.*of, &now = later.*of;
        before && now && now->scaled() < before->scaled())
      input.sink
          .report<diag::StageAsksLess>(now->span, ticked(stageName(later.kind)), ticked(name),
                                       ticked(stageName(earlier.kind)))
          .relatedTo(before->span, "the earlier stage asks for more");
}

/// A window that is longer than its stage ends in none.
void checkWindow(const LintInput& input, const Stage& stage) {
  if (stage.window && stage.lasts && stage.window->dimension() == stage.lasts->dimension() &&
      stage.window->scaled() > stage.lasts->scaled())
    input.sink.report<diag::WindowOutlastsStage>(stage.window->span, ticked(stageName(stage.kind)))
        .relatedTo(stage.lasts->span, "the stage may end sooner");
}

/// A stage that asks for more tokens than its traffic brings in a year can only be a slip.
void checkReachable(const LintInput& input, const Stage& stage) {
  const auto& load = input.contract.load.tokens;
  if (!load || !stage.tokens || !stage.traffic)
    return;
  Rational rate = load->scaled() * stage.traffic->scaled();
  if (rate <= 0) // reported where the rate is typed
    return;
  Rational days = stage.tokens->scaled() / rate / 86400;
  if (days > 365)
    input.sink.report<diag::StageOutOfReach>(stage.tokens->span, ticked(stageName(stage.kind)),
                                             mpz_class(days).get_ui());
}

/// It says so once, not at each stage.
void checkDraft(const LintInput& input) {
  const auto& stages = input.contract.stages;
  if (input.contract.draft && !stages.empty())
    input.sink.report<diag::DraftNotPromoted>(*input.contract.draft)
        .relatedTo(stages.front().span, "the first of its stages");
}

} // namespace

void lintPromotion(const LintInput& input) {
  checkDraft(input);
  const auto& stages = input.contract.stages;
  for (std::size_t i = 0; i < stages.size(); ++i) {
    if (i > 0) {
      checkOrder(input, stages[i - 1], stages[i]);
      checkTraffic(input, stages[i - 1], stages[i]);
      checkEvidence(input, stages[i - 1], stages[i]);
    }
    checkWindow(input, stages[i]);
    checkReachable(input, stages[i]);
  }
}

} // namespace tikc::lint
