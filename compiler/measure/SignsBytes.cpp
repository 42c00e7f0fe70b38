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
  void operator()(const data::Drift& of) {
    to_.number(of.tokens);
    to_.number(of.responses);
    data::Drift::eachNumber(*this, of);
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
  void stepped(const data::SteppedDrift& of) {
    to_.number(of.isEmpty() ? 0 : 1, 1);
    if (of.isEmpty())
      return;
    to_.number(static_cast<std::uint64_t>(of.least()));
    to_.number(static_cast<std::uint64_t>(of.greatest()));
    bins(of.bins());
  }
  /// The bins of a tail that are not empty, each with its number.
  void tail(const data::TailOfDrift& of) {
    to_.number(count(of.tokens));
    for (std::size_t i = 0; i < of.tokens.size(); ++i)
      if (of.tokens[i] != 0) {
        to_.number(i, 1);
        to_.number(of.tokens[i]);
        to_.real(of.square[i]);
      }
    to_.number(count(of.responses));
    for (std::size_t i = 0; i < of.responses.size(); ++i)
      if (of.responses[i] != 0) {
        to_.number(i, 1);
        to_.number(of.responses[i]);
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
  void operator()(data::Drift& of) {
    (*this)(of.tokens);
    (*this)(of.responses);
    from_.require(of.responses <= of.tokens);
    data::Drift::eachNumber(*this, of);
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
  void stepped(data::SteppedDrift& of) {
    if (!from_.flag())
      return;
    const auto least = static_cast<std::int64_t>(from_.number());
    const auto greatest = static_cast<std::int64_t>(from_.number());
    std::array<data::Drift, data::SteppedDrift::most> read{};
    bins(read);
    from_.require(from_.isGood() && of.restore(least, greatest, read));
  }
  void tail(data::TailOfDrift& of) {
    each(of.tokens.size(), [&](std::size_t i) {
      (*this)(of.tokens[i]);
      (*this)(of.square[i]);
      from_.require(of.tokens[i] != 0);
    });
    each(of.responses.size(), [&](std::size_t i) {
      (*this)(of.responses[i]);
      from_.require(of.responses[i] != 0);
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
template <class Visit, class Of> void eachSign(Visit&& visit, Of& of) {
  for (auto* each :
       {&of.responses, &of.passedOver, &of.counted, &of.masked, &of.nonFinite, &of.equal})
    visit(*each);
  for (auto* each : {&of.whole, &of.first, &of.last, &of.undrawn})
    visit(*each);
  visit.bins(of.positions);
  visit.bins(of.probabilities);
  visit.bins(of.lags);
  visit.stepped(of.steps);
  visit.stepped(of.versions);
  visit(of.products.pairs);
  std::remove_cvref_t<decltype(of.products)>::eachNumber(visit, of.products);
  visit(of.line.responses);
  std::remove_cvref_t<decltype(of.line)>::eachNumber(visit, of.line);
  visit.tail(of.tail);
}

} // namespace

void writeSigns(ByteWriter& to, const data::Signs& of) {
  // Pieces of rows alone, or of nothing, have none.
  to.number(of.responses == 0 ? 0 : 1, 1);
  if (of.responses != 0)
    eachSign(SignsWriter(to), of);
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
