#include "changes/Pairs.h"

#include <gtest/gtest.h>

namespace tikc::tests {
namespace {

using changes::ContractPlace;
using Rows = std::vector<ContractPlace>;

/// "a>b, c>, >d": what of the old ones is what of the new ones.
std::string paired(const Rows& was, const Rows& is) {
  std::string out;
  for (const auto& pair : changes::pairContracts(was, is))
    out += (out.empty() ? "" : ", ") + (pair.old ? was[*pair.old].name : "") + ">" +
           (pair.fresh ? is[*pair.fresh].name : "");
  return out;
}

/// With these clauses, and labels that all have.
model::Contract promising(const std::vector<std::string>& ids) {
  model::Contract out;
  for (const char* each : {"k", "l", "m", "n", "o"})
    out.labels.push_back({model::Name{each, {}}, {{"one", {}}}});
  for (const std::string& each : ids) {
    model::Clause clause;
    clause.id.text = each;
    out.clauses.push_back(std::move(clause));
  }
  return out;
}

TEST(Pairs, ByNameThenByFile) {
  EXPECT_EQ(paired({{"a", "1"}}, {{"a", "2"}}), "a>a");
  EXPECT_EQ(paired({{"a", "1"}, {"a", "2"}}, {{"a", "2"}, {"a", "3"}}), "a>a, a>a");
  EXPECT_EQ(paired({{"a", "1"}}, {{"b", "2"}}), "a>b");
  EXPECT_EQ(paired({{"a", "1", nullptr, true}}, {{"b", "2"}}), "a>, >b");
  EXPECT_EQ(paired({{"a", "1", nullptr, true}}, {{"a", "2"}}), "a>a");
  EXPECT_EQ(paired({{"a", "1"}, {"b", "2"}}, {{"c", "1"}, {"d", "3"}}), "a>c, b>, >d");
  // Which of two in one file it is now, a file does not say.
  EXPECT_EQ(paired({{"a", "1"}}, {{"b", "1"}, {"c", "1"}}), "a>, >b, >c");
  EXPECT_EQ(paired({{"a", "1"}, {"c", "1"}}, {{"b", "1"}, {"c", "1"}}), "c>c, a>b");
}

TEST(Pairs, ByLikeness) {
  model::Contract old = promising({"p", "q", "r"}), same = promising({"p", "q", "r"}),
                  near = promising({"p", "q", "s"}), far = promising({"x", "y", "z"});
  const ContractPlace was{"a", "1", &old};
  EXPECT_EQ(paired({was}, {{"b", "2", &same}, {"c", "3", &far}}), "a>b, >c");
  EXPECT_EQ(paired({was}, {{"b", "2", &same}, {"c", "3", &near}}), "a>b, >c");
  EXPECT_EQ(paired({was}, {{"b", "2", &same}, {"c", "3", &same}}), "a>, >b, >c");
  EXPECT_EQ(paired({was, {"d", "4", &same}}, {{"b", "2", &same}}), "a>, d>, >b");
  EXPECT_EQ(paired({was}, {{"b", "2", &far}, {"c", "3", nullptr}}), "a>, >b, >c");
}

} // namespace
} // namespace tikc::tests
