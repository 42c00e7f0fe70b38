#include "sema/Misplaced.h"

#include "model/Metrics.h"
#include "sema/Subjects.h"
#include "support/Check.h"
#include "support/Names.h"
#include "support/Utf8.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

namespace tikc::sema {

using model::Form;
using model::Map;
using model::Shape;
using model::ShapeInfo;
using utf8::ticked;
using yaml::Entry;
using yaml::Node;
using yaml::Style;

namespace {

bool knows(Map map, const Entry& entry) {
  return model::findKey(map, entry.key->value) || model::isFree(entry.key->value);
}

bool knowsAll(Map map, const Node& node) {
  return std::all_of(node.entries.begin(), node.entries.end(),
                     [&](const Entry& each) { return knows(map, each); });
}

/// Whether the entry holds a map with nothing that such entries hold.
bool isForeign(const Entry& entry, Map element) {
  const auto& inner = entry.value->entries;
  return !entry.key->invalid && entry.value->kind == Node::Kind::Mapping && !inner.empty() &&
         std::none_of(inner.begin(), inner.end(),
                      [&](const Entry& each) { return knows(element, each); });
}

/// What a clause or a directive says, wherever it stands; empty where the entry is neither.
std::string_view statementOf(const Entry& entry) {
  const Node* text = entry.value.get();
  if (text->kind == Node::Kind::Mapping)
    text = text->find("require");
  bool isText = text && text->kind == Node::Kind::Scalar && !entry.key->invalid && !text->invalid;
  return isText ? std::string_view(text->value) : std::string_view();
}

bool isDirective(const Entry& entry) {
  std::string_view text = statementOf(entry);
  std::string_view name = text.substr(0, std::min(text.find('('), text.size()));
  return model::findCall(model::CallPlace::Directive, name) != nullptr;
}

bool isRequirement(const Entry& entry) {
  std::string_view text = statementOf(entry);
  return !isDirective(entry) &&
         (text.find('<') != std::string_view::npos || text.find('>') != std::string_view::npos ||
          text.find("==") != std::string_view::npos);
}

/// A requirement such as mean(k3) <= 0.1, which no condition of a slice looks like.
bool isOfMeasure(const Entry& entry) {
  std::string_view text = statementOf(entry);
  std::size_t end = text.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789_.");
  return isRequirement(entry) && end > 0 && end < text.size() && text[end] == '(';
}

/// The section of the metric that a requirement is about; empty where there is none.
std::string_view sectionOf(const Entry& entry) {
  std::string_view text = statementOf(entry);
  for (std::size_t begin = 0; begin < text.size();) {
    std::size_t end = text.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789_", begin);
    end = std::min(end, text.size());
    if (const model::MetricInfo* known = model::findMetric(text.substr(begin, end - begin)))
      return model::familyName(familyOf(known->level));
    begin = end + 1;
  }
  return {};
}

/// Whether the entry could stand in the section.
bool couldStandIn(const Entry& entry, const ShapeInfo& section) {
  bool isOfStatements = section.element == Shape::Directive || section.element == Shape::Clause;
  if (isOfStatements && !knowsAll(Map::Clause, *entry.value))
    return false;
  if (section.form == Form::Dictionary && section.element == Shape::Directive)
    return isDirective(entry);
  if (section.form == Form::Dictionary && section.element == Shape::Clause)
    return isRequirement(entry);
  if (entry.value->kind != Node::Kind::Mapping)
    return false;
  std::optional<Map> element;
  if (section.form == Form::Dictionary)
    element = model::info(*section.element).map;
  else if (const auto* key = section.map ? model::findKey(*section.map, entry.key->value) : nullptr)
    element = model::info(key->shape).map;
  return element && knowsAll(*element, *entry.value);
}

const ShapeInfo& shapeOfKnown(Map map, const Entry& entry) {
  const model::KeyInfo* known = model::findKey(map, entry.key->value);
  TIKC_CHECK(known, "the entry's key is known in its map");
  return model::info(known->shape);
}

/// Whether the entry holds a map with something that such entries do not hold.
bool isOdd(const Entry& entry, Map element) {
  return !entry.key->invalid && entry.value->kind == Node::Kind::Mapping &&
         !knowsAll(element, *entry.value);
}

std::uint32_t lineStart(const SourceManager& sources, const Span& span) {
  const Source& source = sources.get(span.file);
  return source.lines.lineStart(source.lines.lineIndex(span.begin));
}

} // namespace

std::size_t Misplaced::below(Node& node, std::size_t at, Map map) {
  Entry& section = node.entries[at];
  const ShapeInfo& want = shapeOfKnown(map, section);
  bool isDictionary = want.form == Form::Dictionary;
  std::size_t last = at;
  if (node.flow || !section.value->isNull() || (!isDictionary && want.form != Form::Record))
    return at;
  std::vector<std::string_view> keys; // what is near one of them may be a section of its own
  for (const model::KeyInfo& row : model::keys(map))
    keys.push_back(row.key);
  auto belongs = [&](const Entry& entry) {
    bool isSlip = nearestName(entry.key->value, keys) && !couldStandIn(entry, want);
    if (entry.key->invalid || knows(map, entry) || isSlip)
      return false;
    auto element = isDictionary ? model::info(*want.element).map : std::nullopt;
    return isDictionary ? !element || !isForeign(entry, *element) : knows(*want.map, entry);
  };
  while (last + 1 < node.entries.size() && belongs(node.entries[last + 1]))
    ++last;
  if (last == at)
    return at;
  std::vector<diag::Edit> edits;
  for (std::size_t i = at + 1; i <= last; ++i) {
    edits.push_back({node.entries[i].key->span.start(), "  "});
    indentLines(node.entries[i], edits);
    node.entries[i].value->invalid = true;
  }
  section.value->invalid = true;
  const Entry& first = node.entries[at + 1];
  context_.sink
      .report<diag::Indentation>(first.key->span,
                                 fmt::format("{} is level with {}, not below it",
                                             ticked(first.key->value), ticked(section.key->value)))
      .relatedTo(section.key->span, "this has no entries below it")
      .fix("indent its entries", std::move(edits));
  return last;
}

std::vector<diag::Edit> Misplaced::belowTheOneAbove(const Node& node, std::size_t at,
                                                    Map map) const {
  if (node.flow || at == 0 || !knows(map, node.entries[at - 1]))
    return {};
  const Entry &section = node.entries[at - 1], &entry = node.entries[at];
  const auto& inside = section.value->entries;
  bool isOpen = section.value->kind == Node::Kind::Mapping && !section.value->flow &&
                !inside.empty() && !model::isFree(section.key->value);
  if (!isOpen || !couldStandIn(entry, shapeOfKnown(map, section)))
    return {};
  const Span& first = inside.front().key->span;
  constexpr std::uint32_t step = 2;
  std::uint32_t wanted = first.begin - lineStart(context_.sources, first);
  if (wanted != entry.key->span.begin - lineStart(context_.sources, entry.key->span) + step)
    return {};
  std::vector<diag::Edit> edits{{entry.key->span.start(), "  "}};
  indentLines(entry, edits);
  return edits;
}

/// Two blanks before each further line of the text, but for one that reads as an entry within a
/// value that begins beside its key: that one stands where it should.
void Misplaced::indentLines(const Entry& entry, std::vector<diag::Edit>& edits) const {
  const Source& source = context_.sources.get(entry.span.file);
  bool isPlain = entry.value->kind == Node::Kind::Scalar &&
                 (entry.value->style == Style::Plain || entry.value->style == Style::Empty);
  std::uint32_t last = source.lines.lineIndex(entry.span.end);
  for (std::uint32_t at = source.lines.lineIndex(entry.span.begin) + 1; at <= last; ++at) {
    std::string_view line = source.lines.lineText(source.text, at);
    bool isEntry = isPlain && line.find(": ") != std::string_view::npos;
    std::uint32_t begin = source.lines.lineStart(at);
    if (!line.empty() && line != "\r" && begin < entry.span.end && !isEntry)
      edits.push_back({Span{entry.span.file, begin, begin}, "  "});
  }
}

std::size_t Misplaced::listItems(Node& node, std::size_t at, Map map) {
  Entry& entry = node.entries[at];
  Form form = shapeOfKnown(map, entry).form;
  bool mayBeList = form == Form::OneOrMore || form == Form::Strings;
  std::size_t last = at;
  if (!node.flow || !mayBeList || entry.value->kind != Node::Kind::Scalar)
    return at;
  auto isItem = [&](const Entry& next) {
    return next.value->style == Style::Empty && !next.key->invalid && !knows(map, next);
  };
  while (last + 1 < node.entries.size() && isItem(node.entries[last + 1]))
    ++last;
  if (last == at)
    return at;
  for (std::size_t i = at; i <= last; ++i)
    node.entries[i].value->invalid = true;
  Span items = join(entry.value->span, node.entries[last].key->span);
  context_.sink
      .report<diag::WrongKind>(items, "a list in brackets", ticked(context_.sources.text(items)))
      .fix("put it in brackets", {{items.start(), "["}, {items.finish(), "]"}});
  return last;
}

std::size_t Misplaced::inside(Node& dictionary, std::size_t at, Shape element) {
  auto map = model::info(element).map;
  if (!map || dictionary.flow)
    return at;
  std::size_t next = indented(dictionary, at, *map);
  if (next > at)
    return next;
  return headless(dictionary, at, [&](const Entry& entry) {
    return element == Shape::Directive ? isRequirement(entry)
           : element == Shape::Clause  ? isDirective(entry) || isOdd(entry, *map)
           : element == Shape::Slice   ? isOfMeasure(entry) || isOdd(entry, *map)
                                       : isRequirement(entry) || isOdd(entry, *map);
  });
}

std::size_t Misplaced::insideRecord(Node& record, std::size_t at, Map map) {
  std::vector<std::string_view> keys;
  for (const model::KeyInfo& row : model::keys(map))
    keys.push_back(row.key);
  if (record.flow || &record == root_)
    return at;
  if (!knows(map, record.entries[at]))
    if (std::size_t next = indented(record, at, std::nullopt); next > at)
      return next;
  return headless(record, at, [&](const Entry& entry) {
    return !entry.key->invalid && !knows(map, entry) && !nearestName(entry.key->value, keys);
  });
}

/// `pair` under `kernels`: it is a key of the contract, which has none, and holds what no entry
/// here can, or nothing, and then its own entries stand beside it. A record's element is nothing.
std::size_t Misplaced::indented(Node& map, std::size_t at, std::optional<Map> element) {
  Entry& entry = map.entries[at];
  bool isEmpty = entry.value->isNull();
  bool isList = entry.value->kind == Node::Kind::Sequence; // no entry is one
  bool isNone = !element || isEmpty || isList || isForeign(entry, *element);
  if (!isMissing(entry.key->value) || !isNone)
    return at;
  std::size_t next = isEmpty ? map.entries.size() : at + 1;
  for (std::size_t i = at; i < next; ++i)
    map.entries[i].value->invalid = true;
  found_.push_back(entry.key->value);
  auto& found = context_.sink.report<diag::Indentation>(
      entry.key->span, fmt::format("{} is a key of the contract, but is indented too far",
                                   ticked(entry.key->value)));
  // Of several lines, each would have to move by as much.
  if (context_.sources.text(entry.span).find('\n') == std::string_view::npos)
    found.fix(
        "move it to the margin",
        {{Span{entry.span.file, lineStart(context_.sources, entry.span), entry.key->span.begin},
          ""}});
  return next;
}

/// Sections in the order in which they are written, from the one after that which holds the map.
std::vector<const model::KeyInfo*> Misplaced::sectionsAfter(const Node& map) const {
  std::vector<const model::KeyInfo*> out;
  std::ptrdiff_t here = 0;
  for (const model::KeyInfo& row : model::keys(Map::Top)) {
    out.push_back(&row);
    if (root_ && root_->find(row.key) == &map)
      here = static_cast<std::ptrdiff_t>(out.size());
  }
  std::rotate(out.begin(), out.begin() + here, out.end());
  return out;
}

/// `offline: { tokens: … }` among rules: the line `promotion:` is missing before it.
template <typename Foreign>
std::size_t Misplaced::headless(Node& map, std::size_t at, Foreign isForeign) {
  auto& entries = map.entries;
  if (!isForeign(entries[at]))
    return at;
  const bool isOfSlices = root_ && root_->find("slices") == &map;
  for (const model::KeyInfo* row : sectionsAfter(map)) {
    const model::KeyInfo& section = *row;
    const ShapeInfo& want = model::info(section.shape);
    // A claim's quantity may have the name of a clause's metric, but claims come after clauses.
    auto isOfOther = [&](const Entry& entry) {
      std::string_view own = sectionOf(entry);
      return want.element == Shape::Clause && !own.empty() && own != section.key &&
             (section.key != "claims" || isOfSlices);
    };
    std::size_t next = at;
    while (isMissing(section.key) && next < entries.size() && isForeign(entries[next]) &&
           couldStandIn(entries[next], want) && !isOfOther(entries[next]))
      ++next;
    if (next == at)
      continue;
    for (std::size_t i = at; i < next; ++i)
      entries[i].value->invalid = true;
    found_.emplace_back(section.key);
    Span start = entries[at].key->span;
    start.end = start.begin = lineStart(context_.sources, start);
    context_.sink
        .report<diag::Indentation>(entries[at].key->span,
                                   fmt::format("{} belongs below {}, which is missing",
                                               ticked(entries[at].key->value), ticked(section.key)))
        .fix(fmt::format("insert the line `{}:`", section.key),
             {{start, fmt::format("{}:\n", section.key)}});
    return next;
  }
  return at;
}

bool Misplaced::isMissing(std::string_view section) const {
  return root_ && model::findKey(Map::Top, section) && !root_->find(section) &&
         !isReported(Map::Top, section);
}

bool Misplaced::isReported(Map map, std::string_view key) const {
  return map == Map::Top && std::find(found_.begin(), found_.end(), key) != found_.end();
}

} // namespace tikc::sema
