#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace tikc::model {

/// The maps of the language with a fixed set of keys.
enum class Map : std::uint8_t {
  Top,
  Kernel,
  Parallel,
  Sampling,
  Pair,
  Model,
  Load,
  Assumptions,
  Layer,
  Staleness,
  Support,
  Slice,
  Clause,
  Rule,
  Step,
  Promotion,
  Stage,
  // The maps of escalation tests, which are separate files.
  Fixture,
  PolicyTest,
  Expectation
};
/// The number of maps in contracts, which come first.
inline constexpr std::size_t mapCount = 17;

/// The form of a value before it is interpreted. Shapes.cpp maps each to YAML and JSON Schema.
enum class Shape : std::uint8_t {
#define SHAPE(Id, ...) Id,
#include "model/Shapes.def"
};

/// The entry of the grammar that reads a scalar of the shape.
enum class GrammarEntry : std::uint8_t { None, Requirement, Predicate, Trigger, Call, Quantity };

/// The structure of a shape, for the reader and the JSON Schema.
enum class Form : std::uint8_t {
  String,       // a string; a pattern or a list of words may narrow it
  Boolean,      //
  Number,       // an int or a float
  Count,        // an int, at least 1
  Fraction,     // a number or a string such as 20%
  Interval,     // [low, high]
  Scalar,       // a text, a number or a boolean
  Strings,      // one or more of the element shape
  Items,        // any number of the element shape
  OneOrMore,    // a string or a list of them
  Record,       // a map with a fixed set of keys
  RecordOrText, // a string, or a map with a fixed set of keys
  Dictionary    // a map whose keys are names that the author chooses
};

struct ShapeInfo {
  Shape shape;
  Form form;
  std::string_view what;    // "a duration such as 10 min", for messages
  std::string_view pattern; // for String
  std::string_view words;   // for String, "a|b": the only values, or the known ones if open
  bool open;                // other strings are valid, too
  GrammarEntry entry;
  std::optional<Map> map;       // for Record
  std::optional<Shape> element; // for Strings, OneOrMore and Dictionary
};

const ShapeInfo& info(Shape shape);
/// Whether a string matches the shape's pattern; true if it has none.
bool matches(Shape shape, std::string_view text);

enum class Presence : std::uint8_t { Optional, Required };

struct KeyInfo {
  Map map;
  std::string_view key;
  Shape shape;
  Presence presence;
  std::string_view meaning;
};

std::span<const KeyInfo> keys(Map map);
const KeyInfo* findKey(Map map, std::string_view key);
/// Whether any map has the key.
bool isAnyKey(std::string_view key);
/// Whether the key is an author's own, `x-…`, which tikc keeps and ignores.
inline bool isFree(std::string_view key) { return key.starts_with("x-"); }
/// Returns the meaning of a known word of the shape; empty if Words.def has none.
std::string_view meaningOf(Shape shape, std::string_view word);
/// Returns the map's name for messages: "a kernel", "the assumptions".
std::string_view mapName(Map map);

} // namespace tikc::model
