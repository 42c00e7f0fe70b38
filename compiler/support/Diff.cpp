#include "support/Diff.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <unordered_map>
#include <vector>

namespace tikc {
namespace {

constexpr std::size_t context = 3;
// Below this product of lines a table finds the least difference.
constexpr std::size_t tableCells = 1 << 16;
constexpr unsigned mostDepth = 64;

/// With their line feeds, so that the last one's absence is a difference, too.
std::vector<std::string_view> linesOf(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    std::size_t end = std::min(text.find('\n'), text.size() - 1) + 1;
    lines.push_back(text.substr(0, end));
    text.remove_prefix(end);
  }
  return lines;
}

struct LineRange {
  std::size_t begin, end;
  std::size_t size() const { return end - begin; }
};

/// Finds which lines both texts have, by lines that occur once in each (as patience sorting does),
/// and where there are none by a table of what is common.
class Matcher {
public:
  Matcher(const std::vector<std::string_view>& before, const std::vector<std::string_view>& after) {
    std::unordered_map<std::string_view, std::uint32_t> numbers;
    for (auto [lines, ids] : {std::pair(&before, &before_), std::pair(&after, &after_)})
      for (std::string_view line : *lines)
        ids->push_back(
            numbers.emplace(line, static_cast<std::uint32_t>(numbers.size())).first->second);
    keeps_.resize(before.size());
    comes_.resize(after.size());
    match({0, before.size()}, {0, after.size()}, 0);
  }

  bool keeps(std::size_t line) const { return keeps_[line]; }
  bool comes(std::size_t line) const { return comes_[line]; }

private:
  void pair(std::size_t a, std::size_t b) { keeps_[a] = comes_[b] = true; }

  void match(LineRange a, LineRange b, unsigned depth) {
    while (a.size() > 0 && b.size() > 0 && before_[a.begin] == after_[b.begin])
      pair(a.begin++, b.begin++);
    while (a.size() > 0 && b.size() > 0 && before_[a.end - 1] == after_[b.end - 1])
      pair(--a.end, --b.end);
    if (a.size() == 0 || b.size() == 0 || depth > mostDepth)
      return;
    if (a.size() * b.size() <= tableCells)
      return matchByTable(a, b);
    auto anchors = anchorsOf(a, b);
    for (auto [left, right] : anchors) {
      match({a.begin, left}, {b.begin, right}, depth + 1);
      pair(left, right);
      a.begin = left + 1;
      b.begin = right + 1;
    }
    if (!anchors.empty())
      match(a, b, depth + 1);
  }

  /// Pairs of lines that are each alone of their kind, ascending in both texts, as many as there
  /// are.
  std::vector<std::pair<std::size_t, std::size_t>> anchorsOf(LineRange a, LineRange b) const {
    struct Occurrences {
      std::size_t inBefore = 0, inAfter = 0, at = 0;
    };
    std::unordered_map<std::uint32_t, Occurrences> seen;
    for (std::size_t i = a.begin; i < a.end; ++i)
      ++seen[before_[i]].inBefore;
    for (std::size_t i = b.begin; i < b.end; ++i) {
      Occurrences& line = seen[after_[i]];
      ++line.inAfter;
      line.at = i;
    }
    std::vector<std::pair<std::size_t, std::size_t>> pairs;
    for (std::size_t i = a.begin; i < a.end; ++i)
      if (const Occurrences& line = seen[before_[i]]; line.inBefore == 1 && line.inAfter == 1)
        pairs.emplace_back(i, line.at);
    return longestAscending(pairs);
  }

  static std::vector<std::pair<std::size_t, std::size_t>>
  longestAscending(const std::vector<std::pair<std::size_t, std::size_t>>& pairs) {
    std::vector<std::size_t> piles, below(pairs.size());
    for (std::size_t i = 0; i < pairs.size(); ++i) {
      auto pile = std::lower_bound(
          piles.begin(), piles.end(), pairs[i].second,
          [&](std::size_t top, std::size_t wanted) { return pairs[top].second < wanted; });
      below[i] = pile == piles.begin() ? pairs.size() : *std::prev(pile);
      if (pile == piles.end())
        piles.push_back(i);
      else
        *pile = i;
    }
    std::vector<std::pair<std::size_t, std::size_t>> out;
    for (std::size_t i = piles.empty() ? pairs.size() : piles.back(); i < pairs.size();
         i = below[i])
      out.push_back(pairs[i]);
    std::reverse(out.begin(), out.end());
    return out;
  }

