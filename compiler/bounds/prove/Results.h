#pragma once

#include "bounds/facts/Evaluate.h"

#include <llvm/ADT/Hashing.h>

#include <optional>
#include <unordered_map>
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
  struct Key {
    const Lemma* lemma;
    std::vector<Rational> arguments;

    bool operator==(const Key&) const = default;
  };
  struct Hash {
    static llvm::hash_code of(mpz_srcptr number) {
      const mp_limb_t* limbs = mpz_limbs_read(number);
      return llvm::hash_combine(mpz_sgn(number),
                                llvm::hash_combine_range(limbs, limbs + mpz_size(number)));
    }
    std::size_t operator()(const Key& key) const {
      llvm::hash_code out = llvm::hash_value(key.lemma);
      for (const Rational& number : key.arguments)
        out = llvm::hash_combine(out, of(number.get_num_mpz_t()), of(number.get_den_mpz_t()));
      return out;
    }
  };
  // Hashed: comparing long numbers in order took a seventh of a long proof's time.
  template <typename Value> using Table = std::unordered_map<Key, Value, Hash>;

  template <typename Value>
  static const Value& known(Table<Value>& table, const Lemma& lemma,
                            const std::vector<Real>& arguments, const auto& find) {
    // A logarithm is part of the key as it is; a mask of the logarithmic arguments comes last.
    Key key = {&lemma, {}};
    key.arguments.reserve(arguments.size());
    unsigned logarithms = 0;
    for (std::size_t i = 0; i < arguments.size(); ++i)
      if (const auto& number = arguments[i].logarithm()) {
        key.arguments.insert(key.arguments.end(), {number->factor, number->of});
        logarithms |= 1u << i;
      } else {
        key.arguments.push_back(arguments[i].upper());
      }
    if (logarithms != 0)
      key.arguments.emplace_back(logarithms);
    auto [place, fresh] = table.try_emplace(std::move(key));
    if (fresh)
      place->second = find();
    return place->second;
  }

  Table<Result> results_;
  Table<std::optional<Rational>> choices_;
};

} // namespace tikc::bounds
