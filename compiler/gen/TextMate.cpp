#include "expr/ExprText.h"
#include "gen/Generators.h"
#include "model/Amount.h"
#include "model/Keys.h"
#include "model/Metrics.h"
#include "support/Names.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <llvm/Support/FormatVariadic.h>
#include <llvm/Support/JSON.h>

#include <set>

namespace tikc::gen {

namespace json = llvm::json;

namespace {

using WordSet = std::set<std::string>;

std::string anyOf(const WordSet& words) { return fmt::format("(?:{})", fmt::join(words, "|")); }
/// A whole word of the expression language.
std::string wordOf(const WordSet& words) {
  return fmt::format("(?<![\\w.-]){}(?!\\w)", anyOf(words));
}

template <typename Row, typename Name> WordSet namesOf(std::span<const Row> rows, Name name) {
  WordSet out;
  for (const Row& row : rows)
    out.emplace(row.*name);
  return out;
}

WordSet keywords() {
  WordSet out;
  for (auto kind = expr::TokenKind::And; expr::isKeyword(kind);
       kind = static_cast<expr::TokenKind>(static_cast<int>(kind) + 1))
    out.emplace(expr::keyword(kind));
  return out;
}

WordSet units() {
  WordSet out;
  for (const model::UnitInfo& unit : model::units())
    if (!unit.symbol.empty() && unit.symbol != "%")
      out.emplace(unit.symbol);
  return out;
}

/// Functions: what is called with parentheses, or stands for such a call.
WordSet functions() {
  WordSet out = namesOf(model::calls(), &model::CallInfo::name);
  out.merge(namesOf(model::aggregates(), &model::AggregateInfo::name));
  out.insert("abs");
  return out;
}

/// What is measured, asked of a request, or claimed.
WordSet quantities() {
  WordSet out = namesOf(model::metrics(), &model::MetricInfo::symbol);
  out.merge(namesOf(model::claims(), &model::ClaimInfo::symbol));
  out.merge(namesOf(model::fields(), &model::FieldInfo::symbol));
  return out;
}

template <typename Use> void eachKey(Use&& use) {
  for (std::size_t map = 0; map < model::mapCount; ++map)
    for (const model::KeyInfo& key : model::keys(static_cast<model::Map>(map)))
      use(key);
}

/// Words of closed lists.
WordSet constants() {
  WordSet out;
  eachKey([&](const model::KeyInfo& key) {
    for (std::string_view word : splitWords(model::info(key.shape).words))
      out.emplace(word);
  });
  using Kind = model::ParameterKind;
  for (Kind kind : {Kind::Input, Kind::ReplayKind, Kind::Retained})
    for (std::string_view word : model::words(kind))
      out.emplace(word);
  return out;
}

/// Keys whose values are text of the author's own, whatever words are in it.
WordSet textKeys() {
  WordSet out;
  eachKey([&](const model::KeyInfo& key) {
    using model::Shape;
    for (Shape shape : {Shape::Text, Shape::TextList, Shape::ContractName, Shape::SemanticVersion})
      if (key.shape == shape)
        out.emplace(key.key);
  });
  return out;
}

json::Object scoped(std::string_view scope) {
  return json::Object{{"name", std::string(scope) + ".tikc"}};
}
json::Object match(std::string regex, std::string_view scope) {
  json::Object out = scoped(scope);
  out["match"] = std::move(regex);
  return out;
}

using Captures = std::initializer_list<std::pair<int, std::string_view>>;
json::Object captures(Captures captures) {
  json::Object out;
  for (auto [number, scope] : captures)
    out[std::to_string(number)] = scoped(scope);
  return out;
}
json::Object match(std::string regex, Captures groups) {
  return json::Object{{"match", std::move(regex)}, {"captures", captures(groups)}};
}

json::Array includes(std::initializer_list<std::string_view> names) {
  json::Array out;
  for (std::string_view name : names)
    out.push_back(json::Object{{"include", "#" + std::string(name)}});
  return out;
}

constexpr std::string_view pair = "punctuation.separator.key-value", tag = "entity.name.tag";

json::Object between(std::string begin, std::string end, std::string_view scope,
                     json::Array patterns) {
  json::Object out{
      {"begin", std::move(begin)}, {"end", std::move(end)}, {"patterns", std::move(patterns)}};
  if (!scope.empty())
    out["name"] = std::string(scope) + ".tikc";
  return out;
}

/// From a line to those below it that are indented deeper.
json::Object deeper(const std::string& begin, Captures groups, json::Array patterns,
                    std::string_view content = {}) {
  json::Object out{{"begin", "^(\\s*(?:-\\s+)*)" + begin},
                   {"beginCaptures", captures(groups)},
                   {"while", "^(?=\\1\\s+\\S|\\s*$)"},
                   {"patterns", std::move(patterns)}};
  if (!content.empty())
    out["contentName"] = std::string(content) + ".tikc";
  return out;
}

/// Where a value begins: quotes there are YAML's, elsewhere the expression's. A look behind has a
/// known length, so there are not too many blanks after a colon.
constexpr std::string_view valueStart =
    "(?:(?<=[:,\\[{-]\\s|:\\s{2}|:\\s{3}|:\\s{4}|:\\s{5}|:\\s{6}|[\\[{,])|^\\s*)";
constexpr std::string_view key = "(?:[A-Za-z_][\\w.-]*|\"(?:[^\"\\\\]|\\\\.)*\"|'(?:[^']|'')*')";
/// What tells an expression in quotes from a text.
constexpr std::string_view telling = "[(<>=%]";

/// The rules by their names.
class Repository {
public:
  template <typename... Rule> void add(std::string_view name, Rule&&... rules) {
    json::Array patterns;
    (patterns.push_back(std::forward<Rule>(rules)), ...);
    put(name, std::move(patterns));
  }
  void put(std::string_view name, json::Array patterns) {
    rules_[std::string(name)] = json::Object{{"patterns", std::move(patterns)}};
  }
  json::Object take() { return std::move(rules_); }

private:
  json::Object rules_;
};

/// The end of a line that a block scalar begins on, after its key.
constexpr std::string_view header = "(\\s*)(:)\\s+([|>][-+0-9]*)\\s*(#.*)?$";
constexpr std::string_view plain = "string.unquoted", comment = "comment.line.number-sign",
                           indicator = "keyword.control.block-scalar";

json::Array with(json::Array patterns, json::Object one) {
  patterns.push_back(std::move(one));
  return patterns;
}

void addText(Repository& out) {
  std::string keys = anyOf(textKeys());
  auto inFlow = [] { return match("[^\\s,\\[\\]{}\"'#][^,\\[\\]{}]*", plain); };
  out.add("block",
          deeper(fmt::format("({}){}", keys, header),
                 {{2, tag}, {4, pair}, {5, indicator}, {6, comment}}, {}, "string.unquoted.block"),
          deeper(fmt::format("({}){}", key, header),
                 {{2, tag}, {4, pair}, {5, indicator}, {6, comment}}, includes({"expression"})));
  out.add("text", deeper(fmt::format("({})(\\s*)(:)(?=\\s|$)", keys), {{2, tag}, {4, pair}},
                         includes({"comment", "quoted", "texts", "plain"})));
  out.add("plain", match("[^\\s#\"'\\[\\]].*?(?=\\s+#|\\s*$)", plain));
  out.add("texts", between("\\[", "\\]", "", with(includes({"comment", "quoted"}), inFlow())));
  json::Object flowText =
      between(fmt::format("(?<=[{{,\\s])({})(\\s*)(:)(?=\\s)", keys), "(?=[,}\\]]|$)", "",
              with(includes({"comment", "quoted", "texts"}), inFlow()));
  flowText["beginCaptures"] = captures({{1, tag}, {3, pair}});
  out.add("flowText", std::move(flowText));
}

void addYaml(Repository& out) {
  std::string start(valueStart);
  out.add(
      "comment",
      match("(?<!\\S)#\\s*(tikc:)\\s*(allow\\b)([^-]*)(--)?(.*)$",
            {{0, comment}, {1, "keyword.control"}, {2, "keyword.control"}, {3, "constant.other"}}),
      match("(?<!\\S)#.*$", comment));
  out.add("document", match("^(?:---|\\.\\.\\.)(?=\\s|$)", "entity.other.document"));
  out.add("entry",
          match(fmt::format("(?<![\\w.-])({})(\\s*)(:)(?=\\s|$)", key), {{1, tag}, {3, pair}}));
  out.add("item", match("(?:^|(?<=-))\\s*(-)(?=\\s|$)", {{1, "punctuation.definition.item"}}));
  for (auto [name, open, close] : {std::tuple("map", "\\{", "\\}"), {"list", "\\[", "\\]"}})
    out.add(name, between(open, close, fmt::format("meta.flow.{}", name),
                          includes({"comment", "flowText", "entry", "value"})));
  out.add("property", match(start + "[&*][^\\s,\\[\\]{}]+", "variable.other.anchor"),
          match(start + "![^\\s,\\[\\]{}]*", "storage.type.tag"));
  out.add("quoted", between(start + "\"", "\"", "string.quoted.double", includes({"escape"})),
          between(start + "'", "'(?!')", "string.quoted.single", includes({"twice"})));
  out.add("escape", match("\\\\.", "constant.character.escape"));
  out.add("twice", match("''", "constant.character.escape"));
  out.put("value",
          includes({"quotedExpression", "quoted", "property", "map", "list", "expression"}));
}

void addQuotedExpressions(Repository& out) {
  json::Array inDouble, inSingle;
  inDouble.push_back(match("\\\\\".*?\\\\\"", "string.quoted.inner"));
  inDouble.push_back(json::Object{{"include", "#expression"}});
  inSingle.push_back(match("''.*?''", "string.quoted.inner"));
  inSingle.push_back(json::Object{{"include", "#expression"}});
  out.add("quotedExpression",
          between(fmt::format("{}\"(?=(?:[^\"\\\\]|\\\\.)*{})", valueStart, telling), "\"",
                  "string.quoted.double", std::move(inDouble)),
          between(fmt::format("{}'(?=(?:[^']|'')*{})", valueStart, telling), "'(?!')",
                  "string.quoted.single", std::move(inSingle)));
}

void addExpressions(Repository& out) {
  out.add("string", between("\"", "\"|$", "string.quoted.double", includes({"escape"})),
          between("(?<!\\w)'", "'|$", "string.quoted.single", includes({"escape"})));
  std::string unit = anyOf(units());
  out.add("number", match(fmt::format("(?<![\\w.])(-?\\.?\\d[\\d_.]*(?:[eE][+-]?\\d[\\d_]*)?)"
                                      "(?:\\s*(%|{}(?!\\w)))?(?:\\s+(per)\\s+({}(?!\\w)))?(?!\\w)",
                                      unit, unit),
                          {{1, "constant.numeric"},
                           {2, "keyword.other.unit"},
                           {3, "keyword.operator.word"},
                           {4, "keyword.other.unit"}}));
  out.add("word",
          match(fmt::format("(?<![\\w.-]){}(?=\\s*\\()", anyOf(functions())), "support.function"),
          match(wordOf(quantities()), "support.variable"),
          match(wordOf(keywords()), "keyword.operator.word"),
          match(wordOf(functions()), "support.function"),
          match(wordOf(constants()), "support.constant"),
          match(wordOf({"any", "other"}), "variable.language"),
          match(wordOf({"true", "false", "null"}) + "|(?<!\\S)~(?!\\S)", "constant.language"),
          match("[A-Za-z_][\\w.-]*(?=\\()", "entity.name.function"),
          match("[A-Za-z_][\\w.-]*", "variable.other"));
  out.add("sign", match("=<|=>|<>|===|!==|&&|\\|\\||!(?!=)", "invalid.illegal.operator"),
          match("<=|>=|==|!=|<|>", "keyword.operator.comparison"),
          match("=", "keyword.operator.assignment"), match(",", "punctuation.separator"));
  out.put("expression", includes({"comment", "string", "number", "sign", "word"}));
}

} // namespace

std::string textMateGrammar() {
  Repository rules;
  addText(rules);
  addYaml(rules);
  addQuotedExpressions(rules);
  addExpressions(rules);
  json::Value grammar = json::Object{
      {"$schema", "https://raw.githubusercontent.com/martinring/tmlanguage/master/tmlanguage.json"},
      {"information_for_contributors", "Written by `make gen`; do not edit."},
      {"name", "Kernel contract"},
      {"scopeName", "source.tikc"},
      {"fileTypes", json::Array{"tikc.yaml"}},
      {"patterns", includes({"comment", "document", "block", "text", "item", "entry", "value"})},
      {"repository", rules.take()}};
  return llvm::formatv("{0:2}\n", grammar).str();
}

} // namespace tikc::gen
