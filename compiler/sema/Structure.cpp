#include "sema/Structure.h"

#include "sema/Misplaced.h"
#include "support/Names.h"
#include "support/Utf8.h"
#include "syntax/Scanner.h"

#include <fmt/format.h>

#include <algorithm>

namespace tikc::sema {

using model::Form;
using model::KeyInfo;
using model::Map;
using model::Shape;
using model::ShapeInfo;
using syntax::Entry;
using syntax::Node;
using syntax::ScalarType;
using utf8::ticked;

namespace {

bool isNumber(const Node& node) {
  return node.kind == Node::Kind::Scalar &&
         (node.type == ScalarType::Int || node.type == ScalarType::Float);
}

bool isString(const Node& node) {
  return node.kind == Node::Kind::Scalar && node.type == ScalarType::String;
}

bool isQuoted(const Node& node) {
  return node.style == syntax::Style::SingleQuoted || node.style == syntax::Style::DoubleQuoted;
}

/// The unit that a bare number lacks.
struct MissingUnit {
  std::string_view text;
  bool isOnly; // no other could stand here
};
std::optional<MissingUnit> missingUnit(Shape shape) {
  switch (shape) {
  case Shape::TokenCount:
    return MissingUnit{" tokens", true};
  case Shape::SequenceCount:
    return MissingUnit{" sequences", true};
  case Shape::Rate:
    return MissingUnit{" per s", false};
  default:
    return std::nullopt;
  }
}

class Checker {
public:
  Checker(Context& context, const Node& root, Completeness completeness)
      : context_(context), misplaced_(context, root), completeness_(completeness) {}

  void check(Node& node, Shape shape) {
    if (node.invalid)
      return;
    std::erase_if(node.entries, [](const Entry& entry) { return model::isFree(entry.key->value); });
    const ShapeInfo& want = model::info(shape);
    switch (want.form) {
    case Form::String:
      return checkString(node, want);
    case Form::Boolean:
      return checkBoolean(node, want);
    case Form::Number:
      return checkNumber(node, want);
    case Form::Count:
      return checkCount(node, want);
    case Form::Fraction:
      if (isString(node) ? node.value.empty() : !isNumber(node))
        wrongKind(node, want);
      return;
    case Form::Interval:
      return checkInterval(node, want);
    case Form::Scalar:
      if (node.kind != Node::Kind::Scalar || node.isNull())
        wrongKind(node, want);
      return;
    case Form::OneOrMore:
      if (node.kind == Node::Kind::Scalar)
        return check(node, *want.element);
      return checkList(node, want);
    case Form::Strings:
      return checkList(node, want);
    case Form::RecordOrText:
      if (node.kind == Node::Kind::Scalar)
        return checkString(node, want);
      return checkRecord(node, want);
    case Form::Record:
      return checkRecord(node, want);
    case Form::Dictionary:
      return checkDictionary(node, want);
    }
  }

private:
  diag::Diagnostic& wrongKind(Node& node, const ShapeInfo& want) {
    node.invalid = true;
    return context_.sink.report<diag::WrongKind>(placeOf(node), want.what, describe(node));
  }

  /// An empty value has no text of its own: the caret then stands where the value belongs.
  Span placeOf(const Node& node) const { return node.span; }

  void checkString(Node& node, const ShapeInfo& want) {
    if (!isString(node)) {
      auto& found = wrongKind(node, want);
      if (isNumber(node)) {
        if (auto unit = missingUnit(want.shape))
          found.withLabel("a unit is missing")
              .fix(fmt::format("write {}{}", node.value, unit->text),
                   {{node.span.finish(), std::string(unit->text)}},
                   unit->isOnly && !isCutNumber(node));
        else if (want.entry == model::Entry::None && want.words.empty())
          quoteNumber(node, want.shape, found);
      }
      return;
    }
    if (want.shape == Shape::Text)
      checkComment(node);
    if (node.value.empty()) {
      wrongKind(node, want);
    } else if (!want.words.empty() && !want.open) {
      checkWord(node, want);
    } else if (!model::matches(want.shape, node.value)) {
      node.invalid = true;
      auto& found =
          context_.sink.report<diag::MalformedName>(node.span, ticked(node.value), want.what);
      if (std::string better = toIdentifier(node.value);
          want.shape == Shape::Identifier && !better.empty())
        found.unsafeFix(fmt::format("write {}", better), {{node.span, better}});
    }
  }

  /// `because: see #12` says `see`.
  void checkComment(const Node& node) {
    if (node.style != syntax::Style::Plain || node.inFlow)
      return;
    std::string_view text = context_.sources.get(node.span.file).text;
    std::size_t hash = text.find_first_not_of(" \t", node.span.end);
    if (hash == std::string_view::npos || hash == node.span.end || text[hash] != '#')
      return;
    std::size_t end = std::min(text.find_first_of("\r\n", hash), text.size());
    // A comment has a blank after its sign.
    if (hash + 1 >= end || text[hash + 1] == ' ' || text[hash + 1] == '#')
      return;
    Span rest{node.span.file, static_cast<std::uint32_t>(hash), static_cast<std::uint32_t>(end)};
    Span whole = join(node.span, rest);
    context_.sink.report<diag::CutByComment>(rest, ticked(context_.sources.text(rest)))
        .unsafeFix("quote the text", {{whole, syntax::singleQuoted(context_.sources.text(whole))}});
  }

  /// `{ horizon: 4,096 tokens }`
  bool isCutNumber(const Node& node) const {
    std::string_view rest =
        std::string_view(context_.sources.get(node.span.file).text).substr(node.span.end);
    return rest.size() > 1 && rest[0] == ',' && rest[1] >= '0' && rest[1] <= '9';
  }

