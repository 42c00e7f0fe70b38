#include "changes/Versions.h"

#include <gtest/gtest.h>

namespace tikc::tests {
namespace {

using changes::VersionStep;

changes::VersionVerdict verdict(const std::string& was, const std::string& is, VersionStep needed) {
  model::Contract before, after;
  if (!was.empty())
    before.version = model::Text{was, {}};
  if (!is.empty())
    after.version = model::Text{is, {}};
  return changes::versionVerdict(before, after, needed);
}

TEST(Versions, Steps) {
  struct Row {
    const char *was, *is;
    VersionStep taken;
  };
  for (const Row& row : std::vector<Row>{{"1.2.3", "1.2.3", VersionStep::None},
                                         {"1.2.3", "1.2.3+build", VersionStep::None},
                                         {"1.2.3", "1.2.4", VersionStep::Patch},
                                         {"2.0.0-rc.1", "2.0.0", VersionStep::Patch},
                                         {"1.2.3", "1.10.0", VersionStep::Minor},
                                         {"1.2.3", "2.0.0", VersionStep::Major},
                                         {"0.2.3", "0.2.4", VersionStep::Minor},
                                         {"0.2.3", "0.3.0", VersionStep::Major},
                                         {"0.2.3", "1.0.0", VersionStep::Major}})
    EXPECT_EQ(verdict(row.was, row.is, VersionStep::None).taken, row.taken)
        << row.was << " to " << row.is;
}

TEST(Versions, WhatIsEnough) {
  EXPECT_TRUE(verdict("1.2.3", "2.0.0", VersionStep::Major).isEnough());
  EXPECT_FALSE(verdict("1.2.3", "1.3.0", VersionStep::Major).isEnough());
  EXPECT_FALSE(verdict("2.0.0", "1.0.0", VersionStep::Patch).isEnough());
  // Without a version nothing is asked of it.
  EXPECT_TRUE(verdict("", "1.0.0", VersionStep::Major).isEnough());
  EXPECT_TRUE(verdict("1.0.0", "", VersionStep::Major).isEnough());
}

TEST(Versions, TheLeastThatIsEnough) {
  EXPECT_EQ(verdict("1.2.3", "1.2.3", VersionStep::Major).next, "2.0.0");
  EXPECT_EQ(verdict("1.2.3", "1.2.3", VersionStep::Minor).next, "1.3.0");
  EXPECT_EQ(verdict("1.2.3", "1.2.3", VersionStep::Patch).next, "1.2.4");
  EXPECT_EQ(verdict("0.2.3", "0.2.3", VersionStep::Major).next, "0.3.0");
  EXPECT_EQ(verdict("0.2.3", "0.2.3", VersionStep::Minor).next, "0.2.4");
}

} // namespace
} // namespace tikc::tests
