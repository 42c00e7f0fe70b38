#include "sema/Types.h"

#include "model/Keys.h"
#include "sema/ForeignNames.h"

#include <fmt/format.h>

#include <algorithm>

namespace tikc::sema {

using namespace model;
using utf8::ticked;

namespace {

/// No response is longer, and no proof of one is checked.
constexpr long longestHorizon = 10'000'000;

class FactChecker {
public:
  FactChecker(FileContext& context, const Symbols& symbols, Contract& contract)
      : context_(context), symbols_(symbols), contract_(contract) {}

  void run() {
    for (const Kernel& kernel : contract_.kernels)
      checkKernel(kernel);
    checkChain();
    atLeast(contract_.policy.temperature, "the temperature", 0, false);
    atLeast(contract_.policy.logitBound, "`logit_bound`", 0, true);
    if (contract_.policy.vocabulary && contract_.policy.vocabulary->value > mostNumbered)
      outOfRange(contract_.policy.vocabulary->span, "`vocabulary`",
                 fmt::format("at most {}", mostNumbered));
    if (contract_.policy.horizon) {
      checkAmount(context_, *contract_.policy.horizon, {Dimension::Tokens}, "the horizon");
      if (contract_.policy.horizon->scaled() > longestHorizon)
        outOfRange(contract_.policy.horizon->span, "the horizon",
                   fmt::format("at most {} tokens", longestHorizon));
    }
    checkLoad();
    checkAssumptions();
    for (const Slice& slice : contract_.slices) {
      share(slice.weight, "a slice's weight");
      share(slice.tokenWeight, "a slice's token weight");
      checkLengths(slice.meanLength, slice.leastMeanLength);
    }
    checkLengthsOfSlices();
    for (const Stage& stage : contract_.stages)
      checkStage(stage);
  }

private:
  std::string written(const Span& span) const { return ticked(context_.sources.text(span)); }

  void outOfRange(const Span& span, std::string_view subject, std::string_view wanted) {
    context_.sink.report<diag::ValueOutOfRange>(span, subject, written(span), wanted);
  }

  void atLeast(const std::optional<Number>& number, std::string_view subject, long least,
               bool strictly) {
    if (number && (number->value < least || (strictly && number->value == least)))
      outOfRange(number->span, subject,
                 strictly ? fmt::format("above {}", least) : fmt::format("{} or more", least));
  }

  void share(const std::optional<Amount>& quantity, std::string_view subject) {
    if (quantity)
      checkShare(context_, *quantity, true, subject);
  }

  void checkKernel(const Kernel& kernel) {
    for (const auto& format : kernel.formats)
      if (format)
        checkFormat(*format);
    if (kernel.router)
      checkFormat(*kernel.router);
    if (kernel.experts && kernel.expertsPerToken &&
        kernel.expertsPerToken->value > kernel.experts->value)
      outOfRange(kernel.expertsPerToken->span, "`experts_per_token`", "at most `experts`");
    atLeast(kernel.sampling.temperature, "the temperature", 0, false);
    for (const auto* mass : {&kernel.sampling.topP, &kernel.sampling.minP})
      if (*mass && ((*mass)->value < 0 || (*mass)->value > 1))
        outOfRange((*mass)->span, mass == &kernel.sampling.topP ? "`top_p`" : "`min_p`",
                   "between 0 and 1");
  }

  /// A format that tikc does not know must be quoted, so that a misspelt one is not taken for it.
  void checkFormat(const Text& format) {
    auto known = splitWords(model::info(Shape::NumberFormat).words);
    if (std::find(known.begin(), known.end(), format.value) != known.end())
      return;
    char first = context_.sources.get(format.span.file).text[format.span.begin];
    if (first == '"' || first == '\'')
      return;
    reportUnknown<diag::UnknownFormat>(context_, format.value, format.span, known,
                                       model::AliasOf::Format)
        .unsafeFix("quote it as a format of your own", {{format.span, '"' + format.value + '"'}});
  }

  void checkChain() {
    for (const Name& name : contract_.chain)
      if (!symbols_.isKernel(name.text))
        reportUnknown<diag::UnknownKernel>(context_, name.text, name.span, symbols_.kernelNames());
    for (std::size_t i = 0; i < contract_.chain.size(); ++i)
      for (std::size_t j = 0; j < i; ++j)
        if (contract_.chain[i].text == contract_.chain[j].text)
          context_.sink
              .report<diag::KernelTwice>(contract_.chain[i].span, ticked(contract_.chain[i].text))
              .relatedTo(contract_.chain[j].span, "first here");
    if (!contract_.isPair && contract_.chain.size() < 2 && !contract_.chain.empty())
      context_.sink.report<diag::ChainTooShort>(contract_.chain.front().span);
  }

  void checkLoad() {
    struct Row {
      const std::optional<Amount>& rate;
      Dimension dimension;
      std::string_view name;
    };
    const Load& load = contract_.load;
    for (const Row& row : {Row{load.tokens, Dimension::Tokens, "`tokens`"},
                           Row{load.requests, Dimension::Requests, "`requests`"},
                           Row{load.sequences, Dimension::Sequences, "`sequences`"},
                           Row{load.steps, Dimension::Steps, "`steps`"}}) {
      if (!row.rate)
        continue;
      bool unit = row.rate->unit == Unit::None || row.rate->dimension() == row.dimension;
      bool rate = row.rate->per && info(*row.rate->per).dimension == Dimension::Time;
      if (!unit || !rate)
        context_.sink.report<diag::UnitMismatch>(row.rate->span, row.name, written(row.rate->span))
            .note("expected a rate such as 200 per s");
      else if (row.rate->value <= 0)
        context_.sink.report<diag::AmountOutOfRange>(row.rate->span, row.name,
                                                     written(row.rate->span), "a positive rate");
    }
  }