  static void quoteNumber(const Node& node, Shape shape, diag::Diagnostic& found) {
    found.note("unquoted, this reads as a number");
    std::string better = node.value;
    if (shape == Shape::SemanticVersion)
      better += node.value.find('.') == std::string::npos ? ".0.0" : ".0";
    if (model::matches(shape, better))
      found.fix(shape == Shape::SemanticVersion ? "write " + better : "quote it",
                {{node.span, shape == Shape::SemanticVersion ? better : '"' + better + '"'}});
  }

  void checkWord(Node& node, const ShapeInfo& want) {
    auto words = splitWords(want.words);
    if (std::find(words.begin(), words.end(), node.value) != words.end())
      return;
    node.invalid = true;
    auto& found = context_.sink.report<diag::UnknownWord>(node.span, ticked(node.value), want.what);
    found.note(fmt::format("possible: {}", joinAlternatives(words)));
    found.offerNearest(node.span, node.value, words);
  }

  void checkBoolean(Node& node, const ShapeInfo& want) {
    if (node.kind == Node::Kind::Scalar && node.type == ScalarType::Bool)
      return;
    auto& found = wrongKind(node, want);
    if (!isString(node))
      return;
    std::string_view value = node.value;
    bool yes = value == "yes" || value == "on" || value == "Yes" || value == "On" ||
               value == "YES" || value == "y" || value == "true";
    bool no = value == "no" || value == "off" || value == "No" || value == "Off" || value == "NO" ||
              value == "n" || value == "false";
    if (yes || no)
      found.note("YAML 1.2 reads only true and false as booleans")
          .fix(yes ? "write true" : "write false", {{node.span, yes ? "true" : "false"}});
  }

  void checkNumber(Node& node, const ShapeInfo& want) {
    if (isNumber(node))
      return;
    auto& found = wrongKind(node, want);
    if (!isString(node))
      return;
    std::string plain = node.value;
    bool grouped = plain.find('_') != std::string::npos;
    std::erase(plain, '_');
    auto type = syntax::coreType(plain);
    if (type != ScalarType::Int && type != ScalarType::Float)
      return;
    if (grouped)
      found.note("`_` groups thousands only in quantities, which carry a unit");
    if (isQuoted(node))
      found.note("in quotes, this is a text");
    found.fix(fmt::format("write {}", plain), {{node.span, plain}}, !grouped);
  }

  void checkCount(Node& node, const ShapeInfo& want) {
    if (!isNumber(node))
      return checkNumber(node, want);
    // A whole number is one however it is written: JSON Schema, too, takes 8.0 and 1e3 for
    // integers.
    auto value = parseCoreNumber(node.value, context_.limits);
    if (!value || value->get_den() != 1 || *value < 1)
      wrongKind(node, want);
  }

  void checkInterval(Node& node, const ShapeInfo& want) {
    bool two = node.kind == Node::Kind::Sequence && node.items.size() == 2;
    if (!two) {
      wrongKind(node, want);
      return;
    }
    for (auto& item : node.items) {
      checkNumber(*item, model::info(Shape::Number));
      node.invalid |= item->invalid;
    }
  }

  void checkList(Node& node, const ShapeInfo& want) {
    if (node.kind != Node::Kind::Sequence) {
      auto& found = wrongKind(node, want);
      if (isString(node))
        makeList(node, found);
      return;
    }
    if (node.items.empty())
      wrongKind(node, want);
    for (auto& item : node.items)
      check(*item, *want.element);
  }

  /// A text with a comma may be one item or several.
  static void makeList(const Node& node, diag::Diagnostic& found) {
    bool isOne = node.value.find_first_of(",;|& \n") == std::string::npos && !node.inFlow;
    Span start = node.span.start(), end = node.span.finish();
    found.fix("make it a list", {{start, "["}, {end, "]"}}, isOne);
  }

  void checkDictionary(Node& node, const ShapeInfo& want) {
    if (node.kind != Node::Kind::Mapping) {
      wrongKind(node, want);
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
      wrongKind(node, want);
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
      } else if (!entry.key->invalid) {
        unknownKey(entry, *want.map);
        isKnown = false;
      }
    }
    // What seems to be missing may be what was not known.
    if (isKnown)
      checkPresence(node, *want.map);
  }

  void unknownKey(Entry& entry, Map map) {
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
    context_.sink.report<diag::MissingKey>(headOf(node), model::mapName(map), ticked(key));
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
          .relatedTo(earlier->key->span, "the other one is here");
      later->value->invalid = true;
    } else if (!a && !b && needed && !misplaced_.isReported(map, first) &&
               !misplaced_.isReported(map, second)) {
      context_.sink.report<diag::MissingChoice>(headOf(node), model::mapName(map), ticked(first),
                                                ticked(second));
      if (map != Map::Top)
        node.invalid = true;
    }
  }

  Context& context_;
  Misplaced misplaced_;
  Completeness completeness_;
};

} // namespace

std::string describe(const Node& node) {
  switch (node.kind) {
  case Node::Kind::Sequence:
    return node.items.empty() ? "an empty list" : "a list";
  case Node::Kind::Mapping:
    return "a map";
  case Node::Kind::Scalar:
    break;
  }
  switch (node.type) {
  case ScalarType::Null:
    return "nothing";
  case ScalarType::Bool:
    return ticked(node.value);
  case ScalarType::Int:
  case ScalarType::Float:
    return fmt::format("the number {}", utf8::printable(node.value));
  case ScalarType::String:
    return node.value.empty() ? "an empty text" : "the text " + ticked(node.value);
  }
  return {};
}

void checkStructure(Context& context, Node& root, Shape shape, Completeness completeness) {
  Checker(context, root, completeness).check(root, shape);
}

} // namespace tikc::sema
