#include "data/bytes/Spilled.h"

#include "unit/ScratchFolder.h"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <csignal>
#include <string>
#include <vector>

namespace tikc::data {
namespace {

namespace fs = std::filesystem;

class SpilledTest : public ::testing::Test {
protected:
  static std::string all(const SpilledBytes& of) {
    std::string out;
    auto error = of.each([&](std::string_view step) { out += step; });
    EXPECT_FALSE(static_cast<bool>(error)) << llvm::toString(std::move(error));
    return out;
  }
  static std::string whyNot(llvm::Error error) {
    return error ? llvm::toString(std::move(error)) : "";
  }

  tikc::tests::ScratchFolder scratch_;
  fs::path folder_ = scratch_.path();
};

TEST_F(SpilledTest, FewBytesStayInMemory) {
  SpilledBytes bytes(folder_ / "missing");
  for (const char* part : {"one ", "", "two"})
    bytes.append(part);
  bytes.settle();
  EXPECT_TRUE(bytes.isInMemory());
  EXPECT_EQ(bytes.size(), 7U);
  EXPECT_EQ(all(bytes), "one two");
  auto whole = bytes.finish();
  ASSERT_TRUE(static_cast<bool>(whole));
  EXPECT_EQ(whole->bytes, "one two");
  EXPECT_EQ(whole->file, nullptr);
}

TEST_F(SpilledTest, WhatIsAppendedAtOnceIsShownAtOnce) {
  SpilledBytes bytes;
  const std::vector<std::string> parts = {std::string(700'000, 'a'), std::string(700'000, 'b'),
                                          std::string(3'000'000, 'c'), "d"};
  for (const std::string& part : parts)
    bytes.append(part);
  std::vector<std::string> steps;
  EXPECT_EQ(whyNot(bytes.each([&](std::string_view step) { steps.emplace_back(step); })), "");
  EXPECT_EQ(steps, parts);
}

TEST_F(SpilledTest, ManyBytesAreInAFileWithoutAName) {
  SpilledBytes bytes(folder_);
  std::string expected;
  for (int i = 0; i < 9'000; ++i) {
    const std::string part(static_cast<std::size_t>(i % 3'001), static_cast<char>('a' + i % 26));
    bytes.append(part);
    bytes.settle();
    expected += part;
  }
  ASSERT_GT(expected.size(), 3 * SpilledBytes::mostInMemory);
  EXPECT_FALSE(bytes.isInMemory());
  EXPECT_TRUE(fs::is_empty(folder_));
  EXPECT_EQ(bytes.size(), expected.size());
  EXPECT_TRUE(all(bytes) == expected);
  auto whole = bytes.finish();
  ASSERT_TRUE(static_cast<bool>(whole));
  bytes = SpilledBytes();
  EXPECT_TRUE(whole->bytes == expected);
  std::string again;
  ASSERT_NE(whole->file, nullptr);
  for (int i = 0; i < 2; ++i)
    eachStep(whole->bytes, whole->file.get(), [&](std::string_view step) { again += step; });
  EXPECT_TRUE(again == expected + expected);
}

TEST_F(SpilledTest, AFolderThatTakesNoFileIsNotNeeded) {
  const std::string large(SpilledBytes::mostInMemory + 1, 'x');
  SpilledBytes bytes(folder_ / "missing");
  bytes.append(large);
  bytes.settle();
  EXPECT_FALSE(bytes.isInMemory());
  EXPECT_TRUE(all(bytes) == large);
}

TEST_F(SpilledTest, AFullDiskIsAFaultOfWhoReads) {
  ::rlimit before{};
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &before), 0);
  const ::rlimit little{SpilledBytes::mostInMemory / 2, before.rlim_max};
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &little), 0);
  auto* const handler = std::signal(SIGXFSZ, SIG_IGN);
  SpilledBytes bytes(folder_);
  for (int i = 0; i < 8; ++i) {
    bytes.append(std::string(SpilledBytes::mostInMemory / 2, 'x'));
    bytes.settle();
  }
  std::signal(SIGXFSZ, handler);
  ::setrlimit(RLIMIT_FSIZE, &before);
  const std::string why = "cannot write a temporary file in `" + folder_.string() + "`";
  EXPECT_EQ(whyNot(bytes.each([](std::string_view) {})).substr(0, why.size()), why);
  EXPECT_EQ(whyNot(bytes.finish().takeError()).substr(0, why.size()), why);
}

} // namespace
} // namespace tikc::data
