#include "sema/ForeignKeys.h"

#include "model/Metrics.h"
#include "support/Utf8.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tikc::sema {

using model::AliasInfo;
using model::AliasOf;
using model::Map;
using utf8::ticked;
using yaml::Entry;
using yaml::Node;

namespace {

/// What stands for a key: one of this map, or within another map of it.
struct Meaning {
  std::string_view outer, inner; // no outer: of this map
  AliasInfo row;
};

Meaning meaningOf(const AliasInfo& row) {
  auto dot = row.instead.find('.');
  if (dot == std::string_view::npos)
    return {{}, row.instead, row};
  return {row.instead.substr(0, dot), row.instead.substr(dot + 1), row};
}

std::vector<Meaning> meaningsOf(AliasOf kind, std::string_view key) {
  std::vector<Meaning> out;
  for (const AliasInfo& row : model::findAliases(kind, key))
    out.push_back(meaningOf(row));
  return out;
}

/// `tensor_parallel_size` within `parallel` is what it would be beside it.
std::vector<Meaning> meaningsWithin(std::string_view map, std::string_view key) {
  std::vector<Meaning> out;
  for (const Meaning& meaning : meaningsOf(AliasOf::KernelKey, key))
    if (meaning.outer == map && meaning.inner != key)
      out.push_back({{}, meaning.inner, meaning.row});
  return out;
}

std::vector<Meaning> meaningsIn(Map map, std::string_view key) {
  switch (map) {
  case Map::Kernel:
    return meaningsOf(AliasOf::KernelKey, key);
  case Map::Model:
    return meaningsOf(AliasOf::ModelKey, key);
  case Map::Pair:
    return meaningsOf(AliasOf::PairKey, key);
  case Map::Sampling:
    return meaningsWithin("sampling", key);
  case Map::Parallel: {
    auto out = meaningsWithin("parallel", key);
    return out.empty() ? meaningsOf(AliasOf::ParallelKey, key) : out;
  }
  default:
    return {};
  }
}

/// `experts` of experts_per_token and of experts, `sampling` of sampling.top_p.
std::string_view stemOf(std::string_view key) { return key.substr(0, key.find_first_of("_.")); }

class KeyReporter {
public:
  KeyReporter(FileContext& context, Node& node, std::size_t at, Map map)
      : context_(context), node_(node), at_(at), map_(map),
        meanings_(meaningsIn(map, node.entries[at].key->value)) {
    std::stable_sort(meanings_.begin(), meanings_.end(),
                     [&](const Meaning& a, const Meaning& b) { return company(a) > company(b); });
  }

  bool report() {
    if (meanings_.empty())
      return false;
    Entry& entry = node_.entries[at_];
    auto& found = context_.sink.report<diag::UnknownKey>(entry.key->span, ticked(entry.key->value),
                                                         model::mapName(map_));
    entry.value->invalid = true;
    for (const Meaning& meaning : meanings_)
      explain(found, meaning);
    return true;
  }

private:
  /// How much beside the key speaks for the meaning: most a key of the same word, `experts` for
  /// experts_per_token. A map that is there would hold what belongs into it.
  int company(const Meaning& meaning) const {
    auto isLike = [&](const Meaning& other) {
      return !other.row.instead.empty() && stemOf(other.row.instead) == stemOf(meaning.row.instead);
    };
    int most = 0;
    for (std::size_t i = 0; i < node_.entries.size(); ++i) {
      std::string_view key = node_.entries[i].key->value;
      auto others = meaningsIn(map_, key);
      if (i != at_ && std::any_of(others.begin(), others.end(), isLike))
        most = std::max(most, 1);
      else if (i != at_ && meaning.outer.empty() && stemOf(key) == stemOf(meaning.inner))
        most = 2;
    }
    return most;
  }

