#include "support/Names.h"

#include <llvm/ADT/StringExtras.h>
#include <llvm/ADT/StringRef.h>

#include <algorithm>

namespace tikc {
namespace {

bool isLower(char c) { return c >= 'a' && c <= 'z'; }
bool isUpper(char c) { return c >= 'A' && c <= 'Z'; }

/// Whether the words differ by two neighbouring letters that changed places.
bool isSwap(std::string_view a, std::string_view b) {
  if (a.size() != b.size())
    return false;
  auto [left, right] = std::mismatch(a.begin(), a.end(), b.begin());
  return a.end() - left >= 2 && left[0] == right[1] && left[1] == right[0] &&
         std::equal(left + 2, a.end(), right + 2);
}

} // namespace

std::optional<std::string_view> nearestName(std::string_view wrong,
                                            std::span<const std::string_view> candidates) {
  // A third of the letters may differ: "hozizon" finds horizon, "x" finds nothing.
  auto allowed =
      static_cast<unsigned>(std::max<std::size_t>(1, std::min<std::size_t>(wrong.size(), 30) / 3));
  std::optional<std::string_view> best;
  unsigned bestDistance = allowed + 1;
  std::string folded = llvm::StringRef(wrong).lower();
  std::replace(folded.begin(), folded.end(), '-', '_');
  for (std::string_view candidate : candidates) {
    // Two letters swapped are one slip, which the distance counts as two.
    unsigned distance = isSwap(folded, candidate)
                            ? 1
                            : llvm::StringRef(folded).edit_distance(candidate, true, bestDistance);
    if (distance < bestDistance && distance < candidate.size()) {
      best = candidate;
      bestDistance = distance;
    }
  }
  return best;
}

std::string joinAlternatives(std::span<const std::string_view> names) {
  std::string out;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (i > 0)
      out += i + 1 == names.size() ? " or " : ", ";
    out += names[i];
  }
  return out;
}

std::vector<std::string_view> splitWords(std::string_view words) {
  std::vector<std::string_view> out;
  while (!words.empty()) {
    auto bar = std::min(words.find('|'), words.size());
    out.push_back(words.substr(0, bar));
    words.remove_prefix(std::min(bar + 1, words.size()));
  }
  return out;
}

bool isIdentifier(std::string_view text) {
  return !text.empty() && isLower(text.front()) &&
         std::all_of(text.begin(), text.end(),
                     [](char c) { return isLower(c) || llvm::isDigit(c) || c == '_'; });
}

std::string toIdentifier(std::string_view text) {
  std::string out;
  bool afterLower = false;
  for (char c : text) {
    if (isUpper(c) && afterLower)
      out += '_';
    afterLower = isLower(c) || llvm::isDigit(c);
    if (isUpper(c))
      out += static_cast<char>(c - 'A' + 'a');
    else if (isLower(c) || llvm::isDigit(c) || c == '_')
      out += c;
    else if ((c == '-' || c == ' ' || c == '.') && !out.empty())
      out += '_';
    else
      return {};
  }
  return isIdentifier(out) ? out : std::string();
}

} // namespace tikc
