#include "engine/Within.h"

#include <cmath>

namespace tikc::engine {
namespace {

template <class Visit>
void eachBoundOn(const LoadedPlan& plan, source what, std::size_t stream, std::size_t slice,
                 Visit&& visit) {
  for (std::size_t i = 0; i < plan.checks.size(); ++i) {
    const check& each = plan.checks[i];
    if (each.how != estimator::largest && each.how != estimator::smallest)
      continue;
    const signal& of = plan.signal_table[each.signal];
    if (of.from == what && of.stream == stream && (each.on_mixture || plan.binds[i][slice] != 0))
      visit(each, of);
  }
}

bool meetsAll(const check& of, double value) { return detail::holds(of, {value, value}); }

} // namespace

void markWithin(const LoadedPlan& plan, std::size_t stream, std::size_t slice,
                const token_batch& tokens, std::span<std::uint8_t> out) {
  for (std::size_t i = 0; i < out.size(); ++i)
    out[i] = tokens.mask == nullptr || tokens.mask[i] != 0 ? 1 : 0;
  eachBoundOn(plan, source::tokens, stream, slice, [&](const check& bound, const signal& of) {
    for (std::size_t i = 0; i < out.size(); ++i)
      if (out[i] != 0 && !meetsAll(bound, detail::token_value(of, tokens, i)))
        out[i] = 0;
  });
}

bool isWithin(const LoadedPlan& plan, std::size_t stream, std::size_t slice,
              const sequence& response) {
  bool out = true;
  if (response.tokens != 0)
    eachBoundOn(plan, source::sequences, stream, slice, [&](const check& bound, const signal& of) {
      const double value = detail::is_by_response(of) ? detail::mean_by_response(of, response)
                                                      : detail::sequence_value(of, response);
      out = out && meetsAll(bound, of.absolute ? std::abs(value) : value);
    });
  return out;
}

} // namespace tikc::engine
