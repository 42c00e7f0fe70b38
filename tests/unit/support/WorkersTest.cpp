#include "support/Workers.h"

#include <gtest/gtest.h>

#include <atomic>
#include <stdexcept>
#include <vector>

namespace tikc {
namespace {

TEST(Workers, DoEachItemOnce) {
  for (std::size_t count : {0u, 1u, 7u, 8u, 9u, 1000u})
    for (unsigned jobs : {1u, 2u, 7u, 64u}) {
      std::vector<std::atomic<int>> done(count);
      runParallel(count, jobs, [&] { return [&](std::size_t i) { ++done[i]; }; });
      for (std::size_t i = 0; i < count; ++i)
        ASSERT_EQ(done[i], 1) << i << " of " << count << " with " << jobs;
    }
}

TEST(Workers, EachThreadMakesItsOwnWork) {
  std::atomic<int> made = 0, wrong = 0;
  runParallel(1000, 4, [&] {
    ++made;
    auto busy = std::make_shared<std::atomic<bool>>(false);
    return [&, busy](std::size_t) {
      if (busy->exchange(true))
        ++wrong;
      busy->store(false);
    };
  });
  EXPECT_GE(made, 1);
  EXPECT_LE(made, 4);
  EXPECT_EQ(wrong, 0);
}

TEST(Workers, WhatIsThrownArrives) {
  for (unsigned jobs : {1u, 4u}) {
    std::atomic<int> done = 0;
    auto work = [&](std::size_t i) {
      if (i == 3)
        throw std::runtime_error("three");
      ++done;
    };
    EXPECT_THROW(runParallel(10000, jobs, [&] { return work; }), std::runtime_error);
    EXPECT_LT(done, 10000);
  }
}

TEST(Workers, HaveADeepStack) {
  // Far more than the smallest stack of a thread, and far less than what each is given.
  auto eat = [](auto& self, int depth) -> int {
    volatile char page[4096];
    page[0] = static_cast<char>(depth);
    return depth == 0 ? page[0] : self(self, depth - 1) + page[0] - page[0];
  };
  runParallel(100, 4, [&] { return [&](std::size_t) { eat(eat, 1000); }; });
}

} // namespace
} // namespace tikc
