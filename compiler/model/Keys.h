#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace tikc::model {

/// The maps of the language that have a fixed set of keys.
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
  // Of tests of the escalation, which are files of their own.
  Fixture,
  PolicyTest,
  Expectation
};
/// Those of contracts.
inline constexpr std::size_t mapCount = 17;

/// What a value may look like before its meaning is asked. Shapes.cpp says which YAML fits each,
/// and what JSON Schema says of it.
enum class Shape : std::uint8_t {
#define SHAPE(Id, ...) Id,
#include "model/Shapes.def"
};

/// The grammar entry that reads a scalar of the shape.
enum class GrammarEntry : std::uint8_t { None, Requirement, Predicate, Trigger, Call, Quantity };

/// The skeleton of a shape: what the reader checks, and what the JSON Schema says.
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
  std::string_view pattern; // of a String
  std::string_view words;   // "a|b": the only (or, where open, the known) values of a String
  bool open;                // other strings are allowed too
  GrammarEntry entry;
  std::optional<Map> map;       // of a Record
  std::optional<Shape> element; // of Strings, OneOrMore, Dictionary
};

const ShapeInfo& info(Shape shape);
/// Whether a string meets the shape's pattern; true where it has none.
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
/// Whether some map has it.
bool isAnyKey(std::string_view key);
/// Whether it is a key of the author's own, which is kept and never read: `x-…`.
inline bool isFree(std::string_view key) { return key.starts_with("x-"); }
/// What a word of a closed or known list means; empty where Words.def says nothing of it.
std::string_view meaningOf(Shape shape, std::string_view word);
/// "a kernel", "the assumptions": how messages name the map.
std::string_view mapName(Map map);

} // namespace tikc::model
