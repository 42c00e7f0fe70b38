#include "support/Names.h"

#include <llvm/ADT/SmallVector.h>
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

/// Two letters swapped are one slip, which the distance counts as two.
unsigned slips(std::string_view a, std::string_view b, unsigned most) {
  return isSwap(a, b) ? 1 : llvm::StringRef(a).edit_distance(b, true, most);
}

/// With runs of one digit as one: a digit doubled is a slip, another digit another name.
std::string digitsOf(std::string_view name) {
  std::string out;
  for (char c : name)
    if (llvm::isDigit(c) && (out.empty() || out.back() != c))
      out += c;
  return out;
}

/// Whether one says the opposite of the other, or is of another sign.
bool isNegated(std::string_view a, std::string_view b) {
  std::string_view longer = a.size() > b.size() ? a : b, shorter = a.size() > b.size() ? b : a;
  for (std::string_view prefix : {"un", "non", "no", "in", "not", "non_", "no_", "not_", "u"})
    if (longer.starts_with(prefix) && longer.substr(prefix.size()) == shorter)
      return true;
  return false;
}

/// The most slips that a name of so many letters is recognised with: "hozizon" finds horizon, "x"
/// finds nothing.
unsigned allowedSlips(std::size_t size) {
  return static_cast<unsigned>(std::max<std::size_t>(1, std::min<std::size_t>(size, 30) / 3));
}

/// Of names of as many words, each word is like its counterpart: kl_ratio is no ppl_ratio.
bool hasLikeWords(std::string_view a, std::string_view b) {
  llvm::SmallVector<llvm::StringRef> one, other;
  llvm::StringRef(a).split(one, '_');
  llvm::StringRef(b).split(other, '_');
  if (one.size() != other.size() || one.size() == 1)
    return true;
  for (std::size_t i = 0; i < one.size(); ++i) {
    unsigned most = allowedSlips(one[i].size());
    bool isShortened = one[i].starts_with(other[i]) || other[i].starts_with(one[i]);
    if (!isShortened && slips(one[i], other[i], most) > most)
      return false;
  }
  return true;
}

} // namespace

std::string folded(std::string_view name) {
  std::string out = llvm::StringRef(name).lower();
  std::replace(out.begin(), out.end(), '-', '_');
  return out;
}

std::string withoutSeparators(std::string_view name) {
  std::string out = llvm::StringRef(name).lower();
  std::erase_if(out, [](char c) { return c == '_' || c == '-' || c == ' ' || c == '\n'; });
  return out;
}

std::optional<std::string_view> nearestName(std::string_view wrong,
                                            std::span<const std::string_view> candidates) {
  std::optional<std::string_view> best;
  unsigned bestDistance = allowedSlips(wrong.size()) + 1;
  std::string written = folded(wrong), digits = digitsOf(written);
  for (std::string_view candidate : candidates) {
    unsigned distance = slips(written, candidate, bestDistance);
    if (distance < bestDistance && distance < candidate.size() && digits == digitsOf(candidate) &&
        !isNegated(written, candidate) && hasLikeWords(written, candidate)) {
      best = candidate;
      bestDistance = distance;
    }
  }
  return best;
}

Likeness likeness(std::string_view written, std::string_view name,
                  std::span<const std::string_view> candidates) {
  auto isOnly = [&](auto isLike) {
    return isLike(name) &&
           std::none_of(candidates.begin(), candidates.end(),
                        [&](std::string_view other) { return other != name && isLike(other); });
  };
  if (isOnly([core = withoutSeparators(written)](std::string_view other) {
        return withoutSeparators(other) == core;
      }))
    return Likeness::Spelling;
  constexpr std::size_t shortest = 4; // of three letters, one makes another word
  std::string meant = folded(written);
  // A letter in another's place may be another word's: top_k is no top_p.
  bool isReplaced = meant.size() == name.size() && !isSwap(meant, name);
  bool isSlip = !isReplaced && name.size() >= shortest &&
                isOnly([&](std::string_view other) { return slips(meant, other, 1) <= 1; });
  return isSlip ? Likeness::Slip : Likeness::Guess;
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
