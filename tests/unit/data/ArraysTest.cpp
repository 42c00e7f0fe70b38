#include "unit/data/Recorded.h"

#include "data/arrays/Array.h"
#include "data/arrays/LogprobRow.h"

#include <gmock/gmock.h>

#include <cmath>

namespace tikc::data::tests {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::string npy(std::string_view header, std::string_view data) {
  std::string out("\x93NUMPY\1\0", 8);
  const auto length = static_cast<std::uint16_t>(header.size());
  out.append(reinterpret_cast<const char*>(&length), sizeof length);
  return out.append(header).append(data);
}

/// A vector of an entry, and what a header says of its type.
std::string vectorOf(std::string_view type, std::string_view entry) {
  return npy("{'descr': '" + std::string(type) + "', 'fortran_order': False, 'shape': (1,)}",
             entry);
}

std::string fault(llvm::Expected<Array> array) {
  return array ? "" : llvm::toString(array.takeError());
}

TEST(ArrayTest, ElementsOfEachType) {
  const std::string half = bytesOfAll<std::uint16_t>({0xc100});
  EXPECT_EQ(elementAt(ElementType::F16, half.data()), -2.5);
  EXPECT_EQ(elementAt(ElementType::BF16, half.data()), -8);
  EXPECT_EQ(elementAt(ElementType::E4M3, "\xc0"), -2);
  EXPECT_EQ(elementAt(ElementType::E5M2, "\xc0"), -2);
  EXPECT_EQ(elementAt(ElementType::F64, bytesOfAll({-0.1}).data()), -0.1);
  EXPECT_EQ(integerAt(ElementType::I8, "\xff"), -1);
  EXPECT_EQ(integerAt(ElementType::U8, "\xff"), 255);
  EXPECT_EQ(integerAt(ElementType::I64, bytesOfAll<std::int64_t>({1LL << 60}).data()), 1LL << 60);
}

TEST(ArrayTest, KnowsRowsWithoutANumberAboveZero) {
  LogprobRow row;
  ClassCounts counts{};
  auto isPossible = [&](const std::vector<float>& values) {
    Array array;
    array.type = ElementType::F32;
    row.read(array,
             {reinterpret_cast<const char*>(values.data()), values.size() * sizeof values[0]},
             counts);
    return row.isPossible();
  };
  const std::vector<float> plain(70, -1);
  EXPECT_TRUE(isPossible(plain));
  EXPECT_TRUE(isPossible({}));
  for (std::size_t at = 0; at < plain.size(); ++at)
    for (const float other : {1.0F, 1e-30F, std::nanf(""), HUGE_VALF, -HUGE_VALF, -9999.0F}) {
      std::vector<float> values = plain;
      values[at] = other;
      EXPECT_FALSE(isPossible(values)) << at << ": " << other;
      values[at] = 0;
      EXPECT_TRUE(isPossible(values)) << at;
    }
}

TEST(ArrayTest, ReadsNpy) {
  const std::string data = bytesOfAll<float>({1, 2, 3, 4, 5, 6});
  const std::string whole =
      npy("{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }    \n", data);
  auto array = readNpy(whole, {});
  ASSERT_TRUE(static_cast<bool>(array));
  EXPECT_THAT(array->shape, ElementsAre(2, 3));
  EXPECT_EQ(array->bytes, data);
  auto scalar =
      readNpy(npy("{'descr': '<f8', 'fortran_order': True, 'shape': (), }", data.substr(0, 8)), {});
  ASSERT_TRUE(static_cast<bool>(scalar));
  EXPECT_TRUE(scalar->shape.empty());
}

TEST(ArrayTest, RefusesWhatLies) {
  const std::string data(24, '\0');
  const auto refused = [&](const std::string& rest) {
    return fault(readNpy(npy("{'fortran_order': False, " + rest + "}", data), {}));
  };
  EXPECT_THAT(refused("'descr': '<f4', 'shape': (2, 4), "),
              HasSubstr("expected [2, 4] of f32, found 24 bytes"));
  EXPECT_THAT(refused("'descr': '<f4', 'shape': (5,), "), HasSubstr("4 bytes follow"));
  EXPECT_THAT(refused("'descr': [('a', '<f4')], 'shape': (6,), "),
              HasSubstr("unsupported entries"));
  EXPECT_EQ(sizeOf({1ULL << 33, 1ULL << 33}, 4), std::nullopt);
}

TEST(ArrayTest, ReadsHeadersAsPythonDoes) {
  const std::string data(24, '\0');
  for (const char* header :
       {"{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }",
        "{\"shape\":(2,3),\"fortran_order\":False,\"descr\":\"<f4\"}",
        " { 'descr' : '<f4' , \"fortran_order\" : False , 'shape' : ( 2 , 3 , ) , } \n"})
    EXPECT_EQ(fault(readNpy(npy(header, data), {})), "") << header;
  for (const char* order : {"'fortran_order' : True", "\"fortran_order\": True",
                            "'fortran_order': True ", "'fortran_order':\tTrue"})
    EXPECT_THAT(
        fault(readNpy(npy("{'descr': '<f4', " + std::string(order) + ", 'shape': (2, 3)}", data),
                      {})),
        HasSubstr("Fortran"))
        << order;
}

TEST(ArrayTest, RefusesHeadersThatPythonDoes) {
  const std::string data(24, '\0');
  const std::string type = "'descr': '<f4'", order = "'fortran_order': False";
  const std::string shape = "'shape': (6,)", between = ", ";
  std::vector<std::string> headers = {
      "",
      "{}",
      "{" + type + between + order + "}",
      "{" + type + between + shape + "}",
      "{" + order + between + shape + "}",
      "{" + type + between + order + between + shape + between + shape + "}",
      "{" + type + between + order + between + order + between + shape + "}",
      "{" + type + between + order + between + shape + between + "'more': 1}",
      "{" + type + between + order + between + shape,
      "{" + type + between + order + between + shape + "}}",
      "{" + type + between + order + " " + shape + "}",
      "{" + type + ",, " + order + between + shape + "}",
      "{" + type + between + "'fortran_order': Truely, " + shape + "}",
      "{" + type + between + "'fortran_order': 1, " + shape + "}",
      "{" + type + between + "'fortran_order': true, " + shape + "}",
      "{'descr\": '<f4', " + order + between + shape + "}",
      "{'descr': '<f\\x34', " + order + between + shape + "}",
      "{'descr': <f4, " + order + between + shape + "}"};
  for (const char* tuple : {"(6)", "6", "[6]", "(6 1)", "(6,,)", "(,)", "(06,)", "(+6,)", "(-6,)",
                            "(6L,)", "(6.0,)", "(99999999999999999999999,)", "(6", "('6',)"})
    headers.push_back("{" + type + between + order + ", 'shape': " + tuple + "}");
  for (const std::string& header : headers)
    EXPECT_THAT(fault(readNpy(npy(header, data), {})), HasSubstr("expected a header with"))
        << header;
  std::string other = npy("{" + type + between + order + between + shape + "}", data);
  EXPECT_EQ(fault(readNpy(other, {})), "");
  for (const char* version : {"\0\0", "\4\0", "\11\0", "\1\1", "\xff\0"}) {
    other.replace(6, 2, version, 2);
    EXPECT_THAT(fault(readNpy(other, {})), HasSubstr("expected 1.0, 2.0 or 3.0"));
  }
}

TEST(ArrayTest, ReadsTexts) {
  const auto word = [](std::string_view type, const std::string& entry) {
    const std::string whole = vectorOf(type, entry);
    auto array = readNpy(whole, {});
    EXPECT_TRUE(static_cast<bool>(array)) << type;
    return wordAt(*array, array->bytes.data());
  };
  EXPECT_EQ(word("<U3", bytesOfAll<std::uint32_t>({U'a', 0x1f600, 0})), "a\U0001F600");
  EXPECT_EQ(word(">U2", bytesOfAll<std::uint32_t>({0x61000000, 0xe9000000})), "a\u00e9");
  EXPECT_EQ(word("<U2", bytesOfAll<std::uint32_t>({0, 0})), "");
  EXPECT_EQ(word("|S4", std::string("r\xc3\xa9\0", 4)), "r\u00e9");
  // Half a pair, what is past Unicode, and what is not UTF-8.
  EXPECT_EQ(word("<U1", bytesOfAll<std::uint32_t>({0xd800})), std::nullopt);
  EXPECT_EQ(word("<U1", bytesOfAll<std::uint32_t>({0x110000})), std::nullopt);
  EXPECT_EQ(word("|S2", "\xc3("), std::nullopt);
  EXPECT_EQ(word("<u8", std::string(8, '\xff')), "18446744073709551615");
  EXPECT_EQ(word("<i8", std::string(8, '\xff')), "-1");
  EXPECT_EQ(word("<f4", bytesOfAll({0.7F})), "0.7");
  for (std::string_view type : {"<U0", "<U1025", "|S4097", "<U", "<Ux", "<U1 ", "<U99999999999"})
    EXPECT_THAT(fault(readNpy(vectorOf(type, "abcd"), {})), HasSubstr("unsupported entries"))
        << type;
}

class ArrayDataTest : public RecordedTest {
protected:
  std::string array(const std::string& name, std::string_view shape, std::string_view data,
                    std::string_view type = "<f4") const {
    return file(name + ".npy",
                npy("{'descr': '" + std::string(type) +
                        "', 'fortran_order': False, 'shape': " + std::string(shape) + ", }\n",
                    data));
  }
};

TEST_F(ArrayDataTest, PaddingIsWhatNoMaskCounts) {
  const Source source = open({array("train", "(2, 3)", bytesOfAll<float>({-1, 0, 0, -1, -2, 0})),
                              array("infer", "(2, 3)", bytesOfAll<float>({-2, 0, 0, -1, -1, 0})),
                              array("mask", "(2, 3)", std::string("\1\0\0\1\1\1", 6), "|b1")});
  const ReadAll all = readAll(source);
  ASSERT_EQ(all.responses.size(), 2U);
  EXPECT_THAT(all.responses[0].train, ElementsAre(-1));
  // A log-prob of 0 that counts is a token that was certain.
  EXPECT_THAT(all.responses[1].train, ElementsAre(-1, -2, 0));
  EXPECT_EQ(all.report.padding, 2U);
}

TEST_F(ArrayDataTest, MasksOfTwoNamesAreOne) {
  const std::vector<std::string> sides = {
      array("train", "(2, 3)", bytesOfAll<float>({-1, -2, -3, -1, -2, -3})),
      array("infer", "(2, 3)", bytesOfAll<float>({-2, -2, -2, -2, -2, -2})),
      array("mask", "(2, 3)", std::string("\1\0\1\1\1\0", 6), "|b1")};
  auto readWith = [&](std::string_view shape, std::string_view bytes, std::string_view map) {
    std::vector<std::string> files = sides;
    files.push_back(array("loss_mask", shape, std::string(bytes), "|b1"));
    Options options;
    options.map = map;
    return readAll(open(files, options));
  };
  const ReadAll same = readWith("(2, 3)", {"\1\0\1\1\1\0", 6}, "");
  ASSERT_EQ(same.responses.size(), 2U);
  EXPECT_THAT(same.responses[0].mask, ElementsAre(1, 0, 1));
  const ReadAll other = readWith("(2, 3)", {"\1\0\1\1\1\1", 6}, "");
  ASSERT_EQ(other.responses.size(), 1U);
  ASSERT_EQ(other.report.faults.size(), 1U);
  EXPECT_EQ(other.report.faults[0].field, "mask");
  EXPECT_THAT(other.report.faults[0].message, HasSubstr("differs from `loss_mask`"));
  EXPECT_EQ(readWith("(2,)", {"\1\0", 2}, "").report.broken, 1U);
  const ReadAll named = readWith("(2, 3)", {"\1\1\1\1\1\1", 6}, "mask=loss_mask");
  ASSERT_EQ(named.responses.size(), 2U);
  EXPECT_THAT(named.responses[1].mask, ElementsAre(1, 1, 1));
}

TEST_F(ArrayDataTest, PiecesAreRows) {
  std::vector<std::string> files = {
      array("train", "(4, 2)", bytesOfAll<float>({-1, -2, -3, -4, -5, -6, -7, -8})),
      array("infer", "(4, 2)", bytesOfAll<double>({-1, -2, -3, -4, -5, -6, -7, -8}), "<f8"),
      array("version", "(4,)", bytesOfAll<std::int32_t>({1, 1, 2, 3}), "<i4")};
  Options options;
  options.limits.pieceBytes = 16;
  const ReadAll cut = readAll(open(files, options));
  EXPECT_EQ(cut.ids.size(), 4U);
  ASSERT_EQ(cut.responses.size(), 4U);
  EXPECT_EQ(cut.responses[2].version, 2.0);
  EXPECT_THAT(cut.responses[3].train, ElementsAre(-7, -8));
}

TEST_F(ArrayDataTest, RowsAreViewsOfTheirFormat) {
  Options options;
  options.vocabulary = 3;
  const Source source =
      open({file("train_rows.f32", bytesOfAll<float>({1, 2, 3, 4, 5, 6})),
            file("infer_rows.bf16", bytesOfAll<std::uint16_t>({0x3f80, 0x4000, 0x4040, 0, 0, 0})),
            file("ids.i32", bytesOfAll<std::int32_t>({2, 0}))},
           options);
  auto reader = source.read(0);
  RowPair row;
  ASSERT_TRUE(reader->nextRow(row));
  EXPECT_EQ(row.vocabulary, 3U);
  EXPECT_EQ(row.infer.format, number_format::bf16);
  EXPECT_EQ(value_at(row.infer, 2), 3);
  EXPECT_EQ(row.id, 2);
  ASSERT_TRUE(reader->nextRow(row));
  EXPECT_EQ(value_at(row.train, 0), 4);
  EXPECT_FALSE(reader->nextRow(row));
}

} // namespace
} // namespace tikc::data::tests
