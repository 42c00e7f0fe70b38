#include "data/bytes/Ahead.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <stdexcept>
#include <string>

namespace tikc::data {
namespace {

/// Bytes that say where they are, some at a time, and then an end, a fault or worse.
class CountedStream final : public ByteStream {
public:
  enum class End { None, Fault, Throw };
  CountedStream(std::size_t size, End end) : left_(size), end_(end) {}

  static char byteAt(std::size_t at) { return static_cast<char>(at * 2'654'435'761U >> 13); }

  std::size_t read(char* out, std::size_t size) override {
    if (left_ == 0 && end_ == End::Throw)
      throw std::runtime_error("thrown");
    if (left_ == 0)
      return end_ == End::Fault ? fail("broken") : 0;
    const std::size_t count = std::min({size, left_, 1 + at_ % 400'000});
    for (std::size_t i = 0; i < count; ++i)
      out[i] = byteAt(at_++);
    left_ -= count;
    return count;
  }

private:
  std::size_t left_, at_ = 0;
  End end_;
};

std::unique_ptr<ByteStream> ahead(std::size_t size, CountedStream::End end = {}) {
  return readAhead(std::make_unique<CountedStream>(size, end));
}

/// How many bytes come, each of which is right.
std::size_t read(ByteStream& from) {
  std::string step(100'003, '\0');
  std::size_t at = 0;
  while (const std::size_t count = from.read(step.data(), step.size()))
    for (std::size_t i = 0; i < count; ++i, ++at)
      if (step[i] != CountedStream::byteAt(at))
        return at;
  return at;
}

TEST(AheadTest, BringsTheSameBytes) {
  for (const std::size_t size : {std::size_t{0}, std::size_t{1}, std::size_t{5'000'000}}) {
    const auto stream = ahead(size);
    EXPECT_EQ(read(*stream), size);
    EXPECT_EQ(read(*stream), 0U);
    EXPECT_EQ(stream->fault(), "");
  }
}

TEST(AheadTest, AFaultComesBehindTheBytesBeforeIt) {
  const auto stream = ahead(3'000'000, CountedStream::End::Fault);
  EXPECT_EQ(read(*stream), 3'000'000U);
  EXPECT_EQ(stream->fault(), "broken");
}

TEST(AheadTest, WhatIsThrownIsThrownToTheReader) {
  const auto stream = ahead(10, CountedStream::End::Throw);
  EXPECT_THROW(read(*stream), std::runtime_error);
}

TEST(AheadTest, MayBeLeftAtAnyTime) {
  char byte = 0;
  for (int i = 0; i < 50; ++i) {
    const auto stream = ahead(std::size_t{1} << 30);
    if (i % 2 != 0) {
      EXPECT_EQ(stream->read(&byte, 1), 1U);
    }
  }
}

} // namespace
} // namespace tikc::data
