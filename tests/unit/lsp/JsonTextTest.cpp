#include "lsp/wire/JsonText.h"

#include <gtest/gtest.h>

#include <limits>

namespace tikc::lsp {
namespace {

namespace json = llvm::json;

std::string textOf(const json::Value& value) {
  std::string out;
  append(out, value);
  return out;
}

TEST(JsonText, HasKeysInTheirOrder) {
  EXPECT_EQ(textOf(json::Object{{"b", json::Array{1, "x", nullptr, true, false}},
                                {"a", json::Object{}},
                                {"c", json::Array{}}}),
            R"({"a":{},"b":[1,"x",null,true,false],"c":[]})");
}

TEST(JsonText, ReadsBackAsItWas) {
  std::string all = "é🙂";
  for (char c = 0; c < 0x7f; ++c)
    all += c;
  json::Value values[] = {all,
                          json::Object{{all, all}},
                          "",
                          0,
                          -1,
                          std::numeric_limits<std::int64_t>::min(),
                          std::numeric_limits<std::uint64_t>::max(),
                          0.1,
                          1e300};
  for (const json::Value& value : values) {
    auto read = json::parse(textOf(value));
    ASSERT_TRUE(static_cast<bool>(read)) << llvm::toString(read.takeError());
    EXPECT_EQ(*read, value) << textOf(value);
  }
}

} // namespace
} // namespace tikc::lsp
