#include "model/Keys.h"

#include <algorithm>
#include <array>

namespace tikc::model {
namespace {

constexpr ShapeInfo shapeTable[] = {
#define SHAPE(Id, form, what, pattern, words, open, entry, map, element)                           \
  {Shape::Id, Form::form, what, pattern, words, open, GrammarEntry::entry, map, element},
#include "model/Shapes.def"
};

constexpr KeyInfo keyTable[] = {
#define KEY(map, key, shape, presence, meaning)                                                    \
  {Map::map, key, Shape::shape, Presence::presence, meaning},
#include "model/Keys.def"
};

struct WordInfo {
  Shape shape;
  std::string_view word, meaning;
};
constexpr WordInfo wordTable[] = {
#define WORD(shape, word, meaning) {Shape::shape, word, meaning},
#include "model/Words.def"
};

constexpr bool grouped() {
  return std::is_sorted(std::begin(keyTable), std::end(keyTable),
                        [](const KeyInfo& a, const KeyInfo& b) { return a.map < b.map; });
}
static_assert(grouped(), "Keys.def lists the maps in the order of their enumeration");

constexpr std::string_view mapNames[] = {
    "a contract",  "a kernel", "`parallel`",        "`sampling`", "`pair`",
    "`model`",     "`load`",   "`assumptions`",     "a layer",    "`staleness`",
    "`support`",   "a slice",  "a clause or claim", "a rule",     "a step",
    "`promotion`", "a stage",  "a file of tests",   "a test",     "an expectation"};

} // namespace

const ShapeInfo& info(Shape shape) { return shapeTable[static_cast<std::size_t>(shape)]; }

std::span<const KeyInfo> keys(Map map) {
  auto [first, last] =
      std::equal_range(std::begin(keyTable), std::end(keyTable), KeyInfo{map, {}, {}, {}, {}},
                       [](const KeyInfo& a, const KeyInfo& b) { return a.map < b.map; });
  return {first, last};
}

bool isAnyKey(std::string_view key) {
  for (std::size_t map = 0; map < mapCount; ++map)
    if (findKey(static_cast<Map>(map), key))
      return true;
  return false;
}

const KeyInfo* findKey(Map map, std::string_view key) {
  for (const KeyInfo& row : keys(map))
    if (row.key == key)
      return &row;
  return nullptr;
}

std::string_view meaningOf(Shape shape, std::string_view word) {
  for (const WordInfo& row : wordTable)
    if (row.shape == shape && row.word == word)
      return row.meaning;
  return {};
}

std::string_view mapName(Map map) { return mapNames[static_cast<std::size_t>(map)]; }

} // namespace tikc::model
