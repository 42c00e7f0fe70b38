#include "measure/SignsBytes.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <random>
#include <vector>

namespace tikc::measure {
namespace {

data::Signs someSigns() {
  std::mt19937 random(4);
  std::exponential_distribution<double> surprise(1);
  data::Signs out;
  for (int i = 0; i < 40; ++i) {
    std::vector<float> train, infer;
    for (int at = 0; at < 30; ++at) {
      infer.push_back(static_cast<float>(-surprise(random)));
      train.push_back(infer.back() + static_cast<float>(0.1 * surprise(random)));
    }
    data::Response response;
    response.train = train;
    response.infer = infer;
    response.step = i - 10;
    response.version = i - 10 - i % 4;
    out.add(response);
  }
  return out;
}

std::string bytesOf(const data::Signs& signs) {
  ByteWriter out;
  writeSigns(out, signs);
  return out.take();
}

TEST(SignsBytesTest, AreReadAsTheyWereWritten) {
  for (const data::Signs& signs : {data::Signs(), someSigns()}) {
    const std::string bytes = bytesOf(signs);
    ByteReader reader(bytes);
    const data::Signs again = readSigns(reader);
    EXPECT_TRUE(reader.isDone());
    EXPECT_EQ(bytesOf(again), bytes);
  }
  EXPECT_EQ(bytesOf(data::Signs()).size(), 1U);
}

TEST(SignsBytesTest, WhatIsCutOrNoNumberIsRefused) {
  const std::string bytes = bytesOf(someSigns());
  for (std::size_t size = 0; size < bytes.size(); size += 1 + size / 50) {
    ByteReader reader(std::string_view(bytes).substr(0, size));
    readSigns(reader);
    EXPECT_FALSE(reader.isDone()) << size;
  }
  const double none = std::nan("");
  for (std::size_t at = 1; at + 8 <= bytes.size(); at += 8) {
    std::string spoilt = bytes;
    std::memcpy(spoilt.data() + at, &none, sizeof none);
    ByteReader reader(spoilt);
    const data::Signs read = readSigns(reader);
    if (reader.isDone()) {
      EXPECT_EQ(bytesOf(read), spoilt);
    }
  }
}

TEST(SignsBytesTest, BitsThatAreTurnedAreRefusedOrReadAsTheyAre) {
  const std::string bytes = bytesOf(someSigns());
  std::mt19937 random(7);
  std::uniform_int_distribution<std::size_t> place(0, bytes.size() - 1);
  for (int i = 0; i < 2000; ++i) {
    std::string spoilt = bytes;
    spoilt[place(random)] ^= static_cast<char>(1 << i % 8);
    ByteReader reader(spoilt);
    const data::Signs read = readSigns(reader);
    if (reader.isDone()) {
      EXPECT_EQ(bytesOf(read), spoilt);
    }
  }
}

} // namespace
} // namespace tikc::measure
