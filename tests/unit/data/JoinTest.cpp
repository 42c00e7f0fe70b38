#include "unit/data/Recorded.h"

#include <gmock/gmock.h>

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
              HasSubstr("token 0 is 5 to the trainer, and 6 to the server"));
  EXPECT_THAT(all.report.faults[1].message,
              HasSubstr("the trainer has 1 tokens, and the server 2"));
}

TEST_F(JoinTest, TellsOfMasksAndLabelsThatAreNotOne) {
  Options options = joining();
  options.map = "train=t,infer=s,key=k,mask=m,task=task";
  const ReadAll all =
      readAll(open({file("a", R"({"k": 1, "t": [-1, -2], "m": [1, 1], "task": "math"}
                         {"k": 2, "t": [-1, -2], "m": [1, 0], "task": "math"}
                         {"k": 3, "t": [-1, -2], "m": [0, 0], "task": "math"}
                         {"k": 4, "t": [-1, -2], "m": [1, 0], "task": "math"}
                         {"k": 5, "t": [-1, -2], "m": [1, 0]})"),
                    file("b", R"({"k": 1, "s": [-1, -2], "m": [1, 0], "task": "math"}
                         {"k": 2, "s": [-1, -2], "m": [1, 0], "task": "code"}
                         {"k": 3, "s": [-1, -2], "m": [1, 1], "task": "math"}
                         {"k": 4, "s": [-1, -2], "m": [1, 0], "task": "math"}
                         {"k": 5, "s": [-1, -2], "task": "code"})")},
                   options));
  EXPECT_EQ(all.responses.size(), 3U);
  EXPECT_EQ(all.report.broken, 2U);
  ASSERT_EQ(all.report.faults.size(), 2U);
  EXPECT_THAT(all.report.faults[0].message,
              HasSubstr("token 1 counts to the trainer, and not to the server"));
  EXPECT_THAT(all.report.faults[1].message,
              HasSubstr("its task is `math` to the trainer, and `code` to the server"));
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
  EXPECT_THAT(all.report.faults[0].message, HasSubstr("past 1000 bytes"));
}

TEST_F(JoinTest, SaysWhichSideIsNotKnown) {
  Options options;
  options.join = "id";
  EXPECT_THAT(whyNot({file("a", "{\"x\": 1}"), file("b", "{\"x\": 1}")}, options),
              HasSubstr("which field of the trainer's file has its log-probs"));
}

} // namespace
} // namespace tikc::data::tests
