#include "sema/Structure.h"

#include "sema/ForeignKeys.h"
#include "sema/Misplaced.h"
#include "sema/Scalars.h"
#include "support/Names.h"
#include "support/Utf8.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace tikc::sema {

using model::Form;
using model::KeyInfo;
using model::Map;
using model::Shape;
using model::ShapeInfo;
using utf8::ticked;
using yaml::Entry;
using yaml::Node;
using yaml::ScalarType;

namespace {

/// Adds an example of a required key's line, if there is one.
void addLine(diag::Diagnostic& finding, Map map, std::string_view key) {
  static constexpr struct {
    Map map;
    std::string_view key, line;
  } lines[] = {
      {Map::Top, "tikc", "tikc: v1"},
      {Map::Top, "contract", "contract: my-model"},
      {Map::Top, "version", "version: 0.1.0"},
      {Map::Top, "kernels", "kernels: { trainer: { engine: fsdp2 }, rollout: { engine: vllm } }"},
      {Map::Top, "pair", "pair: { train: trainer, infer: rollout }"},
      {Map::Kernel, "engine", "engine: vllm"},
  };
  for (const auto& each : lines)
    if (each.map == map && each.key == key)
      finding.note(fmt::format("add a line such as `{}`", each.line));
}

class StructureChecker {
public:
  StructureChecker(FileContext& context, const Node& root, Shape shape, Completeness completeness)
      : context_(context), misplaced_(context, root, shape), completeness_(completeness) {}

  void check(Node& node, Shape shape) {
    if (node.invalid)
      return;
    std::erase_if(node.entries, [](const Entry& entry) { return model::isFree(entry.key->value); });
    const ShapeInfo& want = model::info(shape);
    switch (want.form) {
    case Form::String:
    case Form::Boolean:
    case Form::Number:
    case Form::Count:
    case Form::Fraction:
    case Form::Scalar:
      return checkScalar(context_, node, want);
    case Form::Interval:
      return checkInterval(node, want);
    case Form::OneOrMore:
      if (node.kind == Node::Kind::Scalar)
        return check(node, *want.element);
      return checkList(node, want);
    case Form::Strings:
    case Form::Items:
      return checkList(node, want);
    case Form::RecordOrText:
      if (node.kind == Node::Kind::Scalar)
        return checkScalar(context_, node, want);
      return checkRecord(node, want);
    case Form::Record:
      return checkRecord(node, want);
    case Form::Dictionary:
      return checkDictionary(node, want);
    }
  }

private:
  void checkInterval(Node& node, const ShapeInfo& want) {
    bool two = node.kind == Node::Kind::Sequence && node.items.size() == 2;
    if (!two) {
      reportWrongKind(context_, node, want);
      return;
    }
    for (auto& item : node.items) {
      checkScalar(context_, *item, model::info(Shape::Number));
      node.invalid |= item->invalid;
    }
  }

  void checkList(Node& node, const ShapeInfo& want) {
    if (node.kind != Node::Kind::Sequence) {
      auto& found = reportWrongKind(context_, node, want);
      if (node.kind == Node::Kind::Scalar && node.type == ScalarType::String)
        makeList(node, found);
      return;
    }
    if (node.items.empty() && want.form != Form::Items)
      reportWrongKind(context_, node, want);
    for (auto& item : node.items)
      check(*item, *want.element);
  }

  /// A text with a comma may be one item or several.
  static void makeList(const Node& node, diag::Diagnostic& finding) {
    bool isOne = node.value.find_first_of(",;|& \n") == std::string::npos && !node.inFlow;
    Span start = node.span.start(), end = node.span.finish();
    finding.fix("make it a list", {{start, "["}, {end, "]"}}, isOne);
  }

  void checkDictionary(Node& node, const ShapeInfo& want) {
    if (node.kind != Node::Kind::Mapping) {
      reportWrongKind(context_, node, want);
      return;
    }
    for (std::size_t i = 0; i < node.entries.size(); ++i) {
      Entry& entry = node.entries[i];
      if (entry.key->invalid) {
        entry.value->invalid = true;
      } else if (!isIdentifier(entry.key->value)) {
        badName(entry);
      } else if (std::size_t next = misplaced_.inside(node, i, *want.element); next > i) {
        i = next - 1;
        continue;
      }
      check(*entry.value, *want.element);
    }
  }

  void badName(Entry& entry) {
    entry.value->invalid = true;
    auto& found = context_.sink.report<diag::MalformedName>(
        entry.key->span, ticked(entry.key->value), model::info(Shape::Identifier).what);
    if (std::string better = toIdentifier(entry.key->value); !better.empty())
      found.unsafeFix(fmt::format("write {}", better), {{entry.key->span, better}});
  }

