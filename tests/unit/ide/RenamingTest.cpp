#include "ide/Renaming.h"

#include "support/Limits.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tikc::ide::testing {
namespace {

using ::testing::HasSubstr;

/// A parent and its child, on no disk.
class Renames : public ::testing::Test {
protected:
  static std::shared_ptr<const Outline> read(const char* path, const char* text) {
    return outlineOf(path, path, text, Limits{});
  }

  NamedPlace at(const std::shared_ptr<const Outline>& outline, std::string_view word) const {
    return Families::at(*outline, static_cast<std::uint32_t>(outline->text().find(word)));
  }

  std::shared_ptr<const Outline> parent_ =
      read("/tikc/parent.tikc.yaml", "contract: parent\nkernels:\n  trainer: {}\n  rollout: {}\n");
  std::shared_ptr<const Outline> child_ =
      read("/tikc/child.tikc.yaml", "contract: child\nextends: parent.tikc.yaml\n"
                                    "pair: { train: trainer, infer: rollout }\n");
  const Outline* outlines_[2] = {parent_.get(), child_.get()};
  Families families_{outlines_};
};

TEST_F(Renames, GoWhereverTheNameIsSaid) {
  NamedPlace name = at(child_, "trainer");
  ASSERT_TRUE(name);
  Renaming found = renaming(families_, name, "learner");
  EXPECT_EQ(found.fault, "");
  ASSERT_EQ(found.texts.size(), 2U);
  EXPECT_THAT(found.texts[parent_.get()], HasSubstr("  learner: {}\n"));
  EXPECT_THAT(found.texts[child_.get()], HasSubstr("train: learner,"));
  EXPECT_EQ(found.concerned.size(), 2U);
}

TEST_F(Renames, TakeNoNameThatIsTakenOrIsNone) {
  NamedPlace name = at(child_, "trainer");
  EXPECT_EQ(unfitToRename(families_, name), std::nullopt);
  EXPECT_EQ(unfitAsName(families_, name, "learner"), std::nullopt);
  EXPECT_THAT(*unfitAsName(families_, name, "rollout"), HasSubstr("`rollout` is taken"));
  EXPECT_THAT(*unfitAsName(families_, name, "two words"), HasSubstr("`two words` is not"));
  EXPECT_THAT(*unfitAsName(families_, name, "true"), HasSubstr("is not a text in YAML"));
}

} // namespace
} // namespace tikc::ide::testing