  void matchByTable(LineRange a, LineRange b) {
    std::size_t width = b.size() + 1;
    std::vector<std::uint32_t> common((a.size() + 1) * width);
    for (std::size_t i = a.size(); i-- > 0;)
      for (std::size_t j = b.size(); j-- > 0;)
        common[i * width + j] =
            before_[a.begin + i] == after_[b.begin + j]
                ? common[(i + 1) * width + j + 1] + 1
                : std::max(common[(i + 1) * width + j], common[i * width + j + 1]);
    for (std::size_t i = 0, j = 0; i < a.size() && j < b.size();) {
      if (before_[a.begin + i] == after_[b.begin + j])
        pair(a.begin + i++, b.begin + j++);
      else if (common[(i + 1) * width + j] >= common[i * width + j + 1])
        ++i;
      else
        ++j;
    }
  }

  std::vector<std::uint32_t> before_, after_;
  std::vector<bool> keeps_, comes_;
};

/// A run of lines with the places that they have in both texts.
struct DiffRun {
  char sign;
  std::size_t a, b;
  std::string_view line;
};

std::vector<DiffRun> stepsOf(const std::vector<std::string_view>& before,
                             const std::vector<std::string_view>& after) {
  Matcher matcher(before, after);
  std::vector<DiffRun> steps;
  for (std::size_t a = 0, b = 0; a < before.size() || b < after.size();) {
    if (a < before.size() && !matcher.keeps(a)) {
      steps.push_back({'-', a, b, before[a]});
      ++a;
    } else if (b < after.size() && !matcher.comes(b)) {
      steps.push_back({'+', a, b, after[b]});
      ++b;
    } else {
      steps.push_back({' ', a, b, before[a]});
      ++a, ++b;
    }
  }
  return steps;
}

/// A range of no lines is named by the line before it.
std::string place(std::size_t first, std::size_t count) {
  std::size_t shown = count == 0 ? first : first + 1;
  return count == 1 ? fmt::format("{}", shown) : fmt::format("{},{}", shown, count);
}

void printHunk(const std::vector<DiffRun>& steps, LineRange range, std::string& out) {
  auto count = [&](char without) {
    return static_cast<std::size_t>(
        std::count_if(steps.begin() + static_cast<std::ptrdiff_t>(range.begin),
                      steps.begin() + static_cast<std::ptrdiff_t>(range.end),
                      [&](const DiffRun& step) { return step.sign != without; }));
  };
  const DiffRun& first = steps[range.begin];
  out += fmt::format("@@ -{} +{} @@\n", place(first.a, count('+')), place(first.b, count('-')));
  for (std::size_t i = range.begin; i < range.end; ++i) {
    out += steps[i].sign;
    out += steps[i].line;
    if (!steps[i].line.ends_with('\n'))
      out += "\n\\ No newline at end of file\n";
  }
}

} // namespace

std::string unifiedDiff(std::string_view name, std::string_view before, std::string_view after) {
  if (before == after)
    return {};
  std::vector<DiffRun> steps = stepsOf(linesOf(before), linesOf(after));
  std::string out = fmt::format("--- {}\n+++ {}\n", name, name);
  auto changed = [](const DiffRun& step) { return step.sign != ' '; };
  auto at = [&](std::size_t i) { return steps.begin() + static_cast<std::ptrdiff_t>(i); };
  auto next = [&](std::size_t from) {
    return static_cast<std::size_t>(std::find_if(at(from), steps.end(), changed) - steps.begin());
  };
  for (std::size_t i = next(0); i < steps.size();) {
    std::size_t begin = i - std::min(i, context);
    std::size_t end = i;
    // Changes whose contexts would touch are one hunk.
    for (; i < steps.size() && i <= end + 2 * context; i = next(end))
      end = i + 1;
    printHunk(steps, {begin, std::min(end + context, steps.size())}, out);
  }
  return out;
}

} // namespace tikc