  void checkRecord(Node& node, const ShapeInfo& want) {
    if (node.kind != Node::Kind::Mapping) {
      reportWrongKind(context_, node, want);
      return;
    }
    bool isKnown = true;
    for (std::size_t i = 0; i < node.entries.size(); ++i) {
      Entry& entry = node.entries[i];
      if (const KeyInfo* known = model::findKey(*want.map, entry.key->value)) {
        std::size_t last = misplaced_.below(node, i, *want.map);
        if (last == i)
          last = misplaced_.listItems(node, i, *want.map);
        if (last == i)
          check(*entry.value, known->shape);
        i = last;
      } else if (std::size_t next = misplaced_.insideRecord(node, i, *want.map); next > i) {
        i = next - 1;
        isKnown = false;
      } else if (!entry.key->invalid) {
        unknownKey(node, i, *want.map);
        isKnown = false;
      }
    }
    // What seems to be missing may be what was not known.
    if (isKnown)
      checkPresence(node, *want.map);
  }

  void unknownKey(Node& node, std::size_t at, Map map) {
    if (reportForeignKey(context_, node, at, map))
      return;
    Entry& entry = node.entries[at];
    std::vector<diag::Edit> moved = misplaced_.belowTheOneAbove(node, at, map);
    entry.value->invalid = true;
    auto& found = context_.sink.report<diag::UnknownKey>(entry.key->span, ticked(entry.key->value),
                                                         model::mapName(map));
    std::vector<std::string_view> known;
    for (const KeyInfo& row : model::keys(map))
      known.push_back(row.key);
    // What is a key elsewhere is no slip here.
    found.offerNearest(entry.key->span, entry.key->value, known,
                       model::isAnyKey(entry.key->value) ? Likeness::Spelling : Likeness::Slip);
    found.note(fmt::format("keys here: {}", fmt::join(known, ", ")));
    if (!moved.empty())
      found.fix(fmt::format("indent it below `{}`", node.entries[at - 1].key->value),
                std::move(moved), false);
  }

  void checkPresence(Node& node, Map map) {
    if (completeness_ == Completeness::Cut)
      return;
    // A map that children merge into may get its keys from them; one that is replaced whole may
    // not.
    bool replacedWhole =
        map == Map::Clause || map == Map::Support || map == Map::Step || map == Map::Layer;
    bool demanded = completeness_ == Completeness::Whole || replacedWhole;
    bool identity = map == Map::Top;
    for (const KeyInfo& row : model::keys(map)) {
      if (row.presence != model::Presence::Required || node.find(row.key))
        continue;
      if (demanded || (identity && (row.key == "tikc" || row.key == "contract")))
        missing(node, map, row.key);
    }
    checkChoices(node, map);
  }

  void missing(Node& node, Map map, std::string_view key) {
    if (misplaced_.isReported(map, key))
      return;
    addLine(context_.sink.report<diag::MissingKey>(headOf(node), model::mapName(map), ticked(key)),
            map, key);
    if (map != Map::Top)
      node.invalid = true;
  }

  /// A whole map would drown the message; its first key, or its opening bracket, is enough to find
  /// it.
  Span headOf(const Node& node) const {
    if (!node.entries.empty() && !node.flow)
      return node.entries.front().key->span;
    return node.flow ? Span{node.span.file, node.span.begin, node.span.begin + 1} : node.span;
  }

  void checkChoices(Node& node, Map map) {
    if (map == Map::Top)
      exactlyOne(node, map, "pair", "chain", completeness_ == Completeness::Whole);
    else if (map == Map::Rule)
      exactlyOne(node, map, "do", "steps", completeness_ == Completeness::Whole);
    else if (map == Map::Support)
      exactlyOne(node, map, "missing_mass", "top_p", true);
  }

  void exactlyOne(Node& node, Map map, std::string_view first, std::string_view second,
                  bool needed) {
    const Entry* a = node.findEntry(first);
    const Entry* b = node.findEntry(second);
    if (a && b) {
      const Entry* later = a->key->span < b->key->span ? b : a;
      const Entry* earlier = later == a ? b : a;
      context_.sink
          .report<diag::ExclusiveKeys>(later->key->span, model::mapName(map), ticked(first),
                                       ticked(second))
          .relatedTo(earlier->key->span, "the other key is here");
      later->value->invalid = true;
    } else if (!a && !b && needed && !misplaced_.isReported(map, first) &&
               !misplaced_.isReported(map, second)) {
      addLine(context_.sink.report<diag::MissingChoice>(headOf(node), model::mapName(map),
                                                        ticked(first), ticked(second)),
              map, first);
      if (map != Map::Top)
        node.invalid = true;
    }
  }

  FileContext& context_;
  Misplaced misplaced_;
  Completeness completeness_;
};

} // namespace

void checkStructure(FileContext& context, Node& root, Shape shape, Completeness completeness) {
  StructureChecker(context, root, shape, completeness).check(root, shape);
}

} // namespace tikc::sema
