#include "YamlFixture.h"

#include <random>

namespace tikc::yaml {
namespace {

/// A scalar written down together with where each byte of its value stands.
struct WrittenScalar {
  std::string text = "k: ";
  std::string value;
  std::vector<std::pair<std::uint32_t, std::uint32_t>>
      raw; // begin, end of each decoded byte's source

  void put(std::string_view decoded, std::string_view source) {
    auto begin = static_cast<std::uint32_t>(text.size());
    text += source;
    for (std::size_t i = 0; i < decoded.size(); ++i) {
      bool copied = decoded == source;
      auto at = begin + (copied ? static_cast<std::uint32_t>(i) : 0);
      raw.emplace_back(at, copied ? at + 1 : static_cast<std::uint32_t>(text.size()));
    }
    value += decoded;
  }
  void skip(std::string_view source) { text += source; }
};

void check(const WrittenScalar& w) {
  SCOPED_TRACE(w.text);
  YamlReading r(w.text);
  ASSERT_EQ(r.places(), std::vector<std::string>{});
  const Node& node = r.value("k");
  ASSERT_EQ(node.value, w.value);
  ScalarMap map = scalarMap(r.sources.get(r.file), node);
  for (std::uint32_t i = 0; i < w.value.size(); ++i) {
    Span span = map.map(r.file, i, i + 1);
    EXPECT_EQ(span.begin, w.raw[i].first) << "byte " << i;
    EXPECT_EQ(span.end, w.raw[i].second) << "byte " << i;
  }
  auto size = static_cast<std::uint32_t>(w.value.size());
  for (std::uint32_t i = 0; i < size; ++i)
    EXPECT_EQ(map.map(r.file, i, i), (Span{r.file, w.raw[i].first, w.raw[i].first}));
  ASSERT_GT(size, 0u);
  EXPECT_EQ(map.map(r.file, 0, size), (Span{r.file, w.raw[0].first, w.raw[size - 1].second}));
  EXPECT_TRUE(map.map(r.file, size, size).empty());
}

class Random {
public:
  explicit Random(unsigned seed) : engine_(seed) {}
  std::size_t below(std::size_t n) {
    return std::uniform_int_distribution<std::size_t>(0, n - 1)(engine_);
  }
  template <typename T, std::size_t N> const T& pick(const T (&from)[N]) { return from[below(N)]; }

private:
  std::mt19937 engine_;
};

constexpr std::string_view words[] = {"max(logit_osc)", "<=",   "1",   "größe",
                                      "日本",           "🙂", "a:b", "x#y"};

void word(WrittenScalar& w, Random& random) {
  std::string_view text = random.pick(words);
  w.put(text, text);
}

/// A line break that folds, on a line ending of either kind, with blanks around it.
void fold(WrittenScalar& w, Random& random, std::string_view ending) {
  std::string before(random.below(3), ' ');
  std::string indent(1 + random.below(4), ' ');
  std::size_t empty = random.below(3);
  if (empty == 0) {
    w.put(" ", before + std::string(ending) + indent);
    return;
  }
  w.skip(before + std::string(ending));
  for (std::size_t i = 0; i < empty; ++i) {
    w.skip(std::string(random.below(3), ' '));
    w.put("\n", ending);
  }
  w.skip(indent);
}

void flowScalar(WrittenScalar& w, Random& random, char quote, std::string_view ending) {
  if (quote)
    w.skip(std::string(1, quote));
  w.put("w", "w");
  for (std::size_t i = random.below(8); i-- > 0;) {
    std::size_t form = random.below(4);
    if (form == 0) {
      fold(w, random, ending);
    } else if (form == 1) {
      w.put(" ", " ");
    } else if (form == 2 && quote == '\'') {
      w.put("'", "''");
    } else if (form == 2 && quote == '"') {
      static constexpr std::pair<std::string_view, std::string_view> escapes[] = {
          {"\n", "\\n"},  {"é", "\\u00e9"}, {"A", "\\x41"}, {"\U0001F600", "\\U0001F600"},
          {"\"", "\\\""}, {" ", "\\ "},     {"\\", "\\\\"}};
      auto [decoded, source] = random.pick(escapes);
      w.put(decoded, source);
    } else if (form == 3 && quote == '"') {
      w.skip("\\" + std::string(ending) + "   ");
    }
    word(w, random);
  }
  if (quote)
    w.skip(std::string(1, quote));
}

TEST(ScalarMap, PlainAndQuoted) {
  for (unsigned seed = 0; seed < 600; ++seed) {
    Random random(seed);
    WrittenScalar w;
    flowScalar(w, random, "\0'\""[seed % 3], seed % 2 ? "\r\n" : "\n");
    check(w);
    if (HasFailure())
      return;
  }
}

TEST(ScalarMap, Literal) {
  for (unsigned seed = 0; seed < 300; ++seed) {
    Random random(seed);
    std::string_view ending = seed % 2 ? "\r\n" : "\n";
    WrittenScalar w;
    w.skip("|" + std::string(ending));
    for (std::size_t i = 1 + random.below(4); i-- > 0;) {
      w.skip("   ");
      word(w, random);
      w.put("\n", ending);
      for (std::size_t empty = i ? random.below(3) : 0; empty-- > 0;) {
        w.skip(std::string(random.below(4), ' '));
        w.put("\n", ending);
      }
    }
    check(w);
    if (HasFailure())
      return;
  }
}

TEST(ScalarMap, Folded) {
  WrittenScalar w;
  w.skip(">-\r\n  ");
  w.put("max(é)", "max(é)");
  w.put(" ", "\r\n  ");
  w.put("<= 1", "<= 1");
  w.skip("\r\n");
  w.put("\n", "\r\n");
  w.skip("  ");
  w.put("x", "x");
  w.put("\n", "\r\n");
  w.skip("  ");
  w.put("  more", "  more");
  w.put("\n", "\r\n");
  w.skip("  ");
  w.put("y", "y");
  w.skip("\r\n");
  check(w);
}

} // namespace
} // namespace tikc::yaml
