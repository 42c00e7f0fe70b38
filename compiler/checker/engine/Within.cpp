#include "checker/engine/Within.h"

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
    const signal& subject = plan.signal_table[each.signal];
    if (subject.from == what && subject.stream == stream &&
        (each.on_mixture || plan.binds[i][slice] != 0))
      visit(each, subject);
  }
}

bool meetsAll(const check& criterion, double value) {
  return detail::holds(criterion, {value, value});
}

} // namespace

void markWithin(const LoadedPlan& plan, std::size_t stream, std::size_t slice,
                const token_batch& tokens, std::span<std::uint8_t> out) {
  for (std::size_t i = 0; i < out.size(); ++i)
    out[i] = tokens.mask == nullptr || tokens.mask[i] != 0 ? 1 : 0;
  eachBoundOn(plan, source::tokens, stream, slice, [&](const check& bound, const signal& subject) {
    for (std::size_t i = 0; i < out.size(); ++i)
      if (out[i] != 0 && !meetsAll(bound, detail::token_value(subject, tokens, i)))
        out[i] = 0;
  });
}

bool isWithin(const LoadedPlan& plan, std::size_t stream, std::size_t slice,
              const sequence& response) {
  bool out = true;
  if (response.tokens != 0)
    eachBoundOn(plan, source::sequences, stream, slice,
                [&](const check& bound, const signal& subject) {
                  const double value = detail::is_by_response(subject)
                                           ? detail::mean_by_response(subject, response)
                                           : detail::sequence_value(subject, response);
                  out = out && meetsAll(bound, subject.absolute ? std::abs(value) : value);
                });
  return out;
}

} // namespace tikc::engine
