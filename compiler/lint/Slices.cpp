#include "lint/Lint.h"

#include "support/Utf8.h"

#include <algorithm>
#include <map>
#include <optional>
#include <span>
#include <vector>

namespace tikc::lint {

using namespace model;
using utf8::ticked;

namespace {

void checkWeights(const LintInput& input, std::optional<Amount> Slice::*member,
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

/// What a predicate is where labels are known and nothing else is.
enum class Truth { No, Unknown, Yes };

Truth negated(Truth truth) {
  return truth == Truth::Unknown ? truth : truth == Truth::Yes ? Truth::No : Truth::Yes;
}

/// Slices that are about labels alone, or nearly, in each of the worlds that the labels allow.
class LabelWorlds {
public:
  explicit LabelWorlds(const Contract& contract) : contract_(contract) {
    worlds_ = 1;
    for (const Label& label : contract.labels)
      worlds_ = label.values.empty() || worlds_ > mostWorlds ? mostWorlds + 1
                                                             : worlds_ * label.values.size();
    if (worlds_ <= mostWorlds)
      takenBy_.assign(worlds_, nullptr);
  }

  /// The slices that take every request which this one could have, in their order; none where some
  /// are left to it, or it could have none anyway.
  std::vector<const Slice*> whoTake(const Expr& when) const {
    std::vector<const Slice*> out;
    for (std::size_t world = 0; world < takenBy_.size(); ++world) {
      if (truth(when, world) == Truth::No)
        continue;
      if (!takenBy_[world])
        return {};
      if (std::find(out.begin(), out.end(), takenBy_[world]) == out.end())
        out.push_back(takenBy_[world]);
    }
    std::sort(out.begin(), out.end());
    return out;
  }

  void add(const Slice& slice) {
    for (std::size_t world = 0; world < takenBy_.size(); ++world)
      if (!takenBy_[world] && truth(*slice.when, world) == Truth::Yes)
        takenBy_[world] = &slice;
  }

private:
  static constexpr std::size_t mostWorlds = 1000;

  /// The label's value in the world; nothing where it is no label.
  std::optional<std::string_view> valueOf(std::string_view name, std::size_t world) const {
    for (const Label& label : contract_.labels) {
      if (label.name.text == name)
        return label.values[world % label.values.size()].value;
      world /= label.values.size();
    }
    return std::nullopt;
  }

  Truth truth(const Expr& when, std::size_t world) const {
    if (when.kind == Expr::Kind::Not)
      return negated(truth(when.arguments[0], world));
    if (when.kind == Expr::Kind::And || when.kind == Expr::Kind::Or) {
      Truth out = when.kind == Expr::Kind::And ? Truth::Yes : Truth::No;
      for (const Expr& part : when.arguments)
        out = when.kind == Expr::Kind::And ? std::min(out, truth(part, world))
                                           : std::max(out, truth(part, world));
      return out;
    }
    bool isAtom = (when.kind == Expr::Kind::Compare || when.kind == Expr::Kind::In) &&
                  when.arguments[0].kind == Expr::Kind::Name;
    auto value = isAtom ? valueOf(when.arguments[0].text, world) : std::nullopt;
    if (!value)
      return Truth::Unknown;
    const Expr& right = when.arguments[1];
    auto isIt = [&](const Expr& text) { return text.text == *value; };
    bool holds = when.kind == Expr::Kind::In
                     ? std::any_of(right.arguments.begin(), right.arguments.end(), isIt)
                     : isIt(right) == (when.comparator == Comparator::Equal);
    return holds ? Truth::Yes : Truth::No;
  }

  const Contract& contract_;
  std::size_t worlds_;
  std::vector<const Slice*> takenBy_; // by world
};

void reportTaken(const LintInput& input, const Slice& slice,
                 const std::vector<const Slice*>& takers) {
  std::string names;
  for (const Slice* earlier : takers)
    names += (names.empty() ? "" : " with ") + ticked(earlier->name.text);
  auto& found =
      input.sink.report<diag::ShadowedSlice>(slice.name.span, ticked(slice.name.text), names);
  for (const Slice* earlier : takers)
    found.relatedTo(earlier->when->span, "this takes them first");
  found.note("the first slice that matches takes a request: put the narrower one first");
}

} // namespace

void lintSlices(const LintInput& input) {
  checkWeights(input, &Slice::weight, "weights");
  checkWeights(input, &Slice::tokenWeight, "token weights");
  std::map<std::string, const Slice*> seen;
  TakenFields taken;
  LabelWorlds worlds(input.contract);
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
      reportTaken(input, slice, {earlier});
    else if (auto takers = worlds.whoTake(*slice.when); !takers.empty())
      reportTaken(input, slice, takers);
    taken.add(slice);
    worlds.add(slice);
  }
}

} // namespace tikc::lint
