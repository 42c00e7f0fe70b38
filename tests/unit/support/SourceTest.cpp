#include "support/Source.h"

#include <gtest/gtest.h>

#include <thread>
#include <vector>

namespace tikc {
namespace {

TEST(SpanTest, JoinsAndContains) {
  FileId file{3};
  Span a{file, 2, 5};
  Span b{file, 7, 9};
  EXPECT_EQ(join(a, b), (Span{file, 2, 9}));
  EXPECT_EQ(join(b, a), (Span{file, 2, 9}));
  EXPECT_EQ(join({}, b), b);
  EXPECT_EQ(join(a, {}), a);
  EXPECT_TRUE(join(a, b).contains(a));
  EXPECT_FALSE(a.contains(b));
  EXPECT_FALSE((Span{FileId{4}, 0, 9}).contains(a));
  EXPECT_TRUE(a.finish().empty());
  EXPECT_FALSE(Span().valid());
}

TEST(SourceManagerTest, SourcesStayWhereTheyAre) {
  SourceManager sources;
  FileId first = sources.add("first", {}, "a: 1\nb: 2\n");
  const Source* place = &sources.get(first);
  for (int i = 0; i < 1000; ++i) {
    FileId file = sources.add("file" + std::to_string(i), {}, std::to_string(i));
    ASSERT_EQ(static_cast<std::size_t>(file), static_cast<std::size_t>(i) + 1);
  }
  EXPECT_EQ(&sources.get(first), place);
  EXPECT_EQ(sources.size(), 1001u);
  for (std::uint32_t i = 0; i < 1000; ++i)
    ASSERT_EQ(sources.get(FileId{i + 1}).text, std::to_string(i));
  EXPECT_EQ(sources.text({first, 3, 6}), "1\nb");
  EXPECT_EQ(sources.position(first, 5), (Position{2, 1}));
}

TEST(SourceManagerTest, ThreadsAddAndReadAtOnce) {
  SourceManager sources;
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&sources, t] {
      std::vector<std::pair<FileId, std::string>> mine;
      for (int i = 0; i < 500; ++i) {
        std::string text = std::to_string(t) + ":" + std::to_string(i);
        mine.emplace_back(sources.add("", {}, text), text);
        for (const auto& [file, expected] : mine)
          ASSERT_EQ(sources.get(file).text, expected);
      }
    });
  for (std::thread& thread : threads)
    thread.join();
  EXPECT_EQ(sources.size(), 2000u);
}

} // namespace
} // namespace tikc
