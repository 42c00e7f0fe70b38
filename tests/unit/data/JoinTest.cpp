#include "unit/data/Recorded.h"

#include <gmock/gmock.h>

#include <cmath>

namespace tikc::data::tests {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

class JoinTest : public RecordedTest {
protected:
  static Options joining() {
    Options out;
    out.map = "train=t,infer=s,key=k,ids=i,version=v";
    out.join = "key";
    return out;
  }

  /// A side whose log-probs are `values`, one a response, and whose keys are of some type.
  std::string tensors(const std::string& name, const std::string& side,
                      std::initializer_list<float> values, const std::string& type,
                      const std::string& keys) const {
    const std::string data = bytesOfAll(values);
    const auto field = [&](const std::string& of, const std::string& shape, std::size_t begin,
                           std::size_t size) {
      return "\"" + of + ", \"shape\": [" + std::to_string(values.size()) + shape +
             "], \"data_offsets\": [" + std::to_string(begin) + ", " +
             std::to_string(begin + size) + "]}";
    };
    const std::string header =
        "{" + field(side + "\": {\"dtype\": \"F32\"", ", 1", 0, data.size()) + ", " +
        field("k\": {\"dtype\": \"" + type + "\"", "", data.size(), keys.size()) + "}";
    return file(name, bytesOfAll<std::uint64_t>({header.size()}) + header + data + keys);
  }
};

TEST_F(JoinTest, PairsInTheServersOrder) {
  const Source source = open({file("a", R"({"k": 1, "t": [-1], "v": 7} {"k": 2, "t": [-2, -3]})"),
                              file("b", R"({"k": 2, "s": [-5, -6]} {"k": 1, "s": [-4]})")},
                             joining());
  const ReadAll all = readAll(source);
  ASSERT_EQ(all.responses.size(), 2U);
  EXPECT_THAT(all.responses[0].train, ElementsAre(-2, -3));
  EXPECT_THAT(all.responses[0].infer, ElementsAre(-5, -6));
  EXPECT_EQ(all.responses[1].version, 7.0);
  EXPECT_EQ(all.report.unpaired + all.report.broken, 0U);
  EXPECT_EQ(all.report.records, 4U);
}

TEST_F(JoinTest, HoldsBothSidesToTheSameTokens) {
  const ReadAll all = readAll(open(
      {file("a", R"({"k": 1, "t": [-1], "i": [5]} {"k": 2, "t": [-1]} {"k": 3, "t": [-1]})"),
       file("b", R"({"k": 1, "s": [-1], "i": [6]} {"k": 2, "s": [-1, -1]} {"k": 4, "s": [-1]})")},
      joining()));
  EXPECT_EQ(all.responses.size(), 0U);
  EXPECT_EQ(all.report.broken, 2U);
  EXPECT_EQ(all.report.unpaired, 2U);
  ASSERT_EQ(all.report.faults.size(), 4U);
  EXPECT_THAT(all.report.faults[0].message,
              HasSubstr("token 0 is 5 for the trainer and 6 for the server"));
  EXPECT_THAT(all.report.faults[1].message,
              HasSubstr("the trainer and the server differ in tokens: 1 and 2"));
}

TEST_F(JoinTest, CountsWhatBothSidesCount) {
  Options options = joining();
  options.map = "train=t,infer=s,key=k,mask=m,kept=kept,length=n";
  const ReadAll all = readAll(open({file("a", R"({"k": 1, "t": [-1, -2, -3], "m": [1, 1, 0]}
                         {"k": 2, "t": [-1, -2], "m": [1, 0]}
                         {"k": 3, "t": [-1, -2]}
                         {"k": 4, "t": [-1, -2], "m": [1, 1], "kept": 1}
                         {"k": 5, "t": [-1, -2], "kept": 0}
                         {"k": 6, "t": [-1, -2, -3], "n": 2})"),
                                    file("b", R"({"k": 1, "s": [-1, -2, -3], "m": [0, 1, 1]}
                         {"k": 2, "s": [-1, -2]}
                         {"k": 3, "s": [-1, -2], "m": [0, 1]}
                         {"k": 4, "s": [-1, -2], "m": [1, 1], "kept": 0}
                         {"k": 5, "s": [-1, -2], "m": [1, 1], "kept": 1}
                         {"k": 6, "s": [-1, -2], "m": [1, 1]})")},
                                   options));
  ASSERT_EQ(all.responses.size(), 6U);
  EXPECT_THAT(all.responses[0].mask, ElementsAre(0, 1, 0));
  EXPECT_THAT(all.responses[1].mask, ElementsAre(1, 0));
  EXPECT_THAT(all.responses[2].mask, ElementsAre(0, 1));
  EXPECT_THAT(all.responses[3].mask, ElementsAre(0, 0));
  EXPECT_THAT(all.responses[4].mask, ElementsAre(0, 0));
  EXPECT_THAT(all.responses[5].mask, ElementsAre(1, 1));
  EXPECT_EQ(all.report.broken, 0U);
  EXPECT_EQ(all.report.withMask, 6U);
  EXPECT_EQ(all.report.withKept, 2U);
  EXPECT_EQ(all.report.withLength, 1U);
}

TEST_F(JoinTest, TellsOfPositionsThatAreNotOne) {
  Options options = joining();
  options.map = "train=t,infer=s,key=k,position=position";
  const std::string trainer = file("p.a", R"({"k": 1, "t": [-1, -1], "position": [5, 6]}
                         {"k": 2, "t": [-1, -1], "position": [5, 6]})");
  const std::string server = file("p.b", R"({"k": 1, "s": [-1, -1], "position": 5}
                         {"k": 2, "s": [-1, -1], "position": [6, 7]})");
  const ReadAll all = readAll(open({trainer, server}, options));
  ASSERT_EQ(all.responses.size(), 1U);
  ASSERT_EQ(all.report.faults.size(), 1U);
  EXPECT_THAT(all.report.faults[0].message,
              HasSubstr("its position is 5 for the trainer and 6 for the server"));
}

TEST_F(JoinTest, TellsOfNumbersThatAreNotOne) {
  Options options = joining();
  options.map = "train=t,infer=s,key=k,advantage=advantage,reward=reward";
  const std::string trainer = file("n.a", R"({"k": 1, "t": [-1, -1], "advantage": [99, 1]}
                         {"k": 2, "t": [-1], "reward": 1}
                         {"k": 3, "t": [-1], "reward": 2, "advantage": 3})");
  const std::string server = file("n.b", R"({"k": 1, "s": [-1, -1], "advantage": 1}
                         {"k": 2, "s": [-1], "reward": 0.5}
                         {"k": 3, "s": [-1], "reward": 2})");
  const ReadAll all = readAll(open({trainer, server}, options));
  ASSERT_EQ(all.responses.size(), 1U);
  ASSERT_EQ(all.report.faults.size(), 2U);
  EXPECT_THAT(all.report.faults[0].message,
              HasSubstr("its advantage is from 1 to 99 for the trainer and 1 for the server"));
  EXPECT_THAT(all.report.faults[1].message,
              HasSubstr("its reward is 1 for the trainer and 0.5 for the server"));
}

TEST_F(JoinTest, TellsOfStepsAndLabelsThatAreNotOne) {
  Options options = joining();
  options.map = "train=t,infer=s,key=k,task=task,temperature=temperature,step=step";
  const std::string trainer = file("step_7.a", R"({"k": 1, "t": [-1], "task": "math"}
                         {"k": 2, "t": [-1], "task": "math", "temperature": 1}
                         {"k": 3, "t": [-1], "step": 3}
                         {"k": 4, "t": [-1], "step": 3})");
  const std::string server = file("step_7.b", R"({"k": 1, "s": [-1], "task": "code"}
                         {"k": 2, "s": [-1], "task": null, "temperature": 1.0}
                         {"k": 3, "s": [-1], "step": 4}
                         {"k": 4, "s": [-1]})");
  const ReadAll all = readAll(open({trainer, server}, options));
  ASSERT_EQ(all.responses.size(), 2U);
  EXPECT_EQ(all.responses[0].step, 7);
  EXPECT_EQ(all.responses[1].step, 3);
  EXPECT_EQ(all.report.broken, 2U);
  ASSERT_EQ(all.report.faults.size(), 2U);
  EXPECT_THAT(all.report.faults[0].message,
              HasSubstr("its task is `math` for the trainer and `code` for the server"));
  EXPECT_THAT(all.report.faults[1].message,
              HasSubstr("its step is 3 for the trainer and 4 for the server"));
  EXPECT_THAT(all.report.faults[1].message, HasSubstr("; the trainer's is at " + trainer + ":3"));
  EXPECT_EQ(all.report.faults[1].line, 3U);
}

TEST_F(JoinTest, PairsByExactKeys) {
  const auto pairs = [&](const std::string& trainer, const std::string& server) {
    const ReadAll all = readAll(open({trainer, server}, joining()));
    EXPECT_EQ(all.report.unpaired, 0U) << trainer;
    return all.responses.size();
  };
  const std::string wide = file("wide", R"({"k": 1152921504606846977, "s": [-1]}
      {"k": "1152921504606846978", "s": [-1]}
      {"k": 10000000000000000, "s": [-1]}
      {"k": -0, "s": [-1]})");
  EXPECT_EQ(pairs(tensors("i64", "t", {-1, -1, -1, -1}, "I64",
                          bytesOfAll<std::int64_t>(
                              {1152921504606846978, 10000000000000000, 0, 1152921504606846977})),
                  wide),
            4U);
  EXPECT_EQ(
      pairs(tensors("u64", "t", {-1}, "U64", bytesOfAll<std::uint64_t>({18446744073709551615U})),
            file("most", R"({"k": 18446744073709551615, "s": [-1]})")),
      1U);
  EXPECT_EQ(pairs(tensors("f64", "t", {-1, -1}, "F64", bytesOfAll({9007199254740991.0, -7.0})),
                  file("some", R"({"k": -7.0, "s": [-1]} {"k": 9007199254740991, "s": [-1]})")),
            2U);
}

TEST_F(JoinTest, RefusesKeysThatAreNotExact) {
  const std::string server = file("b", R"({"k": 1, "s": [-1]})");
  const auto why = [&](const std::string& trainer) {
    const ReadAll all = readAll(open({trainer, server}, joining()));
    EXPECT_EQ(all.report.broken, 1U) << trainer;
    return all.report.faults.empty() ? std::string() : describe(all.report.faults.front());
  };
  for (const char* key : {"1.5", "1e3", "1E0", "9007199254740992.0", "true", "NaN", "-1e-5"})
    EXPECT_THAT(why(file("a", std::string("{\"t\": [-1], \"k\": ") + key + "}")),
                HasSubstr(std::string("a:1: byte 17: `k`: expected text or the digits of a whole "
                                      "number as key, found `") +
                          key + "`"));
  for (const double key : {1.5, 9007199254740992.0, std::nan(""), HUGE_VAL})
    EXPECT_THAT(why(tensors("a", "t", {-1}, "F64", bytesOfAll({key}))),
                HasSubstr("`k`: row 0: expected text or a whole number that its type "
                          "represents exactly as key, found"));
  for (const char* key : {R"("\ud800")", R"("a\udfffb")", R"("\udc00\ud800")"})
    EXPECT_THAT(why(file("a", std::string("{\"t\": [-1], \"k\": ") + key + "}")),
                HasSubstr("byte 17: `k`: the text has half of a surrogate pair"));
  // What joins nothing needs no key.
  Options alone;
  alone.map = "train=t,infer=s,key=k";
  EXPECT_EQ(
      readAll(open({file("a", R"({"t": [-1], "s": [-1], "k": 1.5})")}, alone)).responses.size(),
      1U);
}

TEST_F(JoinTest, KnowsPlainNamesOfOneSide) {
  Options options;
  options.join = "id";
  const Source source = open({file("a", R"({"id": 1, "train": [-1, -2], "mask": [1, 0]})"),
                              file("b", R"({"id": 1, "infer_logprobs": [-1, -2]})")},
                             options);
  EXPECT_TRUE(source.wasRecognised());
  EXPECT_EQ(source.layout().preset, "plain");
  const ReadAll all = readAll(source);
  ASSERT_EQ(all.responses.size(), 1U);
  EXPECT_THAT(all.responses[0].mask, ElementsAre(1, 0));
}

TEST_F(JoinTest, KeepsNoMoreThanTheLimit) {
  Options options = joining();
  options.limits.joinBytes = 1000;
  std::string text;
  for (int i = 0; i < 100; ++i)
    text += "{\"k\": " + std::to_string(i) + ", \"t\": [-1]}\n";
  const ReadAll all =
      readAll(open({file("a", text), file("b", R"({"k": 0, "s": [-1]})")}, options));
  EXPECT_EQ(all.responses.size(), 0U);
  ASSERT_FALSE(all.report.faults.empty());
  EXPECT_THAT(all.report.faults[0].message, HasSubstr("exceeds 1000 bytes"));
}

TEST_F(JoinTest, SaysWhichSideIsNotKnown) {
  Options options;
  options.join = "id";
  EXPECT_THAT(whyNot({file("a", "{\"x\": 1}"), file("b", "{\"x\": 1}")}, options),
              HasSubstr("unknown format of the trainer's file"));
}

} // namespace
} // namespace tikc::data::tests
