#include "sema/Scalars.h"

#include "support/Check.h"
#include "support/Names.h"
#include "support/Utf8.h"
#include "yaml/Scanner.h"

#include <fmt/format.h>
#include <llvm/ADT/StringExtras.h>

#include <algorithm>

namespace tikc::sema {

using model::Form;
using model::Shape;
using model::ShapeInfo;
using utf8::ticked;
using yaml::Node;
using yaml::ScalarType;

namespace {

bool isNumber(const Node& node) {
  return node.kind == Node::Kind::Scalar &&
         (node.type == ScalarType::Int || node.type == ScalarType::Float);
}

bool isString(const Node& node) {
  return node.kind == Node::Kind::Scalar && node.type == ScalarType::String;
}

bool isQuoted(const Node& node) {
  return node.style == yaml::Style::SingleQuoted || node.style == yaml::Style::DoubleQuoted;
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

/// `because: see #12` says `see`.
void checkComment(FileContext& context, const Node& node) {
  if (node.style != yaml::Style::Plain || node.inFlow)
    return;
  std::string_view text = context.sources.get(node.span.file).text;
  std::size_t hash = text.find_first_not_of(" \t", node.span.end);
  if (hash == std::string_view::npos || hash == node.span.end || text[hash] != '#')
    return;
  std::size_t end = std::min(text.find_first_of("\r\n", hash), text.size());
  // A comment has a blank after its sign.
  if (hash + 1 >= end || text[hash + 1] == ' ' || text[hash + 1] == '#')
    return;
  Span rest{node.span.file, static_cast<std::uint32_t>(hash), static_cast<std::uint32_t>(end)};
  Span whole = join(node.span, rest);
  context.sink.report<diag::CutByComment>(rest, ticked(context.sources.text(rest)))
      .unsafeFix("quote the text", {{whole, yaml::singleQuoted(context.sources.text(whole))}});
}

/// `{ horizon: 4,096 tokens }`
bool isCutNumber(const FileContext& context, const Node& node) {
  std::string_view rest =
      std::string_view(context.sources.get(node.span.file).text).substr(node.span.end);
  return rest.size() > 1 && rest[0] == ',' && rest[1] >= '0' && rest[1] <= '9';
}

void quoteNumber(const Node& node, Shape shape, diag::Diagnostic& finding) {
  finding.note("unquoted, this reads as a number");
  std::string better = node.value;
  if (shape == Shape::SemanticVersion)
    better += node.value.find('.') == std::string::npos ? ".0.0" : ".0";
  if (model::matches(shape, better))
    finding.fix(shape == Shape::SemanticVersion ? "write " + better : "quote it",
                {{node.span, shape == Shape::SemanticVersion ? better : '"' + better + '"'}});
}

/// `v1.0.0`, `1.2`: as many numbers as a version has, and nothing before them.
std::string toVersion(std::string_view text) {
  if (text.starts_with('v') || text.starts_with('V'))
    text.remove_prefix(1);
  std::string out(text);
  bool isPlain = out.find_first_not_of("0123456789.") == std::string::npos;
  for (auto dots = std::count(out.begin(), out.end(), '.'); isPlain && dots < 2; ++dots)
    out += ".0";
  return out;
}

/// Where a word is wrong anyway, how else YAML 1.1 reads it is no second fault.
void dropBooleanTrap(FileContext& context, const Node& node) {
  context.sink.drop([&](const diag::Diagnostic& finding) {
    return finding.code == diag::Code::BooleanTrap && finding.span == node.span;
  });
}

void checkWord(FileContext& context, Node& node, const ShapeInfo& want) {
  auto words = splitWords(want.words);
  if (std::find(words.begin(), words.end(), node.value) != words.end())
    return;
  node.invalid = true;
  dropBooleanTrap(context, node);
  auto& found = context.sink.report<diag::UnknownWord>(node.span, ticked(node.value), want.what);
  found.note(fmt::format("possible values: {}", joinAlternatives(words)));
  found.offerNearest(node.span, node.value, words);
}

void checkString(FileContext& context, Node& node, const ShapeInfo& want) {
  if (!isString(node)) {
    auto& found = reportWrongKind(context, node, want);
    if (isNumber(node)) {
      if (auto unit = missingUnit(want.shape))
        found.withLabel("missing unit")
            .fix(fmt::format("write {}{}", node.value, unit->text),
                 {{node.span.finish(), std::string(unit->text)}},
                 unit->isOnly && !isCutNumber(context, node));
      else if (want.entry == model::GrammarEntry::None && want.words.empty())
        quoteNumber(node, want.shape, found);
    }
    return;
  }
  if (want.shape == Shape::Text)
    checkComment(context, node);
  if (node.value.empty()) {
    reportWrongKind(context, node, want);
  } else if (!want.words.empty() && !want.open) {
    checkWord(context, node, want);
  } else if (!model::matches(want.shape, node.value)) {
    node.invalid = true;
    auto& found =
        context.sink.report<diag::MalformedName>(node.span, ticked(node.value), want.what);
    if (std::string better = toIdentifier(node.value);
        want.shape == Shape::Identifier && !better.empty())
      found.unsafeFix(fmt::format("write {}", better), {{node.span, better}});
    else if (std::string version = toVersion(node.value);
             want.shape == Shape::SemanticVersion && model::matches(want.shape, version))
      found.fix("write " + version, {{node.span, version}});
  }
}

void checkBoolean(FileContext& context, Node& node, const ShapeInfo& want) {
  if (node.kind == Node::Kind::Scalar && node.type == ScalarType::Bool)
    return;
  std::string_view value = node.value;
  dropBooleanTrap(context, node);
  auto& found = reportWrongKind(context, node, want);
  if (!isString(node))
    return;
  bool yes = value == "yes" || value == "on" || value == "Yes" || value == "On" || value == "YES" ||
             value == "y" || value == "true";
  bool no = value == "no" || value == "off" || value == "No" || value == "Off" || value == "NO" ||
            value == "n" || value == "false";
  if (yes || no)
    found.note("YAML 1.2 reads only true and false as booleans")
        .fix(yes ? "write true" : "write false", {{node.span, yes ? "true" : "false"}});
}

void checkNumber(FileContext& context, Node& node, const ShapeInfo& want) {
  if (isNumber(node))
    return;
  auto& found = reportWrongKind(context, node, want);
  if (!isString(node))
    return;
  std::string plain = node.value;
  bool grouped = plain.find('_') != std::string::npos;
  std::erase(plain, '_');
  auto type = yaml::coreType(plain);
  if (type != ScalarType::Int && type != ScalarType::Float)
    return;
  if (grouped)
    found.note("use `_` to group thousands only in quantities, which carry a unit");
  if (isQuoted(node))
    found.note("in quotes, this reads as a text");
  found.fix(fmt::format("write {}", plain), {{node.span, plain}}, !grouped);
}

void checkCount(FileContext& context, Node& node, const ShapeInfo& want) {
  if (!isNumber(node))
    return checkNumber(context, node, want);
  // A whole number is one however it is written: JSON Schema, too, takes 8.0 and 1e3 for
  // integers.
  auto value = parseCoreNumber(node.value, context.limits);
  if (!value || value->get_den() != 1 || *value < 1)
    reportWrongKind(context, node, want);
}

/// The key of `key:value`, which YAML reads as one text; empty for other texts.
std::string_view keyWithoutSpace(const Node& node) {
  if (node.kind != Node::Kind::Scalar || node.style != yaml::Style::Plain)
    return {};
  const std::string_view text = node.value;
  const std::size_t colon = text.find(':');
  const std::string_view key = text.substr(0, colon);
  const bool isKey = colon != std::string_view::npos && !key.empty() &&
                     std::all_of(key.begin(), key.end(), [](char each) {
                       return llvm::isAlnum(each) || each == '_' || each == '-';
                     });
  return isKey ? text.substr(0, colon + 1) : std::string_view();
}

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
  TIKC_CHECK(false, "each type has its case");
}

diag::Diagnostic& reportWrongKind(FileContext& context, Node& node, const ShapeInfo& want) {
  node.invalid = true;
  auto& finding = context.sink.report<diag::WrongKind>(node.span, want.what, describe(node));
  if (const std::string_view key = keyWithoutSpace(node); !key.empty())
    finding.note(fmt::format("YAML needs a space after {}", ticked(key)));
  return finding;
}

void checkScalar(FileContext& context, Node& node, const ShapeInfo& want) {
  switch (want.form) {
  case Form::Boolean:
    return checkBoolean(context, node, want);
  case Form::Number:
    return checkNumber(context, node, want);
  case Form::Count:
    return checkCount(context, node, want);
  case Form::Fraction:
    if (isString(node) ? node.value.empty() : !isNumber(node))
      reportWrongKind(context, node, want);
    return;
  case Form::Scalar:
    if (node.kind != Node::Kind::Scalar || node.isNull())
      reportWrongKind(context, node, want);
    return;
  default:
    return checkString(context, node, want);
  }
}

} // namespace tikc::sema
