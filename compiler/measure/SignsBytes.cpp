#include "measure/SignsBytes.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <type_traits>

namespace tikc::measure {
namespace {

/// No count is as large; sums of it are whole numbers as doubles, and do not wrap.
constexpr std::uint64_t mostCounted = std::uint64_t{1} << 52;

class SignsWriter {
public:
  explicit SignsWriter(ByteWriter& to) : to_(to) {}

  void operator()(std::uint64_t value) { to_.number(value); }
  void operator()(double value) { to_.real(value); }
  void operator()(const data::Drift& drift) {
    to_.number(drift.tokens);
    to_.number(drift.responses);
    data::Drift::eachNumber(*this, drift);
  }
  template <std::size_t size> void bins(const std::array<data::Drift, size>& of) {
    std::uint64_t used = 0;
    for (std::size_t i = 0; i < size; ++i)
      used |= std::uint64_t{of[i].tokens != 0} << i;
    to_.number(used);
    for (const data::Drift& each : of)
      if (each.tokens != 0)
        (*this)(each);
  }
  void stepped(const data::SteppedDrift& drift) {
    to_.number(drift.isEmpty() ? 0 : 1, 1);
    if (drift.isEmpty())
      return;
    to_.number(static_cast<std::uint64_t>(drift.least()));
    to_.number(static_cast<std::uint64_t>(drift.greatest()));
    bins(drift.bins());
  }
  /// The bins of a tail that are not empty, each with its number.
  void tail(const data::TailOfDrift& tail) {
    to_.number(count(tail.tokens));
    for (std::size_t i = 0; i < tail.tokens.size(); ++i)
      if (tail.tokens[i] != 0) {
        to_.number(i, 1);
        to_.number(tail.tokens[i]);
        to_.real(tail.square[i]);
        to_.real(tail.excess[i]);
      }
    counts(tail.responses);
  }
  template <std::size_t size> void counts(const std::array<std::uint64_t, size>& of) {
    to_.number(count(of));
    for (std::size_t i = 0; i < size; ++i)
      if (of[i] != 0) {
        to_.number(i, 1);
        to_.number(of[i]);
      }
  }

private:
  template <class Bins> static std::uint64_t count(const Bins& bins) {
    return static_cast<std::uint64_t>(
        std::count_if(bins.begin(), bins.end(), [](std::uint64_t each) { return each != 0; }));
  }
  ByteWriter& to_;
};

class SignsReader {
public:
  explicit SignsReader(ByteReader& from) : from_(from) {}

  void operator()(std::uint64_t& value) {
    const std::uint64_t read = from_.number();
    from_.require(read <= mostCounted);
    value = from_.isGood() ? read : 0;
  }
  void operator()(double& value) {
    const double read = from_.real();
    from_.require(std::isfinite(read));
    value = from_.isGood() ? read : 0;
  }
  void operator()(data::Drift& drift) {
    (*this)(drift.tokens);
    (*this)(drift.responses);
    from_.require(drift.responses <= drift.tokens);
    data::Drift::eachNumber(*this, drift);
  }
  template <std::size_t size> void bins(std::array<data::Drift, size>& of) {
    const std::uint64_t used = from_.number();
    if constexpr (size < 64)
      from_.require(used >> size == 0);
    for (std::size_t i = 0; i < size && from_.isGood(); ++i)
      if ((used >> i & 1U) != 0) {
        (*this)(of[i]);
        from_.require(of[i].tokens != 0);
      }
  }
  void stepped(data::SteppedDrift& drift) {
    if (!from_.flag())
      return;
    const auto least = static_cast<std::int64_t>(from_.number());
    const auto greatest = static_cast<std::int64_t>(from_.number());
    std::array<data::Drift, data::SteppedDrift::most> read{};
    bins(read);
    from_.require(from_.isGood() && drift.restore(least, greatest, read));
  }
  void tail(data::TailOfDrift& tail) {
    each(tail.tokens.size(), [&](std::size_t i) {
      (*this)(tail.tokens[i]);
      (*this)(tail.square[i]);
      (*this)(tail.excess[i]);
      from_.require(tail.tokens[i] != 0);
    });
    counts(tail.responses);
  }
  template <std::size_t size> void counts(std::array<std::uint64_t, size>& of) {
    each(size, [&](std::size_t i) {
      (*this)(of[i]);
      from_.require(of[i] != 0);
    });
  }

private:
  /// Bins by their numbers, which grow.
  template <class Visit> void each(std::size_t size, Visit&& visit) {
    std::uint64_t least = 0;
    for (std::uint64_t left = from_.count(9); left != 0 && from_.isGood(); --left) {
      const std::uint64_t i = from_.number(1);
      from_.require(i >= least && i < size);
      if (!from_.isGood())
        return;
      visit(static_cast<std::size_t>(i));
      least = i + 1;
    }
  }
  ByteReader& from_;
};

/// What a writer and a reader go through, in one order.
template <class Visit, class Of> void eachSign(Visit&& visit, Of& signs) {
  for (auto* each : {&signs.responses, &signs.passedOver, &signs.counted, &signs.masked,
                     &signs.nonFinite, &signs.equal})
    visit(*each);
  for (auto* each : {&signs.whole, &signs.first, &signs.last, &signs.undrawn})
    visit(*each);
  visit.bins(signs.positions);
  visit.bins(signs.probabilities);
  visit.bins(signs.lags);
  visit.bins(signs.lengths);
  visit.stepped(signs.steps);
  visit.stepped(signs.versions);
  visit(signs.products.pairs);
  std::remove_cvref_t<decltype(signs.products)>::eachNumber(visit, signs.products);
  visit(signs.line.responses);
  std::remove_cvref_t<decltype(signs.line)>::eachNumber(visit, signs.line);
  visit.tail(signs.tail);
  for (auto& each : signs.kept.tokens)
    visit.counts(each);
}

} // namespace

void writeSigns(ByteWriter& to, const data::Signs& signs) {
  // Pieces of rows alone, or of nothing, have none.
  to.number(signs.responses == 0 ? 0 : 1, 1);
  if (signs.responses != 0)
    eachSign(SignsWriter(to), signs);
}

data::Signs readSigns(ByteReader& from) {
  data::Signs out;
  if (!from.flag())
    return out;
  eachSign(SignsReader(from), out);
  from.require(out.responses != 0);
  return from.isGood() ? out : data::Signs();
}

} // namespace tikc::measure
