#include "tikc/wire.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <memory>
#include <random>
#include <string>
#include <vector>

namespace tikc {
namespace {

constexpr double inf = std::numeric_limits<double>::infinity();
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

/// Every sort of keeper, of the cell and of tokens.
struct Plan {
  static constexpr std::uint64_t fingerprint = 1;
  static constexpr std::size_t slices = 2, signals = 4;
  static constexpr stream streams[] = {{1, 1, 0}, {1, 1, 0}};
  static constexpr signal signal_table[] = {{source::requests, figure::latency, 0, false, 0, 0},
                                            {source::tokens, figure::logprob_gap, 0, false, 0, 0},
                                            {source::replays, figure::batch_drift, 0, false, 0, 0},
                                            {source::requests, figure::errors, 0, false, 0, 0}};
  static constexpr keeper keepers[] = {
      {0, reading::cell, fold::total, comparator::at_most, true, 0, 0, -1, -1, -1},
      {0, reading::cell, fold::largest, comparator::at_most, true, 0, 0, -1, -1, -1},
      {0, reading::cell, fold::smallest, comparator::at_most, true, 0, 0, -1, -1, -1},
      {0, reading::cell, fold::share, comparator::above, true, 2, 0, -1, -1, -1},
      {0, reading::cell, fold::sketch, comparator::at_most, true, 0, 0, -1, -1, -1},
      {1, reading::tokens, fold::share, comparator::above, true, 0.5, 0, 0, -1, -1},
      {2, reading::cell, fold::largest, comparator::at_most, true, 0, 1, -1, -1, -1},
      {3, reading::cell, fold::nonzero, comparator::at_most, true, 0, 1, -1, -1, -1}};
  struct token_plan {
    static constexpr std::uint32_t wants = token_want::everything;
    static constexpr std::array<float, 1> above{0.5F};
    static constexpr std::array<float, 1> below{-0.5F};
    static constexpr std::array<float, 2> beyond{0.1F, 1.0F};
  };
};

/// A tally whose empty form has few numbers, so that every bit of it can be tried.
struct SmallPlan : Plan {
  static constexpr std::uint64_t fingerprint = 2;
  static constexpr std::size_t slices = 1, signals = 1;
  static constexpr stream streams[] = {{1, 1, 0}};
  static constexpr signal signal_table[] = {{source::requests, figure::latency, 0, false, 0, 0}};
  static constexpr keeper keepers[] = {
      {0, reading::cell, fold::total, comparator::at_most, true, 0, 0, -1, -1, -1},
      {0, reading::cell, fold::largest, comparator::at_most, true, 0, 0, -1, -1, -1}};
  struct token_plan : plan_of_nothing {
    static constexpr std::uint32_t wants = token_want::gap | token_want::range;
  };
};

struct OtherPlan : Plan {
  static constexpr std::uint64_t fingerprint = Plan::fingerprint + (std::uint64_t{1} << 63U);
};

template <class T> std::string bytesOf(const T& of) {
  std::string out;
  serialise(of, [&](const char* piece, std::size_t size) { out.append(piece, size); });
  EXPECT_EQ(out.size(), wire_size(of));
  return out;
}

template <class T> wire_error read(const std::string& bytes, T& into) {
  // A buffer of its own size, so that a sanitiser sees a read past it.
  std::vector<char> exact(bytes.begin(), bytes.end());
  return parse(exact.data(), exact.size(), into);
}

template <class P> void observe(tally<P>& into, std::mt19937& random, int rounds) {
  std::normal_distribution<float> normal;
  for (int i = 0; i < rounds; ++i) {
    float train[50], infer[50];
    for (int j = 0; j < 50; ++j) {
      infer[j] = -std::abs(normal(random));
      train[j] = infer[j] + normal(random) / 2;
    }
    train[7] = i == 3 ? std::numeric_limits<float>::quiet_NaN() : train[7];
    sequence response;
    auto slice = random() % P::slices;
    into.observe_tokens(slice, {train, infer, nullptr, 50, random()}, response);
    into.end_sequence(slice, response, random());
    request_times times;
    times.latency = i == 5 ? nan : i == 6 ? inf : static_cast<double>(std::abs(normal(random)));
    times.failed = i % 7 == 0;
    into.observe_request(slice, times, random());
    into.observe_batch_replay(slice, static_cast<double>(normal(random)), random());
  }
}

template <class P> std::unique_ptr<tally<P>> observed(unsigned seed, int rounds = 20) {
  std::mt19937 random(seed);
  auto out = std::make_unique<tally<P>>();
  observe(*out, random, rounds);
  return out;
}

/// Lets a test write payloads that serialise would not.
std::string sealed(std::string bytes) {
  bytes.resize(bytes.size() - 4);
  auto put = [&](std::size_t at, std::uint32_t value) {
    for (std::size_t i = 0; i < 4; ++i)
      bytes[at + i] = static_cast<char>(value >> (8 * i));
  };
  put(16, static_cast<std::uint32_t>(bytes.size() - 20));
  std::uint32_t crc = 0xffffffffU; // bit by bit, from its definition
  for (char each : bytes) {
    crc ^= static_cast<unsigned char>(each);
    for (int bit = 0; bit < 8; ++bit)
      crc = (crc >> 1U) ^ ((crc & 1U) != 0 ? 0x82f63b78U : 0U);
  }
  bytes.append(4, 0);
  put(bytes.size() - 4, ~crc);
  return bytes;
}

template <class T> std::string withPayload(const T& like, const std::string& payload) {
  return sealed(bytesOf(like).substr(0, 20) + payload + "....");
}

TEST(WireTest, ReadingGivesBackEveryBit) {
  for (int rounds : {0, 1, 20, 200}) {
    auto from = observed<Plan>(1, rounds), into = observed<Plan>(2);
    std::string bytes = bytesOf(*from);
    ASSERT_EQ(read(bytes, *into), wire_error::none);
    EXPECT_EQ(bytesOf(*into), bytes);
    for (std::size_t slice = 0; slice < Plan::slices; ++slice) {
      const auto &a = from->observed(slice), &b = into->observed(slice);
      EXPECT_EQ(std::memcmp(a.total.data(), b.total.data(), sizeof a.total), 0);
      EXPECT_EQ(a.sketch[0].counts, b.sketch[0].counts);
      EXPECT_EQ(a.seen, b.seen);
      EXPECT_EQ(a.largest[0].count, b.largest[0].count);
      for (std::size_t i = 0; i < 4; ++i)
        EXPECT_EQ(a.largest[0].kept[i].id, b.largest[0].kept[i].id);
      const auto &x = from->tokens(0, slice), &y = into->tokens(0, slice);
      for (std::size_t i = 0; i < x.sums.size(); ++i) {
        // Bytes have one number that is none.
        EXPECT_EQ(detail::canonical_bits(x.sums[i].high), detail::bits_of(y.sums[i].high));
        EXPECT_EQ(detail::canonical_bits(x.sums[i].low), detail::bits_of(y.sums[i].low));
      }
      EXPECT_EQ(x.least_at, y.least_at);
      EXPECT_EQ(x.greatest, y.greatest);
      EXPECT_EQ(x.sketch.whole().counts, y.sketch.whole().counts);
      EXPECT_EQ(x.beyond, y.beyond);
    }
  }
}

TEST(WireTest, WhatIsNotFiniteIsReadBackFromAmongTheWorstFew) {
  for (double seconds : {inf, -inf, nan})
    for (std::uint64_t id : {std::uint64_t{0}, std::uint64_t{7}}) {
      auto from = std::make_unique<tally<Plan>>(), into = std::make_unique<tally<Plan>>();
      request_times times;
      times.latency = seconds;
      from->observe_request(0, times, id);
      ASSERT_EQ(read(bytesOf(*from), *into), wire_error::none) << seconds << " of " << id;
      EXPECT_EQ(bytesOf(*into), bytesOf(*from));
    }
}

TEST(WireTest, MergingWhatWasReadIsReadingWhatWasMerged) {
  auto a = observed<Plan>(3), b = observed<Plan>(4);
  auto readA = std::make_unique<tally<Plan>>(), readB = std::make_unique<tally<Plan>>();
  ASSERT_EQ(read(bytesOf(*a), *readA), wire_error::none);
  ASSERT_EQ(read(bytesOf(*b), *readB), wire_error::none);
  readA->merge(*readB);
  a->merge(*b);
  auto merged = std::make_unique<tally<Plan>>();
  ASSERT_EQ(read(bytesOf(*a), *merged), wire_error::none);
  EXPECT_EQ(bytesOf(*readA), bytesOf(*merged));
}

TEST(WireTest, AnEmptyTallyIsAFewBytes) {
  EXPECT_LE(wire_size(*std::make_unique<tally<Plan>>()), 28U);
}

TEST(WireTest, TheFormatIsFixed) {
  auto small = std::make_unique<tally<SmallPlan>>();
  request_times times;
  times.latency = 1.5;
  small->observe_request(0, times, 300);
  std::string bytes = bytesOf(*small);
  EXPECT_EQ(bytes.substr(0, 16), std::string("TIKC\7\0\1\0\2\0\0\0\0\0\0\0", 16));
  // Four zeros, a request, four zeros, a value seen, none that is no number, 1.5 + 0, one kept:
  // 1.5 of 300; the rest is as it was.
  std::string payload("\0\3\1\0\3\1\0\0\1\0\0\0\0\0\0\xF8\x3F\0\0\1\1\0\0\0\0\0\0\xF8\x3F\xAC\2\0",
                      32);
  EXPECT_EQ(bytes.substr(20, payload.size()), payload);
  EXPECT_EQ(bytes, sealed(bytes));
}

TEST(WireTest, EveryTruncationIsRefused) {
  auto from = observed<SmallPlan>(5), into = observed<SmallPlan>(6);
  std::string bytes = bytesOf(*from), before = bytesOf(*into);
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    EXPECT_NE(read(bytes.substr(0, size), *into), wire_error::none) << size;
    ASSERT_EQ(bytesOf(*into), before) << size;
  }
  EXPECT_EQ(read(bytes + '\0', *into), wire_error::size);
  EXPECT_EQ(bytesOf(*into), before);
}

TEST(WireTest, EveryFlippedBitIsRefused) {
  auto from = observed<SmallPlan>(7), into = observed<SmallPlan>(8);
  std::string bytes = bytesOf(*from), before = bytesOf(*into);
  for (std::size_t bit = 0; bit < 8 * bytes.size(); ++bit) {
    std::string flipped = bytes;
    flipped[bit / 8] = static_cast<char>(flipped[bit / 8] ^ (1 << bit % 8));
    EXPECT_NE(read(flipped, *into), wire_error::none) << bit;
    ASSERT_EQ(bytesOf(*into), before) << bit;
  }
}

TEST(WireTest, AnErrorSaysWhatIsWrong) {
  auto into = observed<Plan>(9);
  std::string bytes = bytesOf(*into);
  auto with = [&](std::size_t at, char value) {
    std::string out = bytes;
    out[at] = value;
    return sealed(out);
  };
  EXPECT_EQ(read("", *into), wire_error::truncated);
  EXPECT_EQ(read(with(0, 'X'), *into), wire_error::foreign);
  EXPECT_EQ(read(with(4, 1), *into), wire_error::version);
  EXPECT_EQ(read(with(6, 2), *into), wire_error::foreign);
  auto other = std::make_unique<tally<OtherPlan>>();
  EXPECT_EQ(read(bytes, *other), wire_error::fingerprint);
  bytes.back() = static_cast<char>(bytes.back() + 1);
  EXPECT_EQ(read(bytes, *into), wire_error::checksum);
}

/// Numbers of a small tally: nine volumes, two counts, a sum of two, the worst few of nine; two
/// counts of tokens, eighteen sums of two, two extremes and their places, a centre: 65.
TEST(WireTest, OnlyTheOneWayToWriteAStateIsRead) {
  using namespace std::string_literals;
  auto into = std::make_unique<tally<SmallPlan>>();
  auto outcome = [&](const std::string& payload) {
    return read(withPayload(*into, payload), *into);
  };
  EXPECT_EQ(outcome("\0\x40"s), wire_error::none);
  EXPECT_EQ(outcome("\0\x3F"s), wire_error::payload);
  EXPECT_EQ(outcome("\0\x41"s), wire_error::payload);
  EXPECT_EQ(outcome("\0\xC0\0"s), wire_error::payload);
  EXPECT_EQ(outcome("\0\x10\0\x2F"s), wire_error::payload);
  EXPECT_EQ(outcome(""s), wire_error::payload);
  EXPECT_EQ(outcome("\0\x40\1"s), wire_error::payload);
  const std::string most(9, '\xFF');
  EXPECT_EQ(outcome(most + "\1\0\x3F"s), wire_error::none);
  EXPECT_EQ(outcome(most + "\2\0\x3F"s), wire_error::payload);
  EXPECT_EQ(outcome(most + "\x81\0\0\x3F"s), wire_error::payload);
  EXPECT_EQ(outcome("\0\x0A\1\0\0\0\0\0\0\0\x80\0\x34"s), wire_error::none); // -0.0
  EXPECT_EQ(outcome("\0\x0A\1\0\0\0\0\0\0\0\0\0\x34"s), wire_error::payload);
  EXPECT_EQ(outcome("\0\x0A\2\0\0\0\0\0\0\0\x80\0\x34"s), wire_error::payload);
}

TEST(WireTest, TheWorstFewAreInOrderAndNoMoreThanThereIsRoomFor) {
  using namespace std::string_literals;
  auto into = std::make_unique<tally<SmallPlan>>();
  auto outcome = [&](const std::string& payload) {
    return read(withPayload(*into, payload), *into);
  };
  const std::string one = "\1\0\0\0\0\0\0\xF0\x3F"s, two = "\1\0\0\0\0\0\0\0\x40"s,
                    none = "\1\0\0\0\0\0\0\xF8\x7F"s;
  EXPECT_EQ(outcome("\0\x0C\4\0\x32"s), wire_error::none);
  EXPECT_EQ(outcome("\0\x0C\5\0\x32"s), wire_error::payload);
  EXPECT_EQ(outcome("\0\x0C\2"s + two + "\0\0"s + one + "\0\x2F"s), wire_error::none);
  EXPECT_EQ(outcome("\0\x0C\2"s + one + "\0\0"s + two + "\0\x2F"s), wire_error::payload);
  EXPECT_EQ(outcome("\0\x0C\1"s + none + "\0\x31"s), wire_error::payload);
  EXPECT_EQ(outcome("\0\x0C\1"s + one + "\0\x31"s), wire_error::none);
  EXPECT_EQ(outcome("\0\x0D"s + one + "\0\x31"s), wire_error::payload); // one, and none kept
}

TEST(WireTest, AnyPayloadIsReadOrRefused) {
  std::mt19937 random(10);
  auto from = observed<Plan>(11, 3), into = observed<Plan>(12, 3);
  const std::string bytes = bytesOf(*from);
  int read_ones = 0;
  for (int i = 0; i < 20000; ++i) {
    std::string next = bytes;
    if (i % 2 == 0) {
      for (std::size_t j = random() % 4 + 1; j > 0; --j)
        next[20 + random() % (next.size() - 24)] = static_cast<char>(random());
    } else {
      next.resize(20 + random() % 80);
      for (std::size_t j = 20; j < next.size(); ++j)
        next[j] = static_cast<char>(random() % 3 == 0 ? random() : random() % 2);
      next += "....";
    }
    std::string before = bytesOf(*into);
    next = sealed(next);
    if (read(next, *into) == wire_error::none) {
      ++read_ones;
      EXPECT_EQ(bytesOf(*into), next); // so what was read has no second spelling
    } else {
      ASSERT_EQ(bytesOf(*into), before);
    }
  }
  EXPECT_GT(read_ones, 100);
}

TEST(WireTest, AnyBytesAreRefused) {
  std::mt19937 random(13);
  auto into = observed<Plan>(14);
  std::string before = bytesOf(*into);
  for (int i = 0; i < 20000; ++i) {
    std::string next(random() % 100, 0);
    for (char& each : next)
      each = static_cast<char>(random());
    if (i % 2 == 0)
      next = before.substr(0, std::min<std::size_t>(20, random() % 30)) + next;
    EXPECT_NE(read(next, *into), wire_error::none);
  }
  EXPECT_EQ(bytesOf(*into), before);
}

TEST(WireTest, NoTallyTakesMoreThanTheBound) {
  static_assert(most_wire_bytes<tally<Plan>> >= sizeof(tally<Plan>) + 24);
  auto repeat = [](const std::string& of, int times) {
    std::string out;
    for (int i = 0; i < times; ++i)
      out += of;
    return out;
  };
  const std::string count = std::string(9, '\xFF') + '\1', real = '\1' + std::string(8, '\x22'),
                    small = '\1' + std::string(4, '\x22');
  std::string payload = repeat(count, 11) + repeat(real, 2) + '\4' + repeat(real + count, 4);
  payload += repeat(count, 2) + repeat(real, 36) + repeat(small, 2) + repeat(count, 2) + small;
  auto into = std::make_unique<tally<SmallPlan>>();
  ASSERT_EQ(read(withPayload(*into, payload), *into), wire_error::none);
  EXPECT_EQ(wire_size(*into), payload.size() + 24);
  EXPECT_LE(wire_size(*into), most_wire_bytes<tally<SmallPlan>>);
  for (int i = 0; i < 3; ++i) {
    auto from = observed<Plan>(static_cast<unsigned>(i), 100);
    EXPECT_LE(wire_size(*from), most_wire_bytes<tally<Plan>>);
  }
}

TEST(WireTest, ABufferGetsAllOrNothing) {
  auto from = observed<SmallPlan>(15);
  std::string bytes = bytesOf(*from);
  std::vector<char> buffer(bytes.size(), 'x');
  EXPECT_EQ(serialise(*from, buffer.data(), bytes.size() - 1), 0U);
  EXPECT_EQ(std::count(buffer.begin(), buffer.end(), 'x'),
            static_cast<std::ptrdiff_t>(bytes.size()));
  EXPECT_EQ(serialise(*from, buffer.data(), bytes.size()), bytes.size());
  EXPECT_EQ(std::string(buffer.begin(), buffer.end()), bytes);
}

/// latched: violated(0) for 2 windows -> alert for 3 windows, then hold; never released.
/// passing: satisfied(0) for 5 windows -> alert; until violated(0); slice 0 only.
struct Policy {
  static constexpr std::uint64_t fingerprint = 3;
  static constexpr std::size_t slices = 2, clauses = 1;
  static constexpr bool applies[clauses][slices] = {{true, true}};
  static constexpr bool in_any[clauses] = {true};
  static constexpr trigger triggers[] = {{trigger_kind::violated, 0, 2, 0, 0},
                                         {trigger_kind::satisfied, 0, 5, 0, 0},
                                         {trigger_kind::violated, 0, 1, 0, 0}};
  static constexpr action actions[] = {{action_kind::alert, "oncall", 0, 0},
                                       {action_kind::hold, "", 0, 0}};
  static constexpr step steps[] = {{3, 0, 1}, {0, 1, 1}, {0, 0, 1}};
  static constexpr rule rules[] = {{"latched", 0, never, 0, 2}, {"passing", 1, 2, 2, 1}};
  static constexpr bool acts_on[2][slices] = {{true, true}, {true, false}};
};
struct OtherPolicy : Policy {
  static constexpr std::uint64_t fingerprint = 4;
};

void tick(router<Policy>& of, std::mt19937& random) {
  router<Policy>::verdicts now;
  for (standing& each : now[0]) {
    each = static_cast<verdict>(random() % 4 == 0 ? random() % 3 : 1 + of.is_active(0, 0));
    each.is_kept = each.is != verdict::undecided && random() % 5 == 0;
  }
  of.tick(now, 1);
}

TEST(WireTest, ARouterGoesOnAsIfItHadNotStopped) {
  for (unsigned seed = 0; seed < 200; ++seed) {
    std::mt19937 random(seed);
    router<Policy> whole;
    for (unsigned i = 0; i < seed % 40; ++i)
      tick(whole, random);
    router<Policy> resumed;
    std::mt19937 other(seed + 1);
    for (int i = 0; i < 10; ++i)
      tick(resumed, other);
    ASSERT_EQ(read(bytesOf(whole), resumed), wire_error::none);
    EXPECT_EQ(resumed.begin(), resumed.end());
    for (int i = 0; i < 40; ++i) {
      std::mt19937 same = random;
      tick(whole, random);
      tick(resumed, same);
      ASSERT_EQ(whole.end() - whole.begin(), resumed.end() - resumed.begin());
      for (auto a = whole.begin(), b = resumed.begin(); a != whole.end(); ++a, ++b) {
        EXPECT_EQ(a->what, b->what);
        EXPECT_EQ(a->tick, b->tick);
      }
      EXPECT_EQ(bytesOf(whole), bytesOf(resumed));
    }
  }
}

TEST(WireTest, ARouterThatCannotBeIsRefused) {
  router<Policy> into;
  std::mt19937 random(1);
  for (int i = 0; i < 6; ++i)
    tick(into, random);
  std::string before = bytesOf(into);
  auto outcome = [&](const std::string& payload) {
    wire_error out = read(withPayload(into, payload), into);
    EXPECT_EQ(bytesOf(into), out == wire_error::none ? bytesOf(into) : before);
    return out;
  };
  using namespace std::string_literals;
  // The ticks; active, step and windows on two slices of two rules; three runs and a
  // clause on two slices.
  EXPECT_EQ(outcome("\5\1\2\0\x11"s), wire_error::payload);     // latched has two steps
  EXPECT_EQ(outcome("\5\0\0\1\0\x11"s), wire_error::payload);   // a step of what is not active
  EXPECT_EQ(outcome("\5\1\0\0\3\0\x10"s), wire_error::payload); // a step of three windows ends
  EXPECT_EQ(outcome("\5\0\x08\1\0\x09"s), wire_error::payload); // passing is not for slice 1
  EXPECT_EQ(outcome("\5\0\x0B\3\0\6"s), wire_error::payload);   // a run of three of two
  EXPECT_EQ(outcome("\5\2\0\x12"s), wire_error::payload);       // neither active nor not
  EXPECT_EQ(outcome("\5\1\1\0\x11"s), wire_error::none);
  EXPECT_TRUE(into.is_active(0, 0));
  EXPECT_EQ(into.decide(0).traffic, &Policy::actions[1]);
}

TEST(WireTest, ARouterOfAnotherContractIsRefused) {
  router<Policy> from;
  std::mt19937 random(3);
  for (int i = 0; i < 6; ++i)
    tick(from, random);
  router<OtherPolicy> into;
  std::string before = bytesOf(into);
  EXPECT_EQ(read(bytesOf(from), into), wire_error::fingerprint);
  EXPECT_EQ(bytesOf(into), before);
}

TEST(WireTest, EveryFlippedBitOfARouterIsRefused) {
  router<Policy> from, into;
  std::mt19937 random(2);
  for (int i = 0; i < 20; ++i)
    tick(from, random);
  std::string bytes = bytesOf(from), before = bytesOf(into);
  for (std::size_t bit = 0; bit < 8 * bytes.size(); ++bit) {
    std::string flipped = bytes;
    flipped[bit / 8] = static_cast<char>(flipped[bit / 8] ^ (1 << bit % 8));
    EXPECT_NE(read(flipped, into), wire_error::none) << bit;
    EXPECT_EQ(bytesOf(into), before);
  }
  static_assert(most_wire_bytes<router<Policy>> < 1000);
}

} // namespace
} // namespace tikc
