#pragma once

#include "bounds/facts/Evaluate.h"

#include <map>
#include <optional>
#include <vector>

namespace tikc::bounds {

/// A cache of lemma results, by their arguments. Slices with equal promises, and similar problems
/// at one precision, share the work.
class Results {
public:
  const Result& evaluate(const Lemma& lemma, const std::vector<Real>& arguments) {
    return known(results_, lemma, arguments, [&] {
      return areInDomain(lemma, arguments) ? lemma.evaluate(arguments) : Result(std::nullopt);
    });
  }
  const std::optional<Rational>& choose(const Lemma& lemma, const std::vector<Real>& arguments) {
    return known(choices_, lemma, arguments, [&] { return lemma.choose(arguments); });
  }

  std::size_t size() const { return results_.size() + choices_.size(); }

private:
  template <typename Value>
  using Table = std::map<std::pair<const Lemma*, std::vector<Rational>>, Value>;

  template <typename Value>
  static const Value& known(Table<Value>& table, const Lemma& lemma,
                            const std::vector<Real>& arguments, const auto& find) {
    // A logarithm is part of the key as it is; a mask of the logarithmic arguments comes last.
    std::vector<Rational> key;
    key.reserve(arguments.size());
    unsigned logarithms = 0;
    for (std::size_t i = 0; i < arguments.size(); ++i)
      if (const auto& number = arguments[i].logarithm()) {
        key.insert(key.end(), {number->factor, number->of});
        logarithms |= 1u << i;
      } else {
        key.push_back(arguments[i].upper());
      }
    if (logarithms != 0)
      key.emplace_back(logarithms);
    auto [place, fresh] = table.try_emplace({&lemma, std::move(key)});
    if (fresh)
      place->second = find();
    return place->second;
  }

  Table<Result> results_;
  Table<std::optional<Rational>> choices_;
};

} // namespace tikc::bounds
