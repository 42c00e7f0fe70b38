#include "unit/data/Recorded.h"

#include "data/text/Json.h"
#include "data/text/Records.h"

#include <gmock/gmock.h>

#include <cmath>

namespace tikc::data::tests {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

std::vector<std::string> recordsOf(std::string_view text, std::size_t recordBytes = 1000) {
  DataLimits limits;
  limits.recordBytes = recordBytes;
  Window window(text);
  const TextLayout layout = textLayoutOf(window, limits);
  Records records(std::move(window), layout, limits);
  std::vector<std::string> out;
  while (auto record = records.next())
    out.push_back(record->fault.empty()
                      ? std::to_string(record->line) + ":" + std::string(record->text)
                      : record->fault);
  if (!records.fault().empty())
    out.push_back("! " + records.fault());
  return out;
}

TEST(RecordsTest, AreLines) {
  EXPECT_THAT(recordsOf("\n{\"a\": 1}\r\n\n {\"b\": 2}"),
              ElementsAre("2:{\"a\": 1}\r", "4:{\"b\": 2}"));
  EXPECT_THAT(recordsOf("\xEF\xBB\xBF{}\n{}\n"), ElementsAre("1:{}", "2:{}"));
  EXPECT_THAT(recordsOf("{}\n{\n"), ElementsAre("1:{}", "2:{"));
  EXPECT_THAT(recordsOf(""), IsEmpty());
  EXPECT_THAT(recordsOf(std::string_view("{}\n\0\n{}", 7)),
              ElementsAre("1:{}", std::string("2:\0", 3), "3:{}"));
}

TEST(RecordsTest, AreValues) {
  EXPECT_THAT(recordsOf("{\n\"a\": \"}\\\"\"}\n{}"), ElementsAre("1:{\n\"a\": \"}\\\"\"}", "3:{}"));
  EXPECT_THAT(recordsOf("[{}, [1, {}]\n, 3 ,\"]\"]"),
              ElementsAre("1:{}", "1:[1, {}]", "2:3", "2:\"]\""));
  EXPECT_THAT(recordsOf("[]"), IsEmpty());
  EXPECT_THAT(recordsOf("[{}] x"), ElementsAre("1:{}", HasSubstr("unexpected text after")));
  EXPECT_THAT(recordsOf("[{} {}]"), ElementsAre("1:{}", HasSubstr("a comma or the end")));
  EXPECT_THAT(recordsOf("[{}"), ElementsAre("1:{}", HasSubstr("does not end")));
}

TEST(RecordsTest, AreBounded) {
  EXPECT_THAT(recordsOf("{}\n{\"a\": 123456789}\n{}", 10),
              ElementsAre("1:{}", HasSubstr("longer than 10 bytes"), "3:{}"));
  EXPECT_THAT(recordsOf("[{\"a\": 123456789}]", 10),
              ElementsAre(HasSubstr("a record is longer than 10 bytes")));
}

std::string faultOf(std::string_view text) {
  JsonCursor cursor(text, 8);
  cursor.skip();
  cursor.finish();
  return cursor.fault();
}

TEST(JsonTest, WalksWhatIsJsonAndNothingElse) {
  for (std::string_view good : {"{}", "[]", " [1, -2.5e3, \"a\\\"\", true, null, {\"a\": [[]]}] ",
                                "NaN", "[-Infinity, Infinity]", "{\"a\": {}, \"b\": []}", "\"\""})
    EXPECT_EQ(faultOf(good), "") << good;
  for (std::string_view bad : {"",
                               "{",
                               "[1,]",
                               "{\"a\" 1}",
                               "{\"a\":}",
                               "{a: 1}",
                               "[1 2]",
                               "01",
                               "1.",
                               ".5",
                               "+1",
                               "tru",
                               "\"a",
                               "[]]",
                               "{\"a\": 1,}",
                               "1e",
                               "0x1",
                               "--1",
                               "[[[[[[[[[]]]]]]]]]",
                               "{\"a\": 1]"})
    EXPECT_NE(faultOf(bad), "") << bad;
}

TEST(JsonTest, KnowsWhatStandsForNoNumber) {
  struct Row {
    std::string_view text;
    NumberClass of;
  };
  for (const Row& row :
       {Row{"NaN", NumberClass::NaN}, Row{"\"nan\"", NumberClass::NaN},
        Row{"null", NumberClass::Null}, Row{"Infinity", NumberClass::Infinity},
        Row{"\"-Infinity\"", NumberClass::MinusInfinity}, Row{"-inf", NumberClass::MinusInfinity},
        Row{"-9999.0", NumberClass::Sentinel}, Row{"-9999", NumberClass::Sentinel},
        Row{"-9998.9", NumberClass::Finite}}) {
    JsonCursor cursor(row.text, 8);
    NumberClass of = NumberClass::Finite;
    const auto value = cursor.number(false, of);
    ASSERT_TRUE(value) << row.text;
    EXPECT_EQ(of, row.of) << row.text;
    EXPECT_EQ(std::isfinite(*value), of == NumberClass::Finite) << row.text;
  }
}

TEST(JsonTest, ReadsNumbersOnce) {
  NumberClass of = NumberClass::Finite;
  for (const auto& [text, wanted] :
       {std::pair("-0.1", -0.1), {"1e-400", 0.0}, {"123456789012345678", 123456789012345678.0}}) {
    JsonCursor cursor(text, 8);
    EXPECT_EQ(cursor.number(false, of), wanted) << text;
  }
  JsonCursor quoted("\"-4.5\"", 8);
  EXPECT_EQ(quoted.number(true, of), -4.5);
  JsonCursor refused("\"-4.5\"", 8);
  EXPECT_EQ(refused.number(false, of), std::nullopt);
}

TEST(JsonTest, ReadsText) {
  JsonCursor cursor(R"("a\u00e9\ud83d\ude00\n\ud800")", 8);
  EXPECT_EQ(cursor.string(), "a\u00e9\U0001F600\n\uFFFD");
}

class TextDataTest : public RecordedTest {};

TEST_F(TextDataTest, ListsInListsAreResponses) {
  Options options;
  options.map = "train=t,infer=a[].b[].x,version=v,task=w,key=k";
  const Source source = open(
      {file("a", R"({"t": [[-1, -2], [], [-3]], "v": [1, 2, 3], "k": ["x", "y", "z"], "w": "math",
                     "a": [{"b": [{"x": -1}, {"x": -2}]}, {"b": []}, {"b": [{"x": -4}]}]})")},
      options);
  const ReadAll all = readAll(source);
  ASSERT_EQ(all.responses.size(), 3U)
      << (all.report.faults.empty() ? "" : all.report.faults[0].message);
  EXPECT_THAT(all.responses[0].infer, ElementsAre(-1, -2));
  EXPECT_THAT(all.responses[1].infer, IsEmpty());
  EXPECT_THAT(all.responses[2].train, ElementsAre(-3));
  EXPECT_EQ(all.responses[2].version, 3.0);
  EXPECT_EQ(all.responses[1].key, "y");
  EXPECT_EQ(all.responses[1].label, "math");
  EXPECT_EQ(all.responses[2].response, 3U);
}

TEST_F(TextDataTest, TheFirstOfSeveralFieldsCounts) {
  Options options;
  options.map = "train=a|b,infer=b";
  const ReadAll all =
      readAll(open({file("a", "{\"b\": [-2], \"a\": [-1]}\n{\"b\": [-3]}\n")}, options));
  ASSERT_EQ(all.responses.size(), 2U);
  EXPECT_THAT(all.responses[0].train, ElementsAre(-1));
  EXPECT_THAT(all.responses[1].train, ElementsAre(-3));
}

TEST_F(TextDataTest, MasksOfTwoNamesAreOne) {
  auto record = [](std::string_view masks) {
    return R"({"train": [-1, -2], "infer": [-1, -3], )" + std::string(masks) + "}\n";
  };
  const std::string path =
      file("two", record(R"("mask": [1, 0], "loss_mask": [true, false])") +
                      record(R"("loss_mask": [1, 1], "mask": [1, 0])") +
                      record(R"("mask": null, "loss_mask": [0, 1])") +
                      record(R"("response_mask": [1, 0], "loss_mask": [1, 0, 0])"));
  const ReadAll all = readAll(open({path}));
  ASSERT_EQ(all.responses.size(), 2U);
  EXPECT_THAT(all.responses[0].mask, ElementsAre(1, 0));
  EXPECT_THAT(all.responses[1].mask, ElementsAre(0, 1));
  ASSERT_EQ(all.report.faults.size(), 2U);
  EXPECT_EQ(all.report.faults[0].line, 2U);
  EXPECT_EQ(all.report.faults[0].field, "mask");
  EXPECT_EQ(all.report.faults[0].message,
            "it differs from `loss_mask`; choose one with --map mask=FIELD");
  EXPECT_EQ(all.report.faults[1].field, "response_mask");
  // Whoever names fields, in their order, has said which one counts.
  Options options;
  options.map = "mask=loss_mask|mask|response_mask";
  const ReadAll named = readAll(open({path}, options));
  ASSERT_EQ(named.responses.size(), 3U);
  EXPECT_THAT(named.responses[1].mask, ElementsAre(1, 1));
}

TEST_F(TextDataTest, NullIsWhatARecordDoesNotHave) {
  Options options;
  options.map = "train=a,infer=z,task=b|c,version=d|e,length=f|g,mask=m,ids=i,step=s";
  const ReadAll all = readAll(open(
      {file("a",
            R"({"a": [-1, -2], "z": [-1, -2], "b": null, "c": "math", "d": null, "e": 3, "f": null,
                          "g": 1, "m": null, "i": null, "s": null})")},
      options));
  ASSERT_EQ(all.responses.size(), 1U);
  EXPECT_EQ(all.responses[0].label, "math");
  EXPECT_EQ(all.responses[0].version, 3.0);
  EXPECT_THAT(all.responses[0].train, ElementsAre(-1));
  EXPECT_THAT(all.responses[0].mask, IsEmpty());
  EXPECT_EQ(all.report.unknownValues, 0U);
  EXPECT_EQ(all.report.withMask, 0U);
  EXPECT_TRUE(all.report.found.contains("mask"));
}

TEST_F(TextDataTest, VersionsAreExact) {
  Options options;
  options.map = "train=a,infer=z,version=v,step=s";
  const ReadAll all =
      readAll(open({file("a", R"({"a": [-1], "z": [-1], "v": 9007199254740993, "s": 119}
                                 {"a": [-1], "z": [-1], "v": 1, "s": 9007199254740992}
                                 {"a": [-1], "z": [-1], "v": 9007199254740991, "s": 120})")},
                   options));
  ASSERT_EQ(all.responses.size(), 2U);
  EXPECT_EQ(all.responses[0].versionText, "9007199254740993");
  EXPECT_EQ(all.responses[0].version, std::nullopt);
  EXPECT_EQ(all.responses[0].step, 119.0);
  EXPECT_EQ(all.report.unknownValues, 0U);
  EXPECT_EQ(all.report.broken, 1U);
  EXPECT_EQ(all.responses[1].version, 9007199254740991.0);
  EXPECT_EQ(all.responses[1].step, 120.0);
}

TEST_F(TextDataTest, PositionsCountUp) {
  Options options;
  options.map = "train=t,infer=s,mask=m,position=position";
  const ReadAll all = readAll(open({file("p", R"({"t": [-1, -2], "s": [-1, -2], "position": 7}
             {"t": [-1, -2], "s": [-1, -2], "position": [7, 8]}
             {"t": [-1, -2, -3], "s": [-1, -2, -3], "m": [0, 1, 1], "position": [0, 0, 1]}
             {"t": [-1, -2], "s": [-1, -2], "position": [7, 9]}
             {"t": [-1, -2], "s": [-1, -2], "position": [7, 8, 9]}
             {"t": [-1, -2], "s": [-1, -2], "position": [0.5, 1.5]}
             {"t": [-1, -2], "s": [-1, -2], "position": 2.5}
             {"t": [-1, -2], "s": [-1, -2], "position": NaN})")},
                                   options));
  ASSERT_EQ(all.responses.size(), 3U);
  EXPECT_EQ(all.responses[0].position, 7);
  EXPECT_EQ(all.responses[1].position, 7);
  EXPECT_EQ(all.responses[2].position, -1); // of the token that does not count
  ASSERT_EQ(all.report.faults.size(), 5U);
  EXPECT_THAT(all.report.faults[2].message, HasSubstr("found 0.5 at entry 0"));
  EXPECT_THAT(all.report.faults[3].message,
              HasSubstr("a whole number below 2^53 as position, found 2.5"));
  EXPECT_THAT(all.report.faults[4].message, HasSubstr("found nan"));
  EXPECT_THAT(all.report.faults[0].message, HasSubstr("found 9 at entry 1"));
  EXPECT_THAT(all.report.faults[1].message, HasSubstr("position has 3 tokens"));
}

TEST_F(TextDataTest, NumbersOfBrokenRecordsAreNotCounted) {
  Options options;
  options.map = "train=t,infer=s,length=n";
  const ReadAll all = readAll(open({file("n", R"({"t": [-1, -2], "s": [-1, null], "n": 2}
             {"t": [-1, -2], "s": [-1, -2], "n": 9})")},
                                   options));
  EXPECT_EQ(all.report.broken, 1U);
  EXPECT_EQ(all.report.train[static_cast<std::size_t>(NumberClass::Finite)], 2U);
  EXPECT_EQ(all.report.infer[static_cast<std::size_t>(NumberClass::Finite)], 1U);

  options.map = "train=t,infer=s,position=p";
  const ReadAll lists = readAll(open(
      {file("l",
            R"({"t": [[-1, -2], [-3, null]], "s": [[-1, -2], [-3, -4]], "p": [[0, 1], [0, 5]]})")},
      options));
  ASSERT_EQ(lists.responses.size(), 1U);
  EXPECT_EQ(lists.report.train[static_cast<std::size_t>(NumberClass::Finite)], 2U);
  EXPECT_EQ(lists.report.train[static_cast<std::size_t>(NumberClass::Null)], 0U);
}

TEST_F(TextDataTest, AByteOrderMarkBeginsAFile) {
  Options options;
  options.limits.pieceBytes = 8;
  const ReadAll all = readAll(open({file("b", "\xef\xbb\xbf{\"train\": [-1], \"infer\": [-1]}\n"
                                              "\xef\xbb\xbf{\"train\": [-1], \"infer\": [-1]}\n")},
                                   options));
  EXPECT_EQ(all.responses.size(), 1U);
  EXPECT_EQ(all.report.broken, 1U);
}

TEST_F(TextDataTest, TheFirstSettingWithAValueCounts) {
  const auto read = [&](const std::string& more) {
    const std::string sides = R"({"train": [-1], "infer": [-1], )";
    return readAll(open({file("a", sides + more + "}\n" + sides + R"("temperature": 9, )" +
                                       R"("sampling_params": {"temperature": 9}})")}));
  };
  for (const char* more : {R"("temperature": null, "sampling_params": {"temperature": 0.7})",
                           R"("temperature": {"a": 1}, "sampling_params": {"temperature": 0.7})",
                           R"("temperature": [1, [2]], "sampling_params": {"temperature": 0.7})",
                           R"("temperature": "\ud800", "sampling_params": {"temperature": 0.7})",
                           R"("temperature": 0.7, "sampling_params": {"temperature": 0.70})",
                           R"("temperature": 0.7, "sampling_params": null)"}) {
    const ReadAll all = read(more);
    ASSERT_EQ(all.responses.size(), 2U) << more;
    EXPECT_EQ(all.responses[0].label, "0.7") << more;
  }
  for (const char* none : {R"("temperature": {})", R"("temperature": [[1], 2])"}) {
    const ReadAll all = read(none);
    ASSERT_EQ(all.responses.size(), 2U) << none;
    EXPECT_EQ(all.responses[0].label, "") << none;
  }
  const ReadAll both = read(R"("temperature": 0.7, "sampling_params": {"temperature": 1})");
  EXPECT_EQ(both.responses.size(), 1U);
  ASSERT_EQ(both.report.faults.size(), 1U);
  EXPECT_EQ(both.report.faults[0].message,
            "`temperature` is `0.7`, but `sampling_params.temperature` is `1`");
}

TEST_F(TextDataTest, PiecesAreThoseOfTheSameLines) {
  std::string text;
  for (int i = 0; i < 100; ++i)
    text += "{\"train\": [-" + std::to_string(i) + "], \"infer\": [-1]}" +
            (i % 7 == 0 ? std::string(90, ' ') : "") + "\n";
  text += "{\"train\": [1]}\n";
  const std::string path = file("a.jsonl", text);
  const ReadAll whole = readAll(open({path}));
  EXPECT_EQ(whole.ids.size(), 1U);
  for (const std::uint64_t bytes : {1U, 10U, 33U, 100U, 1000U}) {
    Options options;
    options.limits.pieceBytes = bytes;
    const ReadAll cut = readAll(open({path}, options));
    EXPECT_GT(cut.ids.size(), 1U);
    ASSERT_EQ(cut.responses.size(), whole.responses.size()) << bytes;
    for (std::size_t i = 0; i < cut.responses.size(); ++i) {
      EXPECT_EQ(cut.responses[i].train, whole.responses[i].train);
      EXPECT_EQ(cut.responses[i].line, i + 1);
      EXPECT_EQ(cut.responses[i].byte, whole.responses[i].byte);
    }
    ASSERT_EQ(cut.report.faults.size(), 1U);
    EXPECT_EQ(describe(cut.report.faults[0]), describe(whole.report.faults[0]));
    // The same bytes under another name are the same pieces; other bytes are others.
    EXPECT_EQ(readAll(open({file("b.jsonl", text)}, options)).ids, cut.ids);
    std::string changed = text;
    changed[changed.find("-50")] = ' ';
    EXPECT_NE(readAll(open({file("c.jsonl", changed)}, options)).ids, cut.ids);
  }
}

} // namespace
} // namespace tikc::data::tests
