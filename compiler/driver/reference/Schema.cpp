#include "driver/Commands.h"
#include "driver/reference/Catalogue.h"
#include "driver/reference/Pages.h"
#include "model/Keys.h"
#include "project/Settings.h"
#include "support/Json.h"
#include "support/Names.h"
#include "support/StringRef.h"

#include <fmt/format.h>

namespace tikc::driver {

using llvm::json::OStream;
using model::Form;
using model::KeyInfo;
using model::Map;
using model::Shape;
using model::ShapeInfo;

namespace {

/// Python's `$` also matches before a final newline, JavaScript's does not.
std::string wholePattern(std::string_view pattern) { return std::string(pattern) + "(?!\\n)"; }

/// What an editor inserts; a comma or a brace would end a plain scalar inside a flow map.
std::string snippet(std::string_view sample) {
  bool quoted = sample.find_first_of(",{}") != std::string_view::npos;
  return quoted ? fmt::format("'{}'", sample) : std::string(sample);
}

/// Writes JSON Schema that says of structure what sema/Structure.cpp checks, from the same tables.
class SchemaWriter {
public:
  explicit SchemaWriter(OStream& out) : out_(out) {}

  void write() {
    out_.object([&] {
      out_.attribute("$schema", "http://json-schema.org/draft-07/schema#");
      out_.attribute("$id", "urn:tikc:kernel-contract:v1");
      out_.attribute("title", "tikc contract, v1");
      out_.attribute(
          "description",
          "A Training-Inference Kernel Contract: how far an inference kernel may drift from the "
          "training kernel "
          "that shares its weights, what follows from that, and what happens when it fails.");
      out_.attribute("type", "object");
      out_.attributeObject("if", [&] { partialCondition(); });
      out_.attributeObject("then",
                           [&] { out_.attribute("$ref", "#/definitions/PartialContract"); });
      out_.attributeObject("else", [&] { out_.attribute("$ref", "#/definitions/Contract"); });
      out_.attributeObject("definitions", [&] {
        out_.attributeObject("Contract", [&] { record(Map::Top, false); });
        partial_ = true;
        out_.attributeObject("PartialContract", [&] { record(Map::Top, false); });
        partial_ = false;
        out_.attributeObject("Clause", [&] { clause(Shape::Clause, false); });
        out_.attributeObject("Claim", [&] { clause(Shape::Clause, true); });
        out_.attributeObject("Directive", [&] { clause(Shape::Directive, false); });
      });
    });
  }

  void writeFixture() {
    out_.object([&] {
      out_.attribute("$schema", "http://json-schema.org/draft-07/schema#");
      out_.attribute("$id", "urn:tikc:kernel-contract-test:v1");
      out_.attribute("title", "tikc tests of an escalation, v1");
      out_.attribute("description", "Tests of a contract's escalation: what its rules do for given "
                                    "verdicts. `tikc test` runs them.");
      record(Map::Fixture, false);
    });
  }

private:
  /// A contract that extends another, or is only extended, may lack what it gets elsewhere, and
  /// null removes what it inherits.
  void partialCondition() {
    out_.attributeArray("anyOf", [&] {
      out_.object([&] { out_.attributeArray("required", [&] { out_.value("extends"); }); });
      out_.object([&] {
        out_.attributeObject("properties", [&] {
          out_.attributeObject("abstract", [&] { out_.attribute("const", true); });
        });
        out_.attributeArray("required", [&] { out_.value("abstract"); });
      });
    });
  }

  void type(std::initializer_list<std::string_view> names, bool nullable) {
    if (names.size() == 1 && !nullable)
      return out_.attribute("type", asRef(*names.begin()));
    out_.attributeArray("type", [&] {
      for (std::string_view name : names)
        out_.value(asRef(name));
      if (nullable)
        out_.value("null");
    });
  }

  void describe(std::string_view text, std::string_view more) {
    out_.attribute("description", asRef(text));
    if (!more.empty())
      out_.attribute("markdownDescription", fmt::format("{}\n\n{}", text, more));
  }

  void samples(Shape shape) {
    auto values = samplesOf(shape);
    if (values.empty())
      return;
    out_.attributeArray("examples", [&] {
      for (std::string_view value : values)
        out_.value(asRef(value));
    });
    out_.attributeArray("defaultSnippets", [&] {
      for (std::string_view value : values)
        out_.object([&] {
          out_.attribute("label", asRef(value));
          out_.attribute("body", snippet(value));
        });
    });
  }

  void wordList(const ShapeInfo& want) {
    for (std::string_view word : splitWords(want.words))
      out_.object([&] {
        out_.attribute("const", asRef(word));
        if (auto meaning = model::meaningOf(want.shape, word); !meaning.empty())
          out_.attribute("description", asRef(meaning));
      });
  }

  void words(const ShapeInfo& want, bool nullable) {
    auto null = [&] {
      if (nullable)
        out_.object([&] { out_.attribute("type", "null"); });
    };
    if (!want.open) {
      out_.attributeArray("oneOf", [&] { wordList(want), null(); });
      return;
    }
    out_.attributeArray("anyOf", [&] {
      out_.object([&] { out_.attributeArray("oneOf", [&] { wordList(want); }); });
      out_.object([&] { type({"string"}, false), out_.attribute("minLength", 1); });
      null();
    });
  }

