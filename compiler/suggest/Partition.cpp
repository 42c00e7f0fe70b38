#include "suggest/Partition.h"

#include "data/Fault.h"
#include "data/inspect/Signs.h"
#include "sema/Symbols.h"
#include "support/Names.h"
#include "support/Utf8.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>

namespace tikc::suggest {
namespace {

constexpr double mistaken = 0.01; // the chance that any difference is none
constexpr double worthASlice = 1.25;
constexpr double worthACut = 1.5; // of what takes figures of whole responses away
constexpr std::uint64_t leastResponses = 40;
constexpr double leastShare = 0.05;
constexpr std::size_t mostSlices = 6;
constexpr std::size_t longestName = 32;

bool isEnough(const ResponseMeans& part, const ResponseMeans& whole) {
  return part.count >= leastResponses &&
         static_cast<double>(part.count) >= leastShare * static_cast<double>(whole.count);
}

double times(double a, double b) { return a > b ? a / b : b / a; }

std::string inQuotes(std::string_view value) { return fmt::format("\"{}\"", value); }

std::uint64_t percentOf(std::uint64_t part, std::uint64_t whole) {
  return whole == 0 ? 0 : part * 100 / whole;
}

std::string comparison(const ResponseMeans& part, const ResponseMeans& rest) {
  return fmt::format("mean |x| of its {} responses is {:.3g}, and {:.3g} of the others",
                     data::grouped(part.count), part.mean(), rest.mean());
}

ProposedSlice wholeOf(const Look& look) {
  return {"other", {}, 0, look.all.tokens, look.all.size.count, look.all.rows, {}};
}

class Partitioning {
public:
  explicit Partitioning(const Look& look) : look_(look) {
    for (const auto& [label, values] : look.labels)
      comparisons_ += values.size() * std::min(values.size(), mostSlices);
    for (const Group& each : look.prompts)
      comparisons_ += each.size.count != 0 ? 1 : 0;
    for (const Later& each : look.later)
      comparisons_ += each.change.count >= leastResponses ? 1 : 0;
  }

  SlicePartition take() {
    for (const std::string& label : look_.crowded)
      out_.notes.push_back(
          fmt::format("{} has more than {} values", utf8::ticked(label), Look::mostValues));
    cutByLabel();
    cutByPlace();
    finish();
    return std::move(out_);
  }

private:
  bool differs(const ResponseMeans& part, const ResponseMeans& rest) const {
    if (!isEnough(part, look_.all.size) || !isEnough(rest, look_.all.size))
      return false;
    return times(part.mean(), rest.mean()) >= worthASlice && isBeyondChance(distance(part, rest));
  }

  bool isBeyondChance(double errors) const {
    return chanceOf(errors) * static_cast<double>(std::max<std::uint64_t>(1, comparisons_)) <
           mistaken;
  }

  struct OfLabel {
    std::string label;
    std::vector<std::string> values;
    double between = 0;
  };

  /// The value that is the furthest from all that is left, again and again.
  OfLabel sliced(const std::string& label, const std::map<std::string, Group>& values) const {
    OfLabel out{label, {}, 0};
    ResponseMeans left = look_.all.size;
    std::set<std::string> open;
    for (const auto& [value, group] : values)
      if (isPlainValue(value))
        open.insert(value);
    while (out.values.size() < mostSlices) {
      const std::string* furthest = nullptr;
      double errors = 0;
      for (const std::string& value : open) {
        const ResponseMeans& part = values.at(value).size;
        const ResponseMeans rest = left.without(part);
        if (differs(part, rest) && distance(part, rest) > errors) {
          errors = distance(part, rest);
          furthest = &value;
        }
      }
      if (furthest == nullptr)
        break;
      const ResponseMeans& part = values.at(*furthest).size;
      const double gap = part.mean() - look_.all.size.mean();
      out.between += static_cast<double>(part.count) * gap * gap;
      left = left.without(part);
      out.values.push_back(*furthest);
      open.erase(open.find(*furthest));
    }
    return out;
  }

  void noteUnused(const std::string& label, const std::map<std::string, Group>& values) {
    const bool isNamed = std::all_of(values.begin(), values.end(),
                                     [](const auto& each) { return isPlainValue(each.first); });
    out_.notes.push_back(fmt::format("{} {}", utf8::ticked(label),
                                     isNamed ? "makes no difference beyond chance"
                                             : "has values that no slice can name"));
  }

  void cutByLabel() {
    OfLabel best;
    for (const auto& [label, values] : look_.labels) {
      if (!isIdentifier(label))
        continue;
      OfLabel one = sliced(label, values);
      if (one.values.empty() || one.between <= best.between) {
        if (values.size() > 1 && one.values.empty())
          noteUnused(label, values);
        continue;
      }
      best = std::move(one);
    }
    if (best.values.empty())
      return;
    const auto& groups = look_.labels.at(best.label);
    out_.label = best.label;
    // A contract's label has all the values that there are, so that none is a stranger.
    for (const auto& [value, group] : groups)
      if (isPlainValue(value))
        out_.values.push_back(value);
    for (const std::string& value : best.values)
      add(nameOf(value), fmt::format("{} == {}", best.label, inQuotes(value)), groups.at(value));
  }

