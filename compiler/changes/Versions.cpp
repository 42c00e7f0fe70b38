#include "changes/Versions.h"

#include <llvm/ADT/StringRef.h>

#include <array>
#include <compare>

namespace tikc::changes {
namespace {

/// The three numbers of a semantic version; what follows them orders versions before a release.
struct Version {
  std::array<Rational, 3> numbers;
  std::string suffix; // "-rc.1", without what is only of the build
};

std::optional<Version> versionOf(const std::optional<model::Text>& text) {
  if (!text)
    return std::nullopt;
  llvm::StringRef rest = llvm::StringRef(text->value).split('+').first;
  Version out;
  auto dash = rest.find('-');
  if (dash != llvm::StringRef::npos) {
    out.suffix = rest.substr(dash).str();
    rest = rest.substr(0, dash);
  }
  for (Rational& number : out.numbers) {
    auto [head, tail] = rest.split('.');
    auto value = parseDecimal(std::string_view(head.data(), head.size()));
    if (!value)
      return std::nullopt;
    number = *value;
    rest = tail;
  }
  return rest.empty() ? std::optional(out) : std::nullopt;
}

/// Of what stands between two dots: numbers by their values, and before words.
std::strong_ordering orderOfParts(llvm::StringRef a, llvm::StringRef b) {
  auto number = [](llvm::StringRef part) {
    return parseDecimal(std::string_view(part.data(), part.size()));
  };
  auto first = number(a), second = number(b);
  if (first && second)
    return cmp(*first, *second) <=> 0;
  if (first || second)
    return first ? std::strong_ordering::less : std::strong_ordering::greater;
  return a.compare(b) <=> 0;
}

/// "-rc.1" before "-rc.2" before none.
std::strong_ordering orderOfSuffixes(llvm::StringRef a, llvm::StringRef b) {
  if (a.empty() || b.empty())
    return a.empty() <=> b.empty();
  while (!a.empty() && !b.empty()) {
    auto [first, restOfA] = a.split('.');
    auto [second, restOfB] = b.split('.');
    if (auto order = orderOfParts(first.ltrim('-'), second.ltrim('-')); order != 0)
      return order;
    a = restOfA;
    b = restOfB;
  }
  return !a.empty() <=> !b.empty();
}

bool isBefore(const Version& a, const Version& b) {
  return a.numbers != b.numbers ? a.numbers < b.numbers : orderOfSuffixes(a.suffix, b.suffix) < 0;
}

bool isOfDevelopment(const Version& version) { return version.numbers[0] == 0; }

VersionStep stepBetween(const Version& old, const Version& fresh) {
  if (old.numbers[0] != fresh.numbers[0])
    return VersionStep::Major;
  if (old.numbers[1] != fresh.numbers[1])
    return isOfDevelopment(old) ? VersionStep::Major : VersionStep::Minor;
  if (old.numbers[2] != fresh.numbers[2] || old.suffix != fresh.suffix)
    return isOfDevelopment(old) && old.numbers[2] != fresh.numbers[2] ? VersionStep::Minor
                                                                      : VersionStep::Patch;
  return VersionStep::None;
}

std::string nextOf(Version version, VersionStep step) {
  std::size_t place = step == VersionStep::Major ? 0 : step == VersionStep::Minor ? 1 : 2;
  if (isOfDevelopment(version))
    place = step == VersionStep::Major ? 1 : 2;
  version.numbers[place] += 1;
  for (std::size_t i = place + 1; i < version.numbers.size(); ++i)
    version.numbers[i] = 0;
  return printRational(version.numbers[0]) + "." + printRational(version.numbers[1]) + "." +
         printRational(version.numbers[2]);
}

} // namespace

VersionVerdict versionVerdict(const model::Contract& old, const model::Contract& fresh,
                              VersionStep needed) {
  VersionVerdict out;
  out.needed = needed;
  out.before = old.version ? old.version->value : "";
  out.after = fresh.version ? fresh.version->value : "";
  auto before = versionOf(old.version), after = versionOf(fresh.version);
  if (before)
    out.next = needed == VersionStep::None ? out.before : nextOf(*before, needed);
  if (!before || !after)
    return out;
  out.taken = stepBetween(*before, *after);
  out.goesBack = isBefore(*after, *before);
  return out;
}

} // namespace tikc::changes