  void string(const ShapeInfo& want, bool nullable) {
    if (!want.words.empty())
      return words(want, nullable);
    type({"string"}, nullable);
    out_.attribute("minLength", 1);
    if (!want.pattern.empty()) {
      out_.attribute("pattern", wholePattern(want.pattern));
      out_.attribute("patternErrorMessage", fmt::format("expected {}", want.what));
    }
    samples(want.shape);
  }

  void list(Shape element) {
    out_.attribute("minItems", 1);
    out_.attributeObject("items", [&] { value(element, false, {}, vocabularyOf(element, false)); });
  }

  /// The schema of a value. `nullable`: it stands in a map that is merged, where null removes.
  void value(Shape shape, bool nullable, std::string_view meaning, std::string_view more) {
    const ShapeInfo& want = model::info(shape);
    if (!meaning.empty() || !more.empty())
      describe(meaning.empty() ? want.what : meaning, more);
    switch (want.form) {
    case Form::String:
      return string(want, nullable);
    case Form::Boolean:
      return type({"boolean"}, nullable);
    case Form::Number:
      return type({"number"}, nullable);
    case Form::Count:
      type({"integer"}, nullable);
      return out_.attribute("minimum", 1);
    case Form::Fraction:
      type({"number", "string"}, nullable);
      out_.attribute("minLength", 1);
      return samples(shape);
    case Form::Scalar:
      return type({"string", "number", "boolean"}, nullable);
    case Form::Interval:
      type({"array"}, nullable);
      out_.attributeObject("items", [&] { type({"number"}, false); });
      out_.attribute("minItems", 2);
      return out_.attribute("maxItems", 2);
    case Form::Strings:
      type({"array"}, nullable);
      return list(*want.element);
    case Form::Items:
      type({"array"}, nullable);
      return out_.attributeObject("items", [&] { value(*want.element, false, {}, {}); });
    case Form::OneOrMore:
      type({"string", "array"}, nullable);
      out_.attribute("minLength", 1);
      list(*want.element);
      return samples(*want.element);
    case Form::RecordOrText:
      return shape == Shape::Slice ? slice(want, nullable) : recordOrWord(want, nullable);
    case Form::Record:
      return record(*want.map, nullable);
    case Form::Dictionary:
      return dictionary(want, nullable);
    }
  }

  void freeKeys() {
    out_.attributeObject("patternProperties", [&] { out_.attributeObject("^x-", [] {}); });
  }

  void record(Map map, bool nullable) {
    type({"object"}, nullable);
    recordBody(map, false);
  }

  void recordBody(Map map, bool claims) {
    // A clause, a support and a step are replaced whole, so neither may lean on a parent.
    bool merges =
        map != Map::Clause && map != Map::Support && map != Map::Step && map != Map::Layer;
    bool identity = partial_ && map == Map::Top;
    out_.attribute("additionalProperties", false);
    freeKeys();
    out_.attributeArray("required", [&] {
      for (const KeyInfo& row : model::keys(map))
        if (row.presence == model::Presence::Required &&
            (!partial_ || !merges || (identity && isIdentity(row.key))))
          out_.value(asRef(row.key));
    });
    choices(map);
    out_.attributeObject("properties", [&] {
      for (const KeyInfo& row : model::keys(map)) {
        bool isOwn = map == Map::Top && (isIdentity(row.key) || row.key == "extends");
        bool nullable = partial_ && merges && !isOwn;
        bool isClaims = claims || (map == Map::Top && row.key == "claims");
        out_.attributeObject(asRef(row.key), [&] {
          claims_ = isClaims;
          value(row.shape, nullable, row.meaning, vocabularyOf(row.shape, isClaims));
        });
      }
    });
  }

  static bool isIdentity(std::string_view key) { return key == "tikc" || key == "contract"; }

  void choices(Map map) {
    if (map == Map::Top)
      choice("pair", "chain", partial_);
    else if (map == Map::Rule)
      choice("do", "steps", partial_);
    else if (map == Map::Support)
      choice("missing_mass", "top_p", false);
  }

  void choice(llvm::StringRef first, llvm::StringRef second, bool partial) {
    auto required = [&](llvm::StringRef key) {
      out_.object([&] { out_.attributeArray("required", [&] { out_.value(key); }); });
    };
    if (!partial)
      return out_.attributeArray("oneOf", [&] { required(first), required(second); });
    // A child may remove the one with null and set the other.
    out_.attributeObject("not", [&] {
      out_.attributeArray("required", [&] { out_.value(first), out_.value(second); });
      out_.attributeObject("properties", [&] {
        for (llvm::StringRef key : {first, second})
          out_.attributeObject(
              key, [&] { out_.attributeObject("not", [&] { out_.attribute("type", "null"); }); });
      });
    });
  }

