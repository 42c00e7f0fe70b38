#include "checker/engine/LoadedTokens.h"

#include <array>

namespace tikc::engine {
namespace token_passes {
namespace {

using namespace token_want;

template <std::uint32_t Wants> struct Variant {
  static constexpr std::uint32_t wants = Wants;
  static constexpr std::array<float, 0> above{}, below{}, beyond{};
};

// Whether log q is looked at decides which tokens are too far off for single precision, and with it
// the last bits of each sum: a pass that looks at it never stands for one that does not.
constexpr std::uint32_t ofGap = gap | gap_size | k2 | range | places;
constexpr std::uint32_t ofVariation = ofGap | k3 | tv_sampled | tv_square;
constexpr std::uint32_t ofRatio = ofVariation | ratio;
constexpr std::uint32_t ofFactors = ofRatio | mult_prob_error;
constexpr std::uint32_t ofLogprobs = ofGap | logprobs;
constexpr std::uint32_t ofProbs = ofRatio | prob_gap | prob_gap_square | logprobs;
constexpr std::uint32_t looksAtLogprobs = logprobs | prob_gap | prob_gap_square | pearson;

template <std::uint32_t... Each> struct TokenList {};

/// From the least to the most.
using TokenVariants =
    TokenList<none, gap | range, gap_size | range | places, ofGap, gap | gap_size | k3, ofGap | k3,
              ofVariation, ofRatio, ofFactors, ofLogprobs, ofProbs, everything & ~sketch>;

constexpr bool serves(std::uint32_t has, std::uint32_t wanted) {
  const bool looks = (has & looksAtLogprobs) != 0;
  return (wanted & ~has) == 0 && looks == ((wanted & looksAtLogprobs) != 0);
}

/// Those whose x is given are few: data of double precision are no hot path.
using GappedVariants = TokenList<ofFactors, everything & ~sketch>;

/// Calls with the first variant that serves, as a type.
template <std::uint32_t... Each, typename Take>
void chooseVariant(TokenList<Each...>, std::uint32_t wanted, Take&& take) {
  bool isFound = false;
  auto offer = [&](auto has) {
    constexpr std::uint32_t wants = decltype(has)::value;
    if (isFound || !serves(wants, wanted & ~sketch))
      return;
    isFound = true;
    if ((wanted & sketch) != 0)
      take(Variant<wants | sketch>());
    else
      take(Variant<wants>());
  };
  (offer(std::integral_constant<std::uint32_t, Each>()), ...);
}

} // namespace
} // namespace token_passes

LoadedTokens::pass::pass(detail::token_isa isa, const LoadedTokens& plan)
    : count_(detail::choose_threshold_pass(isa)),
      hasThresholds_(plan.above.size() + plan.below.size() + plan.beyond.size() > 0) {
  token_passes::chooseVariant(token_passes::TokenVariants(), plan.wants, [&](auto variant) {
    const auto chosen = detail::choose_pass_of<decltype(variant), Stats>(isa);
    pass_ = chosen.run;
    block_tokens = chosen.block_tokens;
  });
  token_passes::chooseVariant(token_passes::GappedVariants(), plan.wants, [&](auto variant) {
    gappedPass_ = detail::choose_gapped_pass_of<decltype(variant), Stats>(isa);
  });
  for (std::size_t i = 0; i < token_sum_count; ++i)
    if (!detail::wants_sum(plan.wants, static_cast<token_sum>(i)))
      unwanted_ |= 1U << i;
}

detail::block_totals LoadedTokens::pass::run(Stats& stats, const float* train, const float* infer,
                                             const std::uint8_t* mask, std::size_t size) const {
  const detail::block_totals out = pass_(stats, train, infer, mask, size);
  finish(stats, train, infer, nullptr, mask, size);
  return out;
}

detail::block_totals LoadedTokens::pass::run_gapped(Stats& stats, const float* train,
                                                    const float* infer, const float* gap,
                                                    const std::uint8_t* mask,
                                                    std::size_t size) const {
  const detail::block_totals out = gappedPass_(stats, train, infer, gap, mask, size);
  finish(stats, train, infer, gap, mask, size);
  return out;
}

void LoadedTokens::pass::finish(Stats& stats, const float* train, const float* infer,
                                const float* gap, const std::uint8_t* mask,
                                std::size_t size) const {
  for (std::size_t i = 0; i < token_sum_count; ++i)
    if ((unwanted_ >> i & 1U) != 0)
      stats.sums[i] = {};
  if (hasThresholds_) {
    const LoadedTokens& tokens = stats.plan();
    count_({tokens.above.data(), tokens.below.data(), tokens.beyond.data(), tokens.above.size(),
            tokens.below.size(), tokens.beyond.size(), stats.above.data(), stats.below.data(),
            stats.beyond.data()},
           train, infer, gap, mask, size);
  }
}

} // namespace tikc::engine