  void explain(diag::Diagnostic& finding, const Meaning& meaning) {
    const Entry& entry = node_.entries[at_];
    if (meaning.inner.empty()) {
      finding.note(std::string(meaning.row.says));
      return;
    }
    if (meanings_.size() == 1)
      finding.withLabel(meaning.outer.empty()
                            ? fmt::format("`{}` here", meaning.inner)
                            : fmt::format("`{}: {{ {}: … }}` here", meaning.outer, meaning.inner));
    if (!meaning.row.says.empty())
      finding.note(fmt::format("`{}`: {}", meaning.row.instead, meaning.row.says));
    if (const Entry* there = whereSaid(meaning))
      finding.relatedTo(there->key->span, fmt::format("{} is already here", ticked(meaning.inner)));
    else if (meaning.outer.empty())
      finding.fix(fmt::format("write {}", meaning.inner),
                  {{entry.key->span, std::string(meaning.inner)}}, meaning.row.isSame);
    else
      explainNested(finding, meaning);
  }

  /// The entry that says it already, or an earlier one whose name stands for it.
  const Entry* whereSaid(const Meaning& meaning) const {
    const Entry* outer = meaning.outer.empty() ? nullptr : node_.findEntry(meaning.outer);
    const Node* map = meaning.outer.empty() ? &node_ : outer ? outer->value.get() : nullptr;
    if (const Entry* there = map ? map->findEntry(meaning.inner) : nullptr)
      return there;
    for (std::size_t i = 0; i < at_; ++i)
      for (const Meaning& other : meaningsIn(map_, node_.entries[i].key->value))
        if (other.row.instead == meaning.row.instead && other.row.isSame)
          return &node_.entries[i];
    return nullptr;
  }

  /// One edit for all that belong into one map: a second one would give its key twice.
  void explainNested(diag::Diagnostic& finding, const Meaning& meaning) {
    const Entry* outer = node_.findEntry(meaning.outer);
    std::vector<Moved> moved = movedWith(meaning, outer);
    std::string title;
    for (const Moved& each : moved) {
      title += fmt::format("{}{}.{}", title.empty() ? "write " : ", ", meaning.outer, each.inner);
      Entry& entry = node_.entries[each.at];
      if (each.at <= at_ || !meaning.row.isSame)
        continue;
      finding.relatedTo(entry.key->span,
                        fmt::format("{} belongs there too", ticked(entry.key->value)));
      entry.key->invalid = entry.value->invalid = true;
    }
    if (auto edits = edited(meaning.outer, outer, moved))
      finding.fix(std::move(title), std::move(*edits), meaning.row.isSame);
  }

  struct Moved {
    std::size_t at;
    std::string_view inner;
  };

  /// The entry and those beside it that surely belong into the same map, each key once.
  std::vector<Moved> movedWith(const Meaning& meaning, const Entry* outer) const {
    std::vector<Moved> out;
    for (std::size_t i = 0; i < node_.entries.size(); ++i) {
      const Entry& entry = node_.entries[i];
      std::vector<Meaning> others =
          i == at_ ? std::vector{meaning} : meaningsIn(map_, entry.key->value);
      bool isSure = others.size() == 1 && others[0].row.isSame && isMovable(i);
      if (i != at_ && (!isSure || others[0].outer != meaning.outer || entry.key->invalid))
        continue;
      auto isSaid = [&](const Moved& each) { return each.inner == others[0].inner; };
      if (std::none_of(out.begin(), out.end(), isSaid) &&
          !(outer && outer->value->find(others[0].inner)))
        out.push_back({i, others[0].inner});
    }
    return out;
  }

  /// A word on a line of its own, but for what else is in braces.
  bool isMovable(std::size_t at) const {
    return isWord(node_.entries[at]) && (node_.flow || lineOf(at).valid());
  }

  bool isWord(const Entry& entry) const {
    return entry.value->kind == Node::Kind::Scalar && !entry.value->isNull() &&
           !entry.value->aliasSpan.valid() &&
           context_.sources.text(entry.span).find('\n') == std::string_view::npos;
  }