  /// A condition, or a map; a choice between two schemas would hide which of them a fault is in.
  void slice(const ShapeInfo& want, bool nullable) {
    type({"string", "object"}, nullable);
    out_.attribute("minLength", 1);
    samples(Shape::Predicate);
    recordBody(*want.map, false);
  }

  void recordOrWord(const ShapeInfo& want, bool nullable) {
    out_.attributeArray("oneOf", [&] {
      wordList(want);
      out_.object([&] { record(*want.map, false); });
      if (nullable)
        out_.object([&] { out_.attribute("type", "null"); });
    });
  }

  /// One schema for both forms: a choice between two would hide which of them a fault is in.
  void clause(Shape shape, bool claims) {
    const ShapeInfo& want = model::info(shape);
    describe(claims ? "a claim, or a map with `require`" : want.what, vocabularyOf(shape, claims));
    type({"string", "object"}, false);
    out_.attribute("minLength", 1);
    samples(shape == Shape::Clause ? Shape::Requirement : shape);
    recordBody(Map::Clause, claims);
  }

  void dictionary(const ShapeInfo& want, bool nullable) {
    type({"object"}, nullable);
    const ShapeInfo& name = model::info(Shape::Identifier);
    freeKeys();
    out_.attributeObject("propertyNames", [&] {
      out_.attribute("pattern", fmt::format("^x-|{}", wholePattern(name.pattern)));
      out_.attribute("patternErrorMessage", fmt::format("expected {}", name.what));
    });
    out_.attributeObject("additionalProperties", [&] {
      bool isClause = *want.element == Shape::Clause || *want.element == Shape::Directive;
      if (!isClause)
        return value(*want.element, partial_, {}, {});
      std::string target =
          fmt::format("#/definitions/{}", *want.element == Shape::Directive ? "Directive"
                                          : claims_                         ? "Claim"
                                                                            : "Clause");
      if (!partial_)
        return out_.attribute("$ref", target);
      out_.attributeArray("anyOf", [&] {
        out_.object([&] { out_.attribute("$ref", target); });
        out_.object([&] { out_.attribute("type", "null"); });
      });
    });
  }

  OStream& out_;
  bool partial_ = false;
  bool claims_ = false; // whether the dictionary at hand holds claims
};

/// Writes JSON Schema of tikc.yaml: a setting is a function by the name of its reader, so that none
/// is forgotten.
class SettingsSchemaWriter {
public:
  explicit SettingsSchemaWriter(OStream& out) : out_(out) {}

  void write() {
    out_.object([&] {
      out_.attribute("$schema", "http://json-schema.org/draft-07/schema#");
      out_.attribute("$id", "urn:tikc:settings:v1");
      out_.attribute("title", "tikc.yaml, v1");
      out_.attribute("description", "A project's settings for checking contracts.");
      // One that is empty says nothing.
      out_.attributeArray("type", [&] { out_.value("object"), out_.value("null"); });
      out_.attribute("additionalProperties", false);
      out_.attributeObject("properties", [&] {
#define SETTING(reader, key, meaning)                                                              \
  out_.attributeObject(key, [&] {                                                                  \
    out_.attribute("description", meaning);                                                        \
    reader();                                                                                      \
  });
#include "project/Settings.def"
      });
    });
  }

private:
  void text() {
    out_.attribute("type", "string");
    out_.attribute("minLength", 1);
  }

  void root() { text(); }

  void severities() {
    out_.attribute("type", "object");
    out_.attribute("additionalProperties", false);
    out_.attributeObject("properties", [&] {
      for (const diag::CodeInfo& row : diag::catalogue())
        if (row.policy == diag::SeverityPolicy::Settable)
          out_.attributeObject(asRef(row.id), [&] { severityOf(row); });
    });
  }

  void severityOf(const diag::CodeInfo& row) {
    out_.attribute("description", fmt::format("{}: {}", row.name, row.summary));
    out_.attribute("default", asRef(severityName(row.severity)));
    out_.attributeArray("enum", [&] {
      for (auto each : {diag::Severity::Off, diag::Severity::Note, diag::Severity::Warning,
                        diag::Severity::Error})
        out_.value(asRef(severityName(each)));
    });
  }

  void profile() {
    out_.attributeArray("oneOf", [&] {
      for (const project::ProfileInfo& row : project::profiles())
        out_.object([&] {
          out_.attribute("const", asRef(row.name));
          out_.attribute("description", asRef(row.meaning));
        });
    });
  }

  void exclude() {
    out_.attribute("type", "array");
    out_.attributeObject("items", [&] { text(); });
  }

  void forceExclude() { out_.attribute("type", "boolean"); }

  OStream& out_;
};

} // namespace

std::string contractSchema() {
  return writeJson([](OStream& out) { SchemaWriter(out).write(); });
}

std::string fixtureSchema() {
  return writeJson([](OStream& out) { SchemaWriter(out).writeFixture(); });
}

std::string settingsSchema() {
  return writeJson([](OStream& out) { SettingsSchemaWriter(out).write(); });
}

} // namespace tikc::driver
