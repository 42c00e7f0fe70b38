#include "bounds/prove/Wording.h"

#include "support/Efforts.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace tikc::bounds {
namespace {

constexpr unsigned fewDigits = 4;
constexpr unsigned mostDigits = 40;

/// Base units in one of the unit that a limit was written in: a fact in nats, divided by it, is in
/// the author's unit.
Real unitOf(const model::Amount& limit, unsigned bits) {
  model::Amount one = limit;
  one.value = 1;
  Real unit(one.scaled(), bits);
  return limit.unit == model::Unit::Bit ? unit * log(Real(Rational(2), bits)) : unit;
}

std::string symbolOf(const model::Amount& limit) {
  model::Amount zero = limit;
  zero.value = 0;
  return model::print(zero).substr(1);
}

std::string logitsText(const std::vector<Rational>& logits) {
  std::vector<std::string> out;
  out.reserve(logits.size());
  for (const Rational& logit : logits)
    out.push_back(decimal(logit, fewDigits + 1, Rounding::Down));
  return fmt::format("{}", fmt::join(out, " and "));
}

/// Returns a share of the prompts in words. A share above one half is 100% minus the printed rest,
/// so that two shares add up.
std::string shareText(const Rational& share) {
  if (share == 1)
    return "every prompt";
  auto percent = [](const Rational& part) {
    return decimal(part * 100, fewDigits + 1, Rounding::Down);
  };
  const auto rest = share * 2 > 1 ? parseDecimal(percent(1 - share)) : std::nullopt;
  return (rest ? decimal(100 - *rest, 20, Rounding::Down) : percent(share)) + "% of the prompts";
}

} // namespace

std::string decimalBeside(const Rational& number, const Rational& other, Rounding rounding) {
  // What is rounded away must not look like distance.
  const Rational room = abs(Rational(number - other)) / 4;
  for (unsigned digits = fewDigits; digits <= mostDigits; ++digits)
    if (abs(Rational(rounded(number, digits, rounding) - number)) <= room)
      return decimal(number, digits, rounding);
  return decimal(number, fewDigits, rounding);
}

std::string Wording::budget() const { return fmt::format("{} {}", comparator, limit); }

Wording wordingOf(const model::Contract& contract, const Goal& goal, const Fact* fact) {
  const model::Bound& bound = contract.claims[goal.claim].bounds[goal.bound];
  const model::Amount& limit = bound.upper && !goal.lower ? *bound.upper : bound.limit;
  Wording out;
  out.comparator = goal.lower ? (goal.strict ? ">" : ">=") : (goal.strict ? "<" : "<=");
  out.limit = model::print(limit);
  if (!fact)
    return out;
  Real value = fact->value(firstPrecision) / unitOf(limit, firstPrecision);
  // Rounding must not make it look as if it went beyond what it meets.
  Rational beside = goal.lower ? value.lower() : value.upper();
  if (meets(goal, *fact) && (goal.lower ? beside <= limit.value : beside >= limit.value))
    value = Real(limit.value, firstPrecision);
  out.bound = goal.lower ? decimalBeside(value.lower(), limit.value, Rounding::Down)
                         : decimalBeside(value.upper(), limit.value, Rounding::Up);
  out.bound += symbolOf(limit);
  return out;
}

std::vector<std::string> cutOffLines(const CutOff& cutOff) {
  std::vector<std::string> out;
  if (cutOff.waysOfAChain)
    out.push_back(
        fmt::format("tikc stopped searching the chain: it kept only {} ways to add up "
                    "the quantiles of its links, the ones with the smallest failing shares",
                    efforts.waysOfAChain));
  if (cutOff.fillings)
    out.push_back(fmt::format("tikc stopped searching for a proof: it tried only {} ways to "
                              "combine quantiles in one lemma",
                              efforts.fillings));
  if (cutOff.rounds)
    out.push_back(fmt::format("tikc stopped searching for a proof: after {} rounds of all lemmas, "
                              "some bound still got tighter",
                              efforts.rounds));
  if (cutOff.conflicts)
    out.push_back(fmt::format("tikc stopped searching for contradictions: {} are reported, and "
                              "more clauses may be in some",
                              efforts.conflicts));
  return out;
}

std::vector<std::string> populationLines(const Witness& witness) {
  bool isOneEach = std::all_of(witness.copies.begin(), witness.copies.end(),
                               [](unsigned long count) { return count == 1; });
  std::string tokens = isOneEach ? "two tokens"
                                 : fmt::format("two groups of {} tokens, each with one logit",
                                               fmt::join(witness.copies, " and "));
  std::string length = witness.steps == 1
                           ? "one token"
                           : fmt::format("{} tokens, drawn independently", witness.steps);
  std::vector<std::string> out = {fmt::format(
      "Counterexample: all kernels allow only the same {}; each response has {}.", tokens, length)};
  for (const Witness::Kind& kind : witness.kinds)
    if (kind.weight > 0)
      out.push_back(
          fmt::format("On {} the training kernel's logits are {}, the inference kernel's {}.",
                      shareText(kind.weight), logitsText(kind.train), logitsText(kind.infer)));
  return out;
}

std::string valueText(const Witness::Row& row) { return print(row.value, row.digits); }

} // namespace tikc::bounds
