#include "changes/SliceChanges.h"

#include "logic/Magnitudes.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

namespace tikc::changes {

using model::Contract;
using model::Slice;

namespace {

std::string conditionOf(const Slice& slice) { return slice.when ? model::print(*slice.when) : ""; }

bool isEmpty(const Slice& slice) { return slice.weight && slice.weight->scaled() == 0; }

/// What proofs rest on that is said of a slice. Of a share neither more nor less assumes more.
struct SliceFact {
  enum class Assumes : std::uint8_t { MoreWhenLess, MoreWhenMore, Another };
  std::string_view key;
  std::optional<model::Amount> Slice::*member;
  Assumes assumes;

  ChangeKind kindOf(const std::optional<model::Amount>& was,
                    const std::optional<model::Amount>& is) const {
    if (assumes == Assumes::Another)
      return ChangeKind::Changed;
    if (!was || !is)
      return is ? ChangeKind::AssumesMore : ChangeKind::AssumesLess;
    bool isLess = is->scaled() < was->scaled();
    return isLess == (assumes == Assumes::MoreWhenLess) ? ChangeKind::AssumesMore
                                                        : ChangeKind::AssumesLess;
  }
};
constexpr SliceFact sliceFacts[] = {
    {"weight", &Slice::weight, SliceFact::Assumes::Another},
    {"token_weight", &Slice::tokenWeight, SliceFact::Assumes::Another},
    {"mean_length", &Slice::meanLength, SliceFact::Assumes::MoreWhenLess},
    {"least_mean_length", &Slice::leastMeanLength, SliceFact::Assumes::MoreWhenMore}};

class SliceReview {
public:
  explicit SliceReview(const Editions& editions)
      : old_(editions.old), fresh_(editions.fresh), overlap_(editions.overlap) {}

  std::vector<PartChange> take() {
    std::set<std::size_t> found;
    for (std::size_t i = 0; i < old_.slices.size(); ++i)
      if (auto same = sameAs(i)) {
        found.insert(*same);
        reviewSame(old_.slices[i], fresh_.slices[*same]);
      } else {
        reviewOther(i, found);
      }
    for (std::size_t j = 0; j < fresh_.slices.size(); ++j)
      if (!found.contains(j))
        add(ChangeKind::Added, nullptr, &fresh_.slices[j]);
    reviewRemainder();
    return std::move(out_);
  }

private:
  /// The new slice of the same requests.
  std::optional<std::size_t> sameAs(std::size_t slice) const {
    for (std::size_t j = 0; j < fresh_.slices.size(); ++j)
      if (overlap_.meet(slice, j) != Decided::No && overlap_.isSame(slice, j))
        return j;
    return std::nullopt;
  }

  PartChange& add(ChangeKind kind, const Slice* old, const Slice* fresh) {
    PartChange change{ChangedPart::Slice, kind, fresh ? fresh->name.text : old->name.text};
    if (old) {
      change.before = conditionOf(*old);
      change.oldPlace = old->name.span;
    }
    if (fresh) {
      change.after = conditionOf(*fresh);
      change.newPlace = fresh->name.span;
    }
    out_.push_back(std::move(change));
    return out_.back();
  }

  void reviewSame(const Slice& old, const Slice& fresh) {
    if (old.name.text != fresh.name.text)
      add(ChangeKind::Renamed, &old, &fresh).formerly = old.name.text;
    for (const SliceFact& fact : sliceFacts) {
      const auto &before = old.*fact.member, &after = fresh.*fact.member;
      if (logic::isSameAmount(before, after))
        continue;
      PartChange& change = add(fact.kindOf(before, after), &old, &fresh);
      change.name += "." + std::string(fact.key);
      change.before = before ? model::print(*before) : "";
      change.after = after ? model::print(*after) : "";
      change.oldPlace = before ? before->span : old.name.span;
      change.newPlace = after ? after->span : fresh.name.span;
      if (fact.member == &Slice::weight && isEmpty(fresh) && !isEmpty(old))
        empty(change);
    }
    if ((old.summary ? old.summary->value : "") != (fresh.summary ? fresh.summary->value : ""))
      add(ChangeKind::Reworded, &old, &fresh).why = "the summary changed";
  }

  static void empty(PartChange& change) {
    change.kind = ChangeKind::Looser;
    change.why = "without a share of the requests, its clauses are unasked, and no rule watches it";
  }

  /// What shares add up to leaves the requests of no slice nothing.
  void reviewRemainder() {
    const Rational was = restOf(old_), is = restOf(fresh_);
    if (is != 0 || was == 0)
      return;
    PartChange change{ChangedPart::Slice, ChangeKind::Looser, "other.weight"};
    change.oldPlace = old_.slices.empty() ? old_.name.span : old_.slices.back().name.span;
    change.newPlace = fresh_.slices.back().name.span;
    change.after = "0%";
    empty(change);
    out_.push_back(std::move(change));
  }
  static Rational restOf(const Contract& contract) {
    Rational out(1);
    for (const Slice& slice : contract.slices)
      if (slice.weight)
        out -= slice.weight->scaled();
    return out;
  }

  const Slice* namesake(const Slice& slice) const {
    auto match = std::find_if(fresh_.slices.begin(), fresh_.slices.end(),
                              [&](const Slice& each) { return each.name.text == slice.name.text; });
    return match == fresh_.slices.end() ? nullptr : &*match;
  }

  /// Its requests are no longer one slice.
  void reviewOther(std::size_t slice, std::set<std::size_t>& found) {
    const Slice& old = old_.slices[slice];
    const Slice* successor = namesake(old);
    if (successor)
      found.insert(static_cast<std::size_t>(successor - fresh_.slices.data()));
    std::vector<std::string_view> holders;
    bool isKnown = true, isWhole = true;
    for (std::size_t j = 0; j < overlap_.newCount(); ++j) {
      Decided answer = overlap_.meet(slice, j);
      isKnown &= answer != Decided::Unknown;
      if (answer == Decided::No)
        continue;
      holders.push_back(sliceName(fresh_, j));
      isWhole &= overlap_.isNewWithin(j, slice);
    }
    bool isLone = holders.size() == 1;
    ChangeKind kind = isKnown && isLone && !successor ? ChangeKind::Merged
                      : isKnown && !isLone && isWhole ? ChangeKind::Split
                                                      : ChangeKind::Moved;
    PartChange& change = add(kind, &old, successor);
    if (isKnown && isLone && successor)
      change.why = "it has new requests";
    else if (isKnown && !holders.empty())
      change.why = fmt::format("its requests are now in {}", fmt::join(holders, ", "));
    else if (!isKnown)
      change.why = "tikc could not find where its requests are now";
  }

  const Contract& old_;
  const Contract& fresh_;
  const Overlap& overlap_;
  std::vector<PartChange> out_;
};

} // namespace

std::vector<PartChange> sliceChanges(const Editions& editions) {
  return SliceReview(editions).take();
}

std::map<std::string, std::string> renamedSlices(const std::vector<PartChange>& changes) {
  std::map<std::string, std::string> out;
  for (const PartChange& each : changes)
    if (each.part == ChangedPart::Slice && !each.formerly.empty())
      out.emplace(each.formerly, each.name);
  return out;
}

} // namespace tikc::changes