  /// Prompts as long as this and longer, where these differ most.
  std::optional<std::size_t> promptCut() const {
    std::optional<std::size_t> out;
    double errors = 0;
    ResponseMeans longer, all;
    for (const Group& each : look_.prompts)
      all.add(each.size);
    for (std::size_t bin = Look::bins; bin-- > 1;) {
      longer.add(look_.prompts[bin].size);
      const ResponseMeans shorter = all.without(longer);
      if (differs(longer, shorter) && distance(longer, shorter) > errors) {
        errors = distance(longer, shorter);
        out = bin;
      }
    }
    return out;
  }

  std::optional<std::size_t> positionCut() const {
    std::optional<std::size_t> out;
    double most = 0;
    for (std::size_t bin = 1; bin < Look::bins; ++bin) {
      const Later& at = look_.later[bin];
      if (!isEnough(at.change, look_.all.size) ||
          times(at.behind.mean(), at.before.mean()) < worthACut)
        continue;
      const double errors = std::abs(at.change.mean()) / at.change.standardError();
      // Far out there are few tokens: the share that they are of decides what is gained.
      const double gain = std::abs(at.change.mean()) * static_cast<double>(at.tokens) *
                          static_cast<double>(look_.all.tokens - at.tokens);
      if (isBeyondChance(errors) && gain > most) {
        most = gain;
        out = bin;
      }
    }
    return out;
  }

  /// One way to cut is enough: slices of two that cross could be of next to nothing.
  void cutByPlace() {
    const auto prompt = promptCut();
    const auto position = prompt ? std::nullopt : positionCut();
    if (!prompt && !position)
      return;
    const std::string when =
        fmt::format("{} >= {}", prompt ? promptField : std::string_view("position"),
                    data::beginOfLogBin(prompt ? *prompt : *position));
    if (out_.isAny()) {
      out_.notes.push_back(fmt::format("`{}` makes a difference, too", when));
      return;
    }
    if (prompt) {
      Group longer;
      for (std::size_t i = *prompt; i < Look::bins; ++i)
        longer.add(look_.prompts[i]);
      add("long_prompts", when, longer);
      return;
    }
    const Later& at = look_.later[*position];
    out_.cutsResponses = true;
    out_.slices.push_back(
        {"late", when, 0, at.tokens, at.change.count, 0,
         fmt::format("mean |x| of {} responses is {:.3g} from there on, and {:.3g} before",
                     data::grouped(at.change.count), at.behind.mean(), at.before.mean())});
  }

  void add(std::string name, std::string when, const Group& group) {
    out_.slices.push_back({std::move(name), std::move(when),
                           percentOf(group.size.count, look_.all.size.count), group.tokens,
                           group.size.count, group.rows,
                           comparison(group.size, look_.all.size.without(group.size))});
  }

  std::string nameOf(std::string_view value) const {
    std::string name = toIdentifier(value).substr(0, longestName);
    // What YAML 1.1 takes for truth values.
    static const std::set<std::string_view> taken{"all",  "any",   "on", "off", "yes", "no",
                                                  "true", "false", "y",  "n",   "null"};
    if (!isIdentifier(name) || taken.contains(name) ||
        sema::reservedBecause(sema::NameSpace::Slice, name))
      name = fmt::format("slice_{}", out_.slices.size() + 1);
    const auto isUsed = [&] {
      return std::any_of(out_.slices.begin(), out_.slices.end(),
                         [&](const ProposedSlice& each) { return each.name == name; });
    };
    if (isUsed())
      name = fmt::format("slice_{}", out_.slices.size() + 1);
    return name;
  }

  void finish() {
    out_.rest = wholeOf(look_);
    for (const ProposedSlice& each : out_.slices) {
      out_.rest.tokens -= std::min(out_.rest.tokens, each.tokens);
      out_.rest.rows -= std::min(out_.rest.rows, each.rows);
      if (!out_.cutsResponses)
        out_.rest.responses -= std::min(out_.rest.responses, each.responses);
    }
  }

  const Look& look_;
  std::uint64_t comparisons_ = 0;
  SlicePartition out_;
};

} // namespace

std::vector<const ProposedSlice*> SlicePartition::all() const {
  std::vector<const ProposedSlice*> out;
  out.reserve(slices.size() + 1);
  for (const ProposedSlice& each : slices)
    out.push_back(&each);
  out.push_back(&rest);
  return out;
}

void SlicePartition::giveUp(const Look& look, std::string_view why) {
  notes.push_back(fmt::format("`{}` makes a difference, but {}", slices.front().when, why));
  slices.clear();
  label.clear();
  values.clear();
  cutsResponses = false;
  rest = wholeOf(look);
}

bool isPlainValue(std::string_view value) {
  constexpr std::size_t longest = 64;
  return !value.empty() && value.size() <= longest && utf8::printable(value) == value &&
         value.find_first_of("\"\\") == std::string_view::npos && value.front() != ' ' &&
         value.back() != ' ';
}

SlicePartition partitionOf(const Look& look) { return Partitioning(look).take(); }

} // namespace tikc::suggest
