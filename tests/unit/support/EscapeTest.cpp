#include "support/Escape.h"
#include "support/Programs.h"

#include <gtest/gtest.h>

namespace tikc {
namespace {

TEST(Escape, AShellReadsTheWord) {
  for (std::string_view word : {"plain-1_./=:,@%+", "", "it's", "a b", "$(touch x)", "`x`", "\"",
                                "\\", "*", "~", "#", "a\nb", "-n", "é", "!", "a;b", "<>|&"}) {
    auto result = runProgram({"sh", "-c", "printf '%s' " + escape::shellWord(word)}, "", {});
    ASSERT_TRUE(static_cast<bool>(result)) << word;
    EXPECT_EQ(result->output, word);
  }
  EXPECT_EQ(escape::shellWord("--format=json"), "--format=json");
}

} // namespace
} // namespace tikc
