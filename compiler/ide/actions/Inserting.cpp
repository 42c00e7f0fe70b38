#include "ide/actions/Inserting.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace tikc::ide {

using yaml::Entry;
using yaml::Node;

namespace {

bool isBlank(std::string_view text) {
  return text.find_first_not_of(" \t") == std::string_view::npos;
}

/// What stands before a byte on its line.
std::string_view headOf(std::string_view text, std::uint32_t offset) {
  std::uint32_t start = lineStart(text, offset);
  return text.substr(start, offset - start);
}

Edit insertion(FileId file, std::uint32_t at, std::string text) {
  return {{file, at, at}, std::move(text)};
}

using Entries = std::span<const std::string_view>;

/// As the last entries of a map.
std::optional<Edit> append(std::string_view text, FileId file, const Node& map, Entries entries) {
  if (map.flow) {
    std::string list = fmt::format("{}", fmt::join(entries, ", "));
    if (map.entries.empty())
      return insertion(file, map.span.begin + 1, fmt::format(" {} ", list));
    return insertion(file, map.entries.back().span.end, ", " + list);
  }
  if (map.entries.empty())
    return std::nullopt;
  std::string_view indent = headOf(text, map.entries.front().span.begin);
  if (!isBlank(indent))
    return std::nullopt;
  std::string lines;
  for (std::string_view entry : entries)
    lines += fmt::format("{}{}{}", lineBreakOf(text), indent, entry);
  return insertion(file, lineEnd(text, map.entries.back().span.end), std::move(lines));
}

/// The entries of a map that is made for them, behind its key.
std::string bodyOf(std::string_view text, Entries entries) {
  std::string out;
  for (std::string_view entry : entries)
    out += fmt::format("{}  {}", lineBreakOf(text), entry);
  return out;
}

/// Where lines can stand above: the entry or item is the first on its own.
bool beginsLine(std::string_view text, std::uint32_t begin) {
  std::string_view head = headOf(text, begin);
  return std::all_of(head.begin(), head.end(),
                     [](char c) { return c == ' ' || c == '\t' || c == '-'; });
}

void findAbove(std::string_view text, const Node& node, std::uint32_t offset,
               std::optional<std::uint32_t>& best) {
  auto consider = [&](const Span& span) {
    if (span.begin <= offset && offset <= span.end && beginsLine(text, span.begin))
      best = span.begin;
    return span.begin <= offset && offset <= span.end;
  };
  if (node.flow || node.aliasSpan.valid())
    return;
  for (const Entry& entry : node.entries)
    if (consider(entry.span))
      findAbove(text, *entry.value, offset, best);
  for (const auto& item : node.items)
    if (consider(item->span))
      findAbove(text, *item, offset, best);
}

} // namespace

std::string_view lineBreakOf(std::string_view text) {
  auto at = text.find('\n');
  return at != std::string_view::npos && at > 0 && text[at - 1] == '\r' ? "\r\n" : "\n";
}

std::uint32_t lineStart(std::string_view text, std::uint32_t offset) {
  auto before = offset == 0 ? std::string_view::npos : text.rfind('\n', offset - 1);
  return before == std::string_view::npos ? 0 : static_cast<std::uint32_t>(before + 1);
}

std::uint32_t lineEnd(std::string_view text, std::uint32_t offset) {
  auto end = std::min(text.find('\n', offset), text.size());
  return static_cast<std::uint32_t>(end > offset && text[end - 1] == '\r' ? end - 1 : end);
}

std::optional<Edit> insertEntries(const Source& source, const yaml::YamlDocument& document,
                                  FileId file, std::string_view section, Entries entries) {
  const Node& root = *document.root;
  std::string_view text = source.text;
  if (root.kind != Node::Kind::Mapping)
    return std::nullopt;
  const Entry* item = root.findEntry(section);
  if (!item) {
    std::string whole = root.flow ? fmt::format("{}: {{ {} }}", section, fmt::join(entries, ", "))
                                  : fmt::format("{}:{}", section, bodyOf(text, entries));
    std::string_view view = whole;
    return append(text, file, root, std::span(&view, 1));
  }
  const Node& map = *item->value;
  bool hasOne = std::any_of(entries.begin(), entries.end(), [&](std::string_view entry) {
    return map.find(entry.substr(0, entry.find(':'))) != nullptr;
  });
  if (map.aliasSpan.valid() || hasOne)
    return std::nullopt;
  if (map.isNull() && map.style == yaml::Style::Empty && !root.flow)
    return insertion(file, lineEnd(text, item->key->span.end), bodyOf(text, entries));
  return map.kind == Node::Kind::Mapping ? append(text, file, map, entries) : std::nullopt;
}

std::optional<Edit> insertAbove(const Source& source, const yaml::YamlDocument& document,
                                FileId file, std::uint32_t offset, std::string_view line) {
  std::optional<std::uint32_t> begin;
  findAbove(source.text, *document.root, offset, begin);
  if (!begin)
    return std::nullopt;
  std::uint32_t start = lineStart(source.text, *begin);
  std::string_view head = headOf(source.text, *begin);
  std::string indent(head.substr(0, std::min(head.find('-'), head.size())));
  // A byte-order mark stays first.
  if (!isBlank(indent))
    return std::nullopt;
  return insertion(file, start, indent + std::string(line) + std::string(lineBreakOf(source.text)));
}

} // namespace tikc::ide