  void checkAssumptions() {
    Assumptions& given = contract_.assumptions;
    if (given.support && given.support->kind != SupportKind::Full &&
        (given.support->value < 0 || given.support->value > 1 ||
         (given.support->kind == SupportKind::TopP && given.support->value == 0)))
      outOfRange(given.support->span,
                 given.support->kind == SupportKind::TopP ? "`top_p`" : "`missing_mass`",
                 "a share of at most 100%");
    for (const auto* range : {&given.reward, &given.stepReward})
      if (*range && (*range)->low > (*range)->high)
        context_.sink.report<diag::ReversedRange>((*range)->span, "is above");
    atLeast(given.rewardSigma, "`reward_sigma`", 0, false);
    atLeast(given.rewardLipschitz, "`reward_lipschitz`", 0, false);
    atLeast(given.advantage, "`advantage`", 0, false);
    atLeast(given.scoreNorm, "`score_norm`", 0, false);
    atLeast(given.ratioCap, "`ratio_cap`", 1, false);
    atLeast(given.group, "`group`", 2, false);
    atLeast(given.headNorm, "`head_norm`", 0, false);
    checkLengths(given.meanLength, given.leastMeanLength);
    for (const Layer& layer : given.layers) {
      atLeast(layer.error, "`error`", 0, false);
      atLeast(layer.gain, "`gain`", 0, false);
    }
    if (given.staleness)
      atLeast(given.staleness->logitOsc, "`logit_osc`", 0, false);
    if (given.discount && (given.discount->value <= 0 || given.discount->value > 1))
      outOfRange(given.discount->span, "`discount`", "above 0 and at most 1");
    if (given.correction)
      typeCall(context_, symbols_, *given.correction, model::CallPlace::Correction);
  }

  /// Nothing where it is said in another unit, of which people were told.
  static std::optional<Rational> tokensOf(const std::optional<Amount>& amount) {
    return amount && amount->dimension() == Dimension::Tokens ? std::optional(amount->scaled())
                                                              : std::nullopt;
  }

  void checkLengths(const std::optional<Amount>& most, const std::optional<Amount>& least) {
    if (most)
      checkAmount(context_, *most, {Dimension::Tokens}, "`mean_length`");
    if (!least)
      return;
    checkAmount(context_, *least, {Dimension::Tokens}, "`least_mean_length`");
    auto isAbove = [&, tokens = tokensOf(least)](const std::optional<Amount>& other) {
      auto limit = tokensOf(other);
      return tokens && limit && *tokens > *limit;
    };
    if (isAbove(most))
      outOfRange(least->span, "`least_mean_length`", "at most `mean_length`");
    else if (isAbove(contract_.policy.horizon))
      outOfRange(least->span, "`least_mean_length`", "at most the horizon");
  }

  /// What slices say of their lengths and what is said of all together go together.
  void checkLengthsOfSlices() {
    const Assumptions& given = contract_.assumptions;
    Rational shares = 0, least = 0, most = 0;
    bool isBounded = true;
    for (const Slice& slice : contract_.slices) {
      if (!slice.weight)
        continue;
      Rational share = slice.weight->scaled();
      shares += share;
      least += share * tokensOf(slice.leastMeanLength).value_or(Rational(0));
      most += share * tokensOf(slice.meanLength).value_or(Rational(0));
      isBounded = isBounded && (share == 0 || tokensOf(slice.meanLength));
    }
    if (shares > 1)
      return; // which is told
    auto byWeights = [](std::string_view side, const Rational& tokens) {
      return fmt::format("at {} {} tokens (the slices' mean by weight)", side,
                         printRational(tokens));
    };
    if (auto tokens = tokensOf(given.meanLength); tokens && *tokens < least)
      outOfRange(given.meanLength->span, "`mean_length`", byWeights("least", least));
    auto tokens = tokensOf(given.leastMeanLength);
    if (tokens && isBounded && shares == 1 && *tokens > most)
      outOfRange(given.leastMeanLength->span, "`least_mean_length`", byWeights("most", most));
  }

  void checkStage(const Stage& stage) {
    if (stage.traffic)
      checkShare(context_, *stage.traffic, false, "a stage's traffic");
    if (stage.confidence)
      checkLevel(context_, *stage.confidence);
    if (stage.corridor)
      checkShare(context_, *stage.corridor, false, "a corridor");
    if (stage.window)
      checkAmount(context_, *stage.window,
                  {Dimension::Time, Dimension::Tokens, Dimension::Sequences, Dimension::Requests,
                   Dimension::Steps},
                  "a window");
    if (stage.tokens)
      checkAmount(context_, *stage.tokens, {Dimension::Tokens}, "`tokens`");
    if (stage.sequences)
      checkAmount(context_, *stage.sequences, {Dimension::Sequences}, "`sequences`");
    if (stage.lasts)
      checkAmount(context_, *stage.lasts, {Dimension::Time}, "`lasts`");
  }

  FileContext& context_;
  const Symbols& symbols_;
  Contract& contract_;
};

} // namespace

void checkFacts(FileContext& context, const Symbols& symbols, Contract& contract) {
  FactChecker(context, symbols, contract).run();
}

} // namespace tikc::sema
