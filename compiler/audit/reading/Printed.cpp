#include "audit/reading/Reading.h"

#include <llvm/ADT/StringRef.h>

#include <optional>

namespace tikc::audit {
namespace {

/// "Mean    KLD" as "Mean KLD".
std::string withSingleSpaces(llvm::StringRef label) {
  std::string out;
  for (const char c : label.trim())
    if (c != ' ' || out.back() != ' ')
      out += c;
  return out;
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
  const std::size_t colon = line.rfind(':');
  if (colon == llvm::StringRef::npos)
    return std::nullopt;
  std::string name = withSingleSpaces(line.take_front(colon));
  if (!isLabel(name))
    return std::nullopt;
  const llvm::StringRef rest = line.drop_front(colon + 1);
  const llvm::StringRef number =
      rest.ltrim().take_until([](char c) { return c == ' ' || c == '%'; });
  const std::size_t begin = from + colon + 1 + (rest.size() - rest.ltrim().size());
  if (number.trim().empty())
    return std::nullopt;
  const std::size_t first = from + (line.size() - line.ltrim().size());
  return PrintedFigure{std::move(name), text.part(begin, begin + number.trim().size()),
                       text.span(first, begin + number.trim().size())};
}

} // namespace

bool readPrinted(const Snippet& text, FoundParts& out) {
  if (text.text.find("KLD:") == std::string::npos)
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
