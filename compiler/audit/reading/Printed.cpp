#include "audit/reading/Reading.h"

#include <llvm/ADT/SmallVector.h>
#include <llvm/ADT/StringExtras.h>
#include <llvm/ADT/StringRef.h>

#include <algorithm>
#include <optional>

namespace tikc::audit {
namespace {

/// With `--log-prefix` and `--log-timestamps`, lines begin with "0.01.234.567 I".
bool isOfPrefix(llvm::StringRef word) {
  return word.find_first_not_of("0123456789.") == llvm::StringRef::npos ||
         (word.size() == 1 && llvm::isUpper(word.front()));
}

/// Returns "Mean KLD" for "0.01.234.567 I Mean    KLD"; empty if other words are before it.
std::string labelIn(llvm::StringRef text) {
  llvm::SmallVector<llvm::StringRef, 8> words;
  llvm::SplitString(text, words, " \t");
  if (words.size() < 2 || !std::all_of(words.begin(), words.end() - 2, isOfPrefix))
    return {};
  return (words[words.size() - 2] + " " + words.back()).str();
}

bool isLabel(llvm::StringRef name) {
  if (name == "RMS Δp")
    return true;
  if (!name.consume_back(" KLD"))
    return false;
  return name == "Mean" || name == "Median" || name == "Maximum" || name == "Minimum" ||
         (name.consume_back("%") && !name.empty() &&
          name.find_first_not_of("0123456789.") == llvm::StringRef::npos);
}

/// "Mean    KLD:   0.012345 ±   0.000123".
std::optional<PrintedFigure> printedIn(const Snippet& text, std::size_t from, std::size_t to) {
  const llvm::StringRef line = llvm::StringRef(text.text).slice(from, to);
  const std::size_t colon = line.find(':');
  if (colon == llvm::StringRef::npos)
    return std::nullopt;
  std::string name = labelIn(line.take_front(colon));
  if (!isLabel(name))
    return std::nullopt;
  const llvm::StringRef rest = line.drop_front(colon + 1);
  const llvm::StringRef number =
      rest.ltrim().take_until([](char c) { return c == ' ' || c == '\t' || c == '%'; });
  const std::size_t begin = from + colon + 1 + (rest.size() - rest.ltrim().size());
  if (number.trim().empty())
    return std::nullopt;
  const llvm::StringRef word = llvm::StringRef(name).split(' ').first;
  const std::size_t first = from + line.take_front(colon).rfind(word);
  return PrintedFigure{std::move(name), text.part(begin, begin + number.trim().size()),
                       text.span(first, begin + number.trim().size())};
}

} // namespace

bool readPrinted(const Snippet& text, FoundParts& out) {
  if (text.text.find("KLD") == std::string::npos)
    return false;
  const std::size_t before = out.printed.size();
  for (std::size_t from = 0; from < text.text.size();) {
    const std::size_t to = std::min(text.text.find('\n', from), text.text.size());
    if (auto figure = printedIn(text, from, to))
      out.printed.push_back(std::move(*figure));
    from = to + 1;
  }
  return out.printed.size() > before;
}

} // namespace tikc::audit