  /// Nothing where a value is no word, where a comment stands in what is cut, or where an earlier
  /// entry brings the map.
  std::optional<std::vector<diag::Edit>> edited(std::string_view outer, const Entry* there,
                                                const std::vector<Moved>& moved) const {
    if (!there && !isMovable(at_) && bringsMap(outer))
      return std::nullopt;
    std::vector<std::string> inner;
    for (const Moved& each : moved) {
      const Entry& entry = node_.entries[each.at];
      if (!isWord(entry))
        return std::nullopt;
      Span rest = {entry.span.file, entry.key->span.end, entry.value->span.end};
      inner.push_back(fmt::format("{}{}", each.inner, context_.sources.text(rest)));
    }
    std::vector<diag::Edit> edits;
    std::size_t cutFrom = 0; // of those that are moved
    if (!there) {
      edits.push_back({node_.entries[moved.front().at].span,
                       fmt::format("{}: {{ {} }}", outer, fmt::join(inner, ", "))});
      cutFrom = 1;
    } else if (auto edit = putInto(*there->value, inner)) {
      edits.push_back(std::move(*edit));
      cutFrom = node_.flow ? cutFirst(moved, edits) : 0;
    } else {
      return std::nullopt;
    }
    for (std::size_t i = cutFrom; i < moved.size(); ++i) {
      auto cut = node_.flow ? Span{node_.span.file, node_.entries[moved[i].at - 1].span.end,
                                   node_.entries[moved[i].at].span.end}
                            : lineOf(moved[i].at);
      edits.push_back({cut, ""});
    }
    auto isBad = [&](const diag::Edit& edit) {
      return !edit.span.valid() || (edit.text.empty() && hasComment(edit.span));
    };
    if (std::any_of(edits.begin(), edits.end(), isBad))
      return std::nullopt;
    return edits;
  }

  bool bringsMap(std::string_view outer) const {
    return std::any_of(node_.entries.begin(), node_.entries.begin() + static_cast<long>(at_),
                       [&](const Entry& entry) {
                         auto meanings = meaningsIn(map_, entry.key->value);
                         return meanings.size() == 1 && meanings[0].outer == outer;
                       });
  }

  bool hasComment(const Span& span) const {
    return context_.sources.text(span).find('#') != std::string_view::npos;
  }

  std::optional<diag::Edit> putInto(const Node& map, const std::vector<std::string>& inner) const {
    if (map.kind != Node::Kind::Mapping || map.entries.empty() || map.aliasSpan.valid())
      return std::nullopt;
    if (map.flow)
      return diag::Edit{map.entries.back().span.finish(),
                        fmt::format(", {}", fmt::join(inner, ", "))};
    // Before the first: a comment may stand after the last.
    Span first = map.entries.front().key->span.start();
    Position at = context_.sources.position(first.file, first.begin);
    std::string text;
    for (const std::string& each : inner)
      text += each + '\n' + std::string(at.column - 1, ' ');
    return diag::Edit{first, std::move(text)};
  }

  /// The first entries of a map in braces go with the comma after them; how many of those that are
  /// moved these are.
  std::size_t cutFirst(const std::vector<Moved>& moved, std::vector<diag::Edit>& edits) const {
    std::size_t count = 0;
    while (count < moved.size() && moved[count].at == count)
      ++count;
    if (count > 0)
      edits.push_back(
          {{node_.span.file, node_.entries.front().span.begin, node_.entries.at(count).span.begin},
           ""});
    return count;
  }

  /// The entry's line, where nothing else stands on it; else no span.
  Span lineOf(std::size_t at) const {
    const Span& span = node_.entries[at].span;
    const Source& source = context_.sources.get(span.file);
    std::string_view text = source.text;
    std::uint32_t begin = source.lines.lineStart(source.lines.lineIndex(span.begin));
    auto end = text.find_first_not_of(" \t\r", span.end);
    bool isAlone =
        text.substr(begin, span.begin - begin).find_first_not_of(' ') == std::string_view::npos &&
        end != std::string_view::npos && text[end] == '\n';
    return isAlone ? Span{span.file, begin, static_cast<std::uint32_t>(end + 1)} : Span{};
  }

  FileContext& context_;
  Node& node_;
  std::size_t at_;
  Map map_;
  std::vector<Meaning> meanings_;
};

} // namespace

bool reportForeignKey(FileContext& context, Node& node, std::size_t at, Map map) {
  return KeyReporter(context, node, at, map).report();
}

} // namespace tikc::sema
