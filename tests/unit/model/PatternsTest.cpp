#include "model/Keys.h"

#include <gtest/gtest.h>

#include <random>
#include <regex>

namespace tikc::model {
namespace {

// The JSON Schema has the patterns, the compiler what was written by hand after them.
TEST(Patterns, AreWhatTheTableSays) {
  std::mt19937 random(7);
  constexpr std::string_view alphabet = "019aZ_.-+ \xC3";
  for (Shape shape : {Shape::ContractName, Shape::SemanticVersion, Shape::Identifier}) {
    std::regex pattern{std::string(info(shape).pattern)};
    int matching = 0;
    for (int i = 0; i < 20'000; ++i) {
      std::string text = shape == Shape::SemanticVersion && i % 2 ? "1.0.1" : "";
      for (auto length = random() % 6; length > 0; --length)
        text += alphabet[random() % alphabet.size()];
      matching += matches(shape, text);
      ASSERT_EQ(matches(shape, text), std::regex_match(text, pattern)) << text;
    }
    EXPECT_GT(matching, 100);
  }
}

} // namespace
} // namespace tikc::model
