#include "project/Lineage.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tikc::tests {
namespace {

using project::Lineage;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::Pair;

TEST(Lineage, FindsHeirsHoweverFar) {
  Lineage lineage;
  lineage.add("b", {"a"});
  lineage.add("c", {"b"});
  lineage.add("d", {"x"});
  EXPECT_THAT(lineage.heirsOf({"a"}), ElementsAre(Pair("b", "a"), Pair("c", "b")));
  EXPECT_THAT(lineage.heirsOf({"c"}), IsEmpty());
}

TEST(Lineage, EndsWhereFilesExtendOneAnother) {
  Lineage lineage;
  lineage.add("a", {"b"});
  lineage.add("b", {"a"});
  EXPECT_THAT(lineage.heirsOf({"a"}), ElementsAre(Pair("b", "a")));
  EXPECT_THAT(lineage.heirsOf({"a", "b"}), IsEmpty());
}

TEST(Lineage, ATextNamesItsParentFiles) {
  std::string text = "contract: a\nextends: ../base.tikc.yaml#b\n---\ncontract: c\nextends: '#a'\n";
  EXPECT_THAT(project::parentFilesOf("/tikc/team/a.tikc.yaml", text, Limits{}),
              ElementsAre("/tikc/base.tikc.yaml"));
  EXPECT_THAT(project::parentFilesOf("/tikc/a.tikc.yaml", "contract: a\n", Limits{}), IsEmpty());
}

} // namespace
} // namespace tikc::tests
