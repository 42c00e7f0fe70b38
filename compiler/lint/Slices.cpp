#include "lint/Lint.h"

#include "support/Utf8.h"

#include <map>
#include <span>

namespace tikc::lint {

using namespace model;
using utf8::ticked;

namespace {

void checkWeights(const Input& input, std::optional<Quantity> Slice::*member,
                  std::string_view name) {
  Rational sum;
  for (const Slice& slice : input.contract.slices) {
    const auto& weight = slice.*member;
    if (!weight ||
        weight->scaled() > 1) // one above the whole by itself is reported where it is typed
      continue;
    Rational before = sum;
    sum += weight->scaled();
    if (sum <= 1 || before > 1)
      continue;
    auto& found = input.sink.report<diag::WeightsExceedWhole>(weight->span, name);
    for (const Slice& earlier : input.contract.slices) {
      if (&earlier == &slice)
        break;
      if (earlier.*member)
        found.relatedTo((earlier.*member)->span,
                        ticked(earlier.name.text) + " has " + print(*(earlier.*member)));
    }
    if (before < 1)
      found.unsafeFix("give it what is left",
                      {{weight->span, printRational((1 - before) * 100) + "%"}});
  }
}

/// One end of the values of a field that an earlier slice takes whatever else a request is.
struct Taken {
  Rational end;
  bool isOpen; // without the end itself
  const Slice* slice;
};

bool isOrder(const Expr& atom) {
  return atom.kind == Expr::Kind::Compare && atom.arguments[0].kind == Expr::Kind::Name &&
         atom.arguments[1].kind == Expr::Kind::Quantity &&
         (isAbove(atom.comparator) || isBelow(atom.comparator));
}

/// `prompt_tokens >= 8192` before `prompt_tokens >= 16384`.
class TakenFields {
public:
  const Slice* whoTakes(const Expr& when) const {
    auto parts = when.kind == Expr::Kind::And ? std::span(when.arguments) : std::span(&when, 1);
    for (const Expr& part : parts) {
      if (!isOrder(part))
        continue;
      auto known = ends_.find(keyOf(part));
      if (known != ends_.end() && !isBeyond(part, known->second))
        return known->second.slice;
    }
    return nullptr;
  }

  void add(const Slice& slice) {
    if (!isOrder(*slice.when))
      return;
    Taken taken{slice.when->arguments[1].quantity.scaled(), isStrict(slice.when->comparator),
                &slice};
    auto [known, fresh] = ends_.emplace(keyOf(*slice.when), taken);
    if (!fresh && isBeyond(*slice.when, known->second))
      known->second = taken;
  }

private:
  using Key = std::pair<std::string, bool>;
  static Key keyOf(const Expr& atom) { return {atom.arguments[0].text, isAbove(atom.comparator)}; }
  /// Whether the condition has values that are not taken.
  static bool isBeyond(const Expr& atom, const Taken& taken) {
    Rational end = atom.arguments[1].quantity.scaled();
    if (end == taken.end)
      return taken.isOpen && !isStrict(atom.comparator);
    return isAbove(atom.comparator) ? end < taken.end : end > taken.end;
  }

  std::map<Key, Taken> ends_;
};

} // namespace

void lintSlices(const Input& input) {
  checkWeights(input, &Slice::weight, "weights");
  checkWeights(input, &Slice::tokenWeight, "token weights");
  std::map<std::string, const Slice*> seen;
  TakenFields taken;
  for (const Slice& slice : input.contract.slices) {
    if (!slice.when)
      continue;
    auto [place, fresh] = seen.emplace(print(*slice.when), &slice);
    if (!fresh)
      input.sink
          .report<diag::ShadowedSlice>(slice.name.span, ticked(slice.name.text),
                                       ticked(place->second->name.text))
          .relatedTo(place->second->when->span, "the same condition");
    else if (const Slice* earlier = taken.whoTakes(*slice.when))
      input.sink
          .report<diag::ShadowedSlice>(slice.name.span, ticked(slice.name.text),
                                       ticked(earlier->name.text))
          .relatedTo(earlier->when->span, "this takes them first")
          .note("the first slice that matches takes a request: put the narrower one first");
    taken.add(slice);
  }
}

} // namespace tikc::lint
