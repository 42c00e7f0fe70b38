#include "data/text/Fields.h"

#include "data/Response.h"
#include "data/pairing/Words.h"
#include "support/Utf8.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>

namespace tikc::data {

void Column::clear() {
  isThere = isUnread = false;
  tokens.clear();
  written.clear();
  flags.clear();
  integers.clear();
  numbers.clear();
  words.clear();
  ends.clear();
  classes = {};
  classesAtEnds.clear();
}

void Column::count(std::size_t list, ClassCounts& to) const {
  addCounts(to, classesAtEnds.empty() ? classes : classesAtEnds[list]);
  for (std::size_t i = 0; list != 0 && i < to.size(); ++i)
    to[i] -= classesAtEnds[list - 1][i];
}

void Column::addToken(double value) {
  const auto rounded = static_cast<float>(value);
  const bool isHeld = static_cast<double>(rounded) == value || !std::isfinite(rounded);
  if (written.empty() && !isHeld)
    written.assign(tokens.begin(), tokens.end());
  if (!written.empty() || !isHeld)
    written.push_back(value);
  tokens.push_back(rounded);
}

void Column::addTokens(std::span<const double> values) {
  for (const double value : values)
    addToken(value);
  // Plain numbers are finite, but single precision, in which all is judged, may not hold them.
  for (std::size_t i = tokens.size() - values.size(); i < tokens.size(); ++i)
    ++classes[static_cast<std::size_t>(std::isfinite(tokens[i]) ? NumberClass::Finite
                                       : tokens[i] > 0          ? NumberClass::Infinity
                                                                : NumberClass::MinusInfinity)];
}

FieldReader::FieldReader(const Layout& layout, std::size_t nestingDepth)
    : nestingDepth_(nestingDepth), isText_(layout.traps.hasTextNumbers) {
  for (std::size_t i = 0; i < layout.bindings.size(); ++i)
    for (const std::string& path : layout.bindings[i].paths) {
      const RoleKind kind = info(layout.bindings[i].role).kind;
      slots_.push_back({i, kind, path, plant(path, kind, slots_.size())});
    }
  columns_.resize(slots_.size());
  for (const Slot& each : slots_) {
    const Binding& binding = layout.bindings[each.binding];
    Slot& owner = slots_[each.column];
    columns_[each.column].path = each.path;
    owner.isKey = owner.isKey || (binding.role == Role::Key && layout.isOneSide);
    owner.isStep = owner.isStep || binding.role == Role::Step;
    owner.isSetting = owner.isSetting || (binding.role == Role::Label && isSetting(binding.label));
  }
}

std::size_t FieldReader::plant(std::string_view path, RoleKind kind, std::size_t column) {
  Node* node = &root_;
  node->below.push_back(column);
  while (!path.empty()) {
    if (path.starts_with("[]")) {
      if (!node->each)
        node->each = std::make_unique<Node>();
      node = node->each.get();
      path.remove_prefix(2);
    } else if (std::size_t index = 0; path.starts_with('[')) {
      const auto read = std::from_chars(path.data() + 1, path.data() + path.size(), index);
      node = &node->at[index];
      const auto used = static_cast<std::size_t>(read.ptr - path.data());
      path.remove_prefix(std::min(path.size(), used + 1));
    } else {
      if (path.starts_with('.'))
        path.remove_prefix(1);
      const std::size_t end = std::min(path.find_first_of(".["), path.size());
      node = &node->keys[std::string(path.substr(0, end))];
      path.remove_prefix(end);
    }
    node->below.push_back(column);
  }
  for (const std::size_t leaf : node->leaves)
    if (slots_[leaf].kind == kind)
      return leaf;
  node->leaves.push_back(column);
  return column;
}

std::optional<FieldReader::RecordFault> FieldReader::read(std::string_view record) {
  for (Column& column : columns_)
    column.clear();
  field_.clear();
  JsonCursor cursor(record, nestingDepth_);
  if (cursor.kind() != JsonKind::Object)
    cursor.expected("an object");
  walk(root_, cursor);
  cursor.finish();
  if (!cursor.failed())
    return std::nullopt;
  return RecordFault{cursor.fault(), cursor.faultAt(), field_};
}

const Column* FieldReader::column(std::size_t binding, std::size_t after) const {
  for (const Slot& each : slots_) {
    const Column& column = columns_[each.column];
    if (each.binding == binding && column.isThere && !column.isUnread && after-- == 0)
      return &column;
  }
  return nullptr;
}

bool FieldReader::wasThere(std::size_t binding) const {
  return std::any_of(slots_.begin(), slots_.end(), [&](const Slot& each) {
    return each.binding == binding && columns_[each.column].wasThere;
  });
}

void FieldReader::walk(Node& node, JsonCursor& cursor) {
  if (node.isLeaf()) {
    // A value for several kinds of role is read once for each.
    for (const std::size_t leaf : std::span(node.leaves).first(node.leaves.size() - 1)) {
      JsonCursor again = cursor;
      walkLeaf(leaf, again);
      if (again.failed()) {
        cursor = std::move(again);
        return;
      }
    }
    walkLeaf(node.leaves.back(), cursor);
    return;
  }
  const JsonKind kind = cursor.kind();
  if (kind == JsonKind::Object && !node.keys.empty())
    walkObject(node, cursor);
  else if (kind == JsonKind::List && (node.each || !node.at.empty()))
    walkList(node, cursor);
  else
    cursor.skip();
}

void FieldReader::walkLeaf(std::size_t leaf, JsonCursor& cursor) {
  const Slot& slot = slots_[leaf];
  field_ = slot.path;
  columns_[leaf].wasThere = true;
  // Null counts as missing, but it keeps its place in a list, and a log-prob counts as NaN.
  const bool isNone = cursor.kind() == JsonKind::Null && slot.kind != RoleKind::Tokens &&
                      slot.path.find("[]") == std::string::npos;
  columns_[leaf].isThere = !isNone;
  if (isNone)
    cursor.skip();
  else if (slot.isSetting)
    takeSetting(leaf, cursor);
  else
    take(leaf, cursor);
  if (!cursor.failed())
    field_.clear();
}

void FieldReader::walkObject(Node& node, JsonCursor& cursor) {
  const std::uint64_t object = ++objects_;
  bool isFirst = true;
  if (!cursor.enter(JsonKind::Object))
    return;
  while (cursor.more(JsonKind::Object, isFirst)) {
    const std::size_t at = cursor.at();
    const auto found = node.keys.find(cursor.key());
    if (cursor.failed())
      return;
    if (found == node.keys.end()) {
      cursor.skip();
    } else if (found->second.seen == object) {
      field_ = found->first;
      cursor.fail(fmt::format("duplicate {}", utf8::ticked(found->first)), at);
    } else {
      found->second.seen = object;
      walk(found->second, cursor);
    }
    if (cursor.failed())
      return;
  }
}

void FieldReader::walkList(Node& node, JsonCursor& cursor) {
  std::vector<std::size_t> lists;
  for (const std::size_t column : node.below)
    lists.push_back(columns_[column].ends.size());
  bool isFirst = true;
  if (!cursor.enter(JsonKind::List))
    return;
  for (std::size_t i = 0; cursor.more(JsonKind::List, isFirst); ++i) {
    const auto one = node.at.find(i);
    if (one != node.at.end())
      walk(one->second, cursor);
    else if (node.each)
      walk(*node.each, cursor);
    else
      cursor.skip();
    if (cursor.failed())
      return;
  }
  // Of lists in lists the innermost is one of tokens; an entry that was picked is no list.
  if (!node.each)
    return;
  for (std::size_t i = 0; i < node.below.size(); ++i) {
    Column& column = columns_[node.below[i]];
    if (column.ends.size() == lists[i] && column.isThere)
      column.endList();
  }
}

void FieldReader::take(std::size_t at, JsonCursor& cursor) {
  if (cursor.kind() != JsonKind::List)
    return takeOne(at, cursor);
  Column& column = columns_[at];
  const std::size_t lists = column.ends.size();
  const std::size_t size = column.size();
  bool isFirst = true;
  if (!cursor.enter(JsonKind::List))
    return;
  bool hasValues = false;
  while (cursor.more(JsonKind::List, isFirst)) {
    if (column.ends.size() == lists && takePlain(at, cursor)) {
      hasValues = true;
      continue;
    }
    const std::size_t begin = cursor.at();
    const bool isList = cursor.kind() == JsonKind::List;
    if (isList && hasValues)
      cursor.fail("expected a value, found a list", begin);
    else if (!isList && column.ends.size() != lists)
      cursor.fail("expected a list, found a value", begin);
    else
      take(at, cursor);
    hasValues = !isList && column.size() != size;
    if (cursor.failed())
      return;
  }
  if (column.ends.size() == lists)
    column.endList();
}

/// Whether there was at least one value that needs no closer look.
bool FieldReader::takePlain(std::size_t at, JsonCursor& cursor) {
  Column& column = columns_[at];
  const std::size_t before = column.size();
  if (slots_[at].kind == RoleKind::Integers) {
    cursor.integers(column.integers);
  } else if (slots_[at].kind == RoleKind::Tokens) {
    plain_.clear();
    cursor.numbers(plain_);
    column.addTokens(plain_);
  }
  return column.size() != before;
}

/// A setting that cannot be read counts as missing.
void FieldReader::takeSetting(std::size_t at, JsonCursor& cursor) {
  JsonCursor ahead = cursor;
  take(at, ahead);
  if (ahead.failed()) {
    columns_[at].isUnread = true;
    cursor.skip();
  } else {
    cursor = std::move(ahead);
  }
}

void FieldReader::takeWord(std::size_t at, JsonCursor& cursor) {
  std::vector<std::string>& words = columns_[at].words;
  const JsonKind found = cursor.kind();
  const std::size_t begin = cursor.at();
  if (found == JsonKind::Text) {
    words.emplace_back(cursor.string());
    // U+FFFD in its place would make many texts one.
    if (!cursor.failed() && cursor.hadHalfPair())
      cursor.fail("the text has half of a surrogate pair", begin);
    return;
  }
  if (found == JsonKind::Object || found == JsonKind::List)
    return cursor.expected("text or a number");
  cursor.skip();
  if (cursor.failed())
    return;
  const std::string_view written = cursor.textFrom(begin);
  const auto key = slots_[at].isKey ? keyOfNumber(written) : std::nullopt;
  if (found == JsonKind::Null)
    words.emplace_back(); // keeps its place among others
  else if (slots_[at].isKey && !key)
    cursor.fail(fmt::format("expected text or the digits of a whole number as key, found {}",
                            utf8::ticked(written)),
                begin);
  else
    words.emplace_back(key ? *key : std::string(written));
}

void FieldReader::takeOne(std::size_t at, JsonCursor& cursor) {
  Column& column = columns_[at];
  const RoleKind kind = slots_[at].kind;
  const JsonKind found = cursor.kind();
  NumberClass numberClass = NumberClass::Finite;
  if (kind == RoleKind::Words || (kind == RoleKind::Mixed && found == JsonKind::Text))
    return takeWord(at, cursor);
  if (kind == RoleKind::Integers) {
    if (const auto value = cursor.integer())
      column.integers.push_back(*value);
    return;
  }
  if (kind == RoleKind::Rows)
    return cursor.fail("expected whole rows in arrays, found text", cursor.at());
  const bool isTruth = found == JsonKind::True || found == JsonKind::False;
  if (kind == RoleKind::Flags && isTruth) {
    cursor.skip();
    column.flags.push_back(found == JsonKind::True);
    return;
  }
  const std::size_t begin = cursor.at();
  const auto value = cursor.number(isText_, numberClass);
  if (!value)
    return;
  if (kind == RoleKind::Flags) {
    if (*value != 0 && *value != 1)
      return cursor.fail("expected a mask of 0 or 1, true or false", begin);
    column.flags.push_back(*value == 1);
  } else if (kind == RoleKind::Tokens) {
    if (numberClass == NumberClass::Finite)
      return column.addTokens({&*value, 1});
    column.addToken(*value);
    ++column.classes[static_cast<std::size_t>(numberClass)];
  } else if (kind == RoleKind::Mixed && std::isfinite(*value) && std::abs(*value) >= exactWhole) {
    // As doubles two versions may be one.
    column.words.emplace_back(cursor.textFrom(begin));
  } else if (slots_[at].isStep && std::abs(*value) >= exactWhole) {
    column.numbers.push_back(roundedStep);
  } else {
    // Only of a log-prob it says that there is none.
    column.numbers.push_back(numberClass == NumberClass::Sentinel ? sentinelNumber : *value);
  }
}

} // namespace tikc::data
