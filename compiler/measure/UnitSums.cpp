#include "measure/UnitSums.h"

#include "tikc/token_figures.h"

#include <algorithm>
#include <cmath>

namespace tikc::measure {
namespace {

/// Whether sums over responses say anything of what is kept.
bool isSummed(const keeper& keeperRow) {
  return keeperRow.how != fold::sketch && keeperRow.how != fold::moments;
}

/// The numbers of sums, in the order in which they are written.
template <class Visit, class Of> void eachSum(Visit&& visit, Of& sums) {
  for (auto* each : {&sums.total, &sums.squares, &sums.sizes, &sums.sizeSquares, &sums.cross,
                     &sums.means, &sums.meanSquares, &sums.longest})
    visit(*each);
}

double sumOf(const keeper& at, const signal& subject, const cell<engine::LoadedPlan>& cell,
             const engine::LoadedTally::tokens_of& tokens) {
  const bool isOfCell = at.from == reading::cell;
  switch (at.how) {
  case fold::total:
    return isOfCell ? cell.total[at.slot].value() : detail::total_of(subject, at, tokens);
  case fold::squares:
    return isOfCell ? cell.total[at.slot].value() : detail::squares_of(subject, tokens);
  case fold::share:
  case fold::nonzero:
    return static_cast<double>(isOfCell ? cell.count[at.slot] : detail::count_of(at, tokens));
  default:
    return 0; // of extremes only how many there are
  }
}

} // namespace

void UnitSums::add(double sum, double size, bool isNumber) {
  ++units;
  sizes += size;
  sizeSquares += size * size;
  longest = std::max(longest, size);
  if (!isNumber || !std::isfinite(sum)) {
    ++numberless;
    return;
  }
  const double mean = sum / size;
  total += sum;
  squares += sum * sum;
  cross += sum * size;
  means += mean;
  meanSquares += mean * mean;
}

void UnitSums::merge(const UnitSums& other) {
  const double most = std::max(longest, other.longest);
  units += other.units;
  numberless += other.numberless;
  for (auto each : {&UnitSums::total, &UnitSums::squares, &UnitSums::sizes, &UnitSums::sizeSquares,
                    &UnitSums::cross, &UnitSums::means, &UnitSums::meanSquares})
    this->*each += other.*each;
  longest = most;
}

const UnitSums* UnitTable::find(std::size_t keeper, std::size_t slice) const {
  const auto match = cells_.find({keeper, slice});
  return match == cells_.end() ? nullptr : &match->second;
}

void UnitTable::merge(const UnitTable& other) {
  for (const auto& [key, sums] : other.cells_)
    cells_[key].merge(sums);
}

void UnitSums::write(ByteWriter& to) const {
  to.number(units);
  to.number(numberless);
  eachSum([&](double each) { to.real(each); }, *this);
}

UnitSums UnitSums::read(ByteReader& from) {
  UnitSums out;
  out.units = from.number();
  out.numberless = from.number();
  eachSum([&](double& each) { each = from.real(); }, out);
  bool isFinite = true;
  eachSum([&](double each) { isFinite = isFinite && std::isfinite(each); }, out);
  from.require(isFinite && out.units != 0 && out.numberless <= out.units && out.squares >= 0 &&
               out.meanSquares >= 0 && out.longest > 0 && out.sizes >= out.longest &&
               out.sizeSquares >= 0);
  return out;
}

void UnitTable::write(ByteWriter& to) const {
  to.number(cells_.size());
  for (const auto& [key, sums] : cells_) {
    to.number(key.first);
    to.number(key.second);
    sums.write(to);
  }
}

UnitTable UnitTable::read(ByteReader& from) {
  constexpr std::uint64_t least = 12 * 8;
  UnitTable out;
  for (std::uint64_t left = from.count(least); left != 0 && from.isGood(); --left) {
    const std::size_t keeper = from.number(), slice = from.number();
    from.require(out.cells_.empty() || out.cells_.rbegin()->first < Key(keeper, slice));
    const UnitSums sums = UnitSums::read(from);
    if (from.isGood())
      out.cells_[{keeper, slice}] = sums;
  }
  return out;
}

UnitKeeping::UnitKeeping(const engine::LoadedPlan& plan, std::size_t stream)
    : plan_(plan), bySource_(static_cast<std::size_t>(source::replays) + 1),
      found_(plan.keepers.size() * (plan.slices + 1)) {
  for (std::size_t i = 0; i < plan.keepers.size(); ++i) {
    const signal& subject = plan.signal_table[plan.keepers[i].signal];
    if (subject.stream == stream && isSummed(plan.keepers[i]))
      bySource_[static_cast<std::size_t>(subject.from)].push_back(i);
  }
}

UnitKeeping::Reading UnitKeeping::readingOf(std::size_t keeper, const engine::LoadedTally& tally,
                                            std::size_t slice) const {
  const tikc::keeper& at = plan_.keepers[keeper];
  const signal& subject = plan_.signal_table[at.signal];
  const auto& cell = tally.observed(slice);
  const auto& tokens = tally.tokens(subject.stream, slice);
  const bool isOfTokens = subject.from == source::tokens;
  return {sumOf(at, subject, cell, tokens), isOfTokens ? tokens.count : cell.seen[at.signal],
          isOfTokens ? tokens.bad : cell.unknown[at.signal]};
}

void UnitKeeping::before(const engine::LoadedTally& tally, std::size_t slice, source from) {
  before_.clear();
  before_.reserve(keepersOf(from).size());
  for (std::size_t keeper : keepersOf(from))
    before_.push_back(readingOf(keeper, tally, slice));
}

void UnitKeeping::after(const engine::LoadedTally& tally, std::size_t slice, source from) {
  std::size_t next = 0;
  for (std::size_t keeper : keepersOf(from)) {
    const Reading then = before_[next++], now = readingOf(keeper, tally, slice);
    if (now.size == then.size)
      continue;
    const Reading more{now.sum - then.sum, now.size - then.size, now.unknown - then.unknown};
    auto add = [&](std::size_t where) {
      const UnitTable::Key key(keeper, where);
      auto known = std::find_if(unit_.begin(), unit_.end(),
                                [&](const auto& each) { return each.first == key; });
      if (known == unit_.end())
        known = unit_.insert(unit_.end(), {key, {}});
      known->second.sum += more.sum;
      known->second.size += more.size;
      known->second.unknown += more.unknown;
    };
    add(slice);
    add(plan_.slices);
  }
}

void UnitKeeping::finish() {
  for (const auto& [key, of] : unit_) {
    // What counts NaN where the clause does not want it knows of all.
    const tikc::keeper& at = plan_.keepers[key.first];
    const bool isCounted = at.how == fold::share || at.how == fold::nonzero;
    UnitSums*& sums = found_[key.first * (plan_.slices + 1) + key.second];
    if (sums == nullptr)
      sums = &table_.at(key.first, key.second);
    sums->add(of.sum, static_cast<double>(of.size),
              isCounted ? at.counts_nan || of.unknown == 0 : of.unknown == 0);
  }
  unit_.clear();
}

} // namespace tikc::measure
