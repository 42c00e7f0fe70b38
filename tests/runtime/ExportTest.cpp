#include "tikc/json.h"
#include "tikc/openmetrics.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace tikc {
namespace {

constexpr double inf = std::numeric_limits<double>::infinity();
constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr auto share = fold::share;

/// Texts are as bad as they get; the third slice stays empty.
struct Plan {
  static constexpr const char* contract = "a\"} 1\n# EOF\n\\";
  static constexpr const char* version = "1.0\xC3\x28\xED\xA0\x80\xF4\x90\x80\x80";
  static constexpr const char* build = "\x01\x1F\x7F\t\r";
  static constexpr bool is_draft = true;
  static constexpr const char* digest = "\xF0\x9F\x98\x80 \xE2\x82\xAC \xC3\xA9";
  static constexpr const char* metric_prefix = "9 My-App:x";
  static constexpr std::size_t slices = 3, signals = 7;
  static constexpr bool is_empty[slices] = {};
  static constexpr const char* slice_names[] = {"plain", "quo\"te", "back\\slash\n"};
  static constexpr stream streams[] = {{1, 1, 0}, {1, 1, 0}};
  static constexpr signal signal_table[] = {{source::requests, figure::latency, 0, false, 0, 0},
                                            {source::requests, figure::throughput, 0, false, 0, 0},
                                            {source::tokens, figure::logprob_gap, 0, true, 0, 0},
                                            {source::tokens, figure::logprob_gap, 1, false, 0, 0},
                                            {source::replays, figure::batch_drift, 0, false, 0, 0},
                                            {source::tokens, figure::logprob_gap, 1, true, 0, 0},
                                            {source::requests, figure::errors, 0, false, 0, 0}};
  static constexpr keeper keepers[] = {
      {0, reading::cell, share, comparator::above, true, 2, 0, -1, -1, -1},
      {0, reading::cell, share, comparator::below, true, 0.25, 1, -1, -1, -1},
      {0, reading::cell, share, comparator::at_least, true, 1, 2, -1, -1, -1},
      {0, reading::cell, share, comparator::equal, true, 1.5, 3, -1, -1, -1},
      {0, reading::cell, fold::sketch, comparator::at_most, true, 0, 0, -1, -1, -1},
      {0, reading::cell, fold::total, comparator::at_most, true, 0, 0, -1, -1, -1},
      {0, reading::cell, fold::largest, comparator::at_most, true, 0, 0, -1, -1, -1},
      {0, reading::cell, fold::smallest, comparator::at_most, true, 0, 0, -1, -1, -1},
      {1, reading::cell, share, comparator::below, true, 60, 4, -1, -1, -1},
      {2, reading::tokens, share, comparator::above, true, 0.1, 0, -1, -1, 0},
      {2, reading::tokens, fold::total, comparator::at_most, true, 0, 0, -1, -1, -1},
      {3, reading::tokens, share, comparator::above, true, 0.5, 0, 0, -1, -1},
      {3, reading::tokens, share, comparator::below, true, -0.5, 0, -1, 0, -1},
      {3, reading::tokens, fold::total, comparator::at_most, true, 0, 0, -1, -1, -1},
      {4, reading::cell, share, comparator::above, true, 1e-6, 5, -1, -1, -1},
      {4, reading::cell, share, comparator::below, true, 1e-9, 6, -1, -1, -1},
      {4, reading::cell, share, comparator::above, true, inf, 7, -1, -1, -1},
      {5, reading::tokens, share, comparator::above, true, 0.1, 0, -1, -1, 0},
      {5, reading::tokens, fold::total, comparator::at_most, true, 0, 0, -1, -1, -1},
      {6, reading::cell, fold::nonzero, comparator::at_most, true, 0, 8, -1, -1, -1}};
  struct token_plan {
    static constexpr std::uint32_t wants = token_want::everything;
    static constexpr std::array<float, 1> above{0.5F};
    static constexpr std::array<float, 1> below{-0.5F};
    static constexpr std::array<float, 1> beyond{0.1F};
  };
  static constexpr window windows[] = {{window_unit::stage, 1}};
  static constexpr check checks[] = {{"max(latency) <= \"2\" s\\\n",
                                      estimator::largest,
                                      0,
                                      {6},
                                      {0, 1},
                                      {{comparator::at_most, 2}},
                                      1,
                                      0,
                                      1,
                                      0,
                                      0,
                                      0,
                                      0,
                                      false,
                                      false},
                                     {"mean(latency) >= 1 s and < 1e300 s",
                                      estimator::mean,
                                      0,
                                      {5},
                                      {0, 1},
                                      {{comparator::at_least, 1}, {comparator::below, 1e300}},
                                      2,
                                      0,
                                      1,
                                      0,
                                      0,
                                      0,
                                      0,
                                      false,
                                      true},
                                     {"max(latency) <= \"2\" s\\\n",
                                      estimator::largest,
                                      0,
                                      {6},
                                      {0, 1},
                                      {{comparator::at_most, 2}},
                                      1,
                                      0,
                                      1,
                                      0,
                                      0,
                                      0,
                                      0,
                                      false,
                                      false}};
  static constexpr bool binds[3][slices] = {
      {true, true, true}, {true, true, true}, {true, false, true}};
  static constexpr clause clauses[] = {{"speed", "", 0, 2}, {"a\nb\xFF", "", 2, 1}};
};

struct Observed {
  std::unique_ptr<tally<Plan>> volume = std::make_unique<tally<Plan>>();
  std::unique_ptr<checker<Plan>> judged = std::make_unique<checker<Plan>>();

  Observed() {
    for (double seconds : {0.1, 0.25, 1.0, 1.5, 2.0, nan})
      request(0, seconds, 60);
    request(0, 3, nan);
    request(1, 64, 59);
    const float train[] = {-1, -1, -1, std::numeric_limits<float>::quiet_NaN()};
    const float infer[] = {-1, -2, -0.25F, -1};
    volume->observe_tokens(0, {train, infer, nullptr, 4});
    volume->observe_tokens<1>(0, {train, infer, nullptr, 4});
    volume->observe_tokens<1>(1, {train, infer, nullptr, 3});
    volume->end_sequence(0, {});
    for (double drift : {0.0, 1e-9, 1e-6, 1e-3, nan})
      volume->observe_batch_replay(0, drift);
    judged->start(0);
    judged->merge(*volume);
    judged->evaluate(1);
  }

  void request(std::size_t slice, double seconds, double rate) {
    request_times times;
    times.latency = seconds;
    times.throughput = rate;
    volume->observe_request(slice, times);
  }
};

template <class Write> std::string textOf(Write&& write) {
  Observed shown;
  std::string out;
  auto sink = [&](const char* piece, std::size_t size) { out.append(piece, size); };
  write(*shown.judged, *shown.volume, sink);
  return out;
}
std::string prometheus() {
  return textOf([](auto&... of) { write_prometheus(of...); });
}
std::string openmetrics() {
  return textOf([](auto&... of) { write_openmetrics(of...); });
}
std::string json() {
  return textOf([](auto&... of) { write_json(of...); });
}

std::vector<std::string> linesOf(const std::string& text) {
  std::vector<std::string> out(1);
  for (char each : text)
    if (each == '\n')
      out.emplace_back();
    else
      out.back() += each;
  EXPECT_EQ(out.back(), "");
  out.pop_back();
  return out;
}

/// Samples by name and by labels other than the contract.
std::map<std::string, std::string> samplesOf(const std::string& text) {
  const std::string contract = R"({contract="a\"} 1\n# EOF\n\\")";
  std::map<std::string, std::string> out;
  for (const std::string& line : linesOf(text)) {
    if (line[0] == '#')
      continue;
    const auto start = line.find(contract), end = line.rfind("} ");
    if (start == std::string::npos || end == std::string::npos) {
      ADD_FAILURE() << line;
      continue;
    }
    const std::string name = line.substr(0, start);
    EXPECT_EQ(name.rfind("_9_my_app_x_", 0), 0U) << line;
    const auto labels = start + contract.size();
    const bool isNew =
        out.emplace(name.substr(12) + line.substr(labels, end - labels), line.substr(end + 2))
            .second;
    EXPECT_TRUE(isNew) << line;
  }
  return out;
}

TEST(ExportTest, VerdictsAndFindingsAreGauges) {
  auto at = samplesOf(prometheus());
  EXPECT_EQ(at[R"(verdict,clause="speed",slice="plain")"], "2");
  EXPECT_EQ(at[R"(verdict,clause="speed",slice="quo\"te")"], "2");
  EXPECT_EQ(at[R"(verdict,clause="speed",slice="back\\slash\n")"], "2"); // the mixture is
  EXPECT_EQ(at["verdict,clause=\"a\\nb\xEF\xBF\xBD\",slice=\"back\\\\slash\\n\""], "0");
  EXPECT_EQ(at.count("verdict,clause=\"a\\nb\xEF\xBF\xBD\",slice=\"quo\\\"te\""), 0U);
  const std::string check = R"(,clause="speed",check="max(latency) <= \"2\" s\\\n",number="0")";
  EXPECT_EQ(at["check_value" + check + R"(,slice="quo\"te")"], "64.0");
  EXPECT_EQ(at["check_value" + check + R"(,slice="back\\slash\n")"], "NaN");
  EXPECT_EQ(at["check_observations" + check + R"(,slice="plain")"], "7");
  EXPECT_EQ(at["check_bound" + check + R"(,limit="0",comparator="<=")"], "2.0");
  const std::string mean =
      R"(,clause="speed",check="mean(latency) >= 1 s and < 1e300 s",number="1")";
  EXPECT_EQ(at["check_value" + mean], "+Inf");
  EXPECT_EQ(at["check_observations" + mean], "8");
  EXPECT_EQ(at["check_bound" + mean + R"(,limit="1",comparator="<")"], "1e+300");
}

TEST(ExportTest, VolumesAreCounters) {
  auto at = samplesOf(prometheus());
  EXPECT_EQ(at[R"(tokens_total,slice="plain")"], "4");
  EXPECT_EQ(at[R"(sequences_total,slice="plain")"], "1");
  EXPECT_EQ(at[R"(requests_total,slice="plain")"], "7");
  EXPECT_EQ(at[R"(requests_total,slice="quo\"te")"], "1");
  EXPECT_EQ(at[R"(requests_total,slice="back\\slash\n")"], "0");
}

TEST(ExportTest, BucketsEndAtTheBoundsAndNaNIsBeyondThem) {
  auto at = samplesOf(prometheus());
  const std::string latency = R"(latency_seconds_bucket,signal="0",stream="0",slice="plain",le=)";
  EXPECT_EQ(at[latency + R"("0.24999999999999997")"], "1"); // fewer than 0.25 s
  EXPECT_EQ(at[latency + R"("0.9999999999999999")"], "2");  // fewer than 1 s
  EXPECT_EQ(at[latency + R"("2.0")"], "5");
  EXPECT_EQ(at[latency + R"("+Inf")"], "7");
  EXPECT_EQ(at.count(latency + R"("1.5")"), 0U);
  const std::string other = R"(,signal="0",stream="0",slice="quo\"te")";
  EXPECT_EQ(at["latency_seconds_bucket" + other + R"(,le="2.0")"], "0");
  EXPECT_EQ(at["latency_seconds_sum" + other], "64.0");
  EXPECT_EQ(at["latency_seconds_count" + other], "1");

  const std::string gap = R"(absolute_logprob_gap_nats)";
  EXPECT_EQ(at[gap + R"(_bucket,signal="2",stream="0",slice="plain",le="0.1")"], "1");
  EXPECT_EQ(at[gap + R"(_bucket,signal="2",stream="0",slice="plain",le="+Inf")"], "4");
  EXPECT_EQ(at[gap + R"(_bucket,signal="5",stream="1",slice="quo\"te",le="0.1")"], "1");
  EXPECT_EQ(at[gap + R"(_sum,signal="5",stream="1",slice="quo\"te")"], "1.75");
  EXPECT_EQ(at[gap + R"(_sum,signal="5",stream="1",slice="plain")"], "+Inf");

  const std::string band = R"(logprob_gap_nats_bucket,signal="3",stream="1",slice="plain",le=)";
  EXPECT_EQ(at[band + R"("-0.5000000000000001")"], "1"); // a bad token is in both of the counts
  EXPECT_EQ(at[band + R"("0.5")"], "2");
  EXPECT_EQ(at[band + R"("+Inf")"], "4");
}

TEST(ExportTest, ANaNThatIsNotCountedApartLeavesOutTheEdgesThatItWouldBlur) {
  auto at = samplesOf(prometheus());
  const std::string drift = R"(batch_drift_nats_bucket,signal="4",stream="0",slice="plain",le=)";
  EXPECT_EQ(at[drift + R"("1e-06")"], "3");
  EXPECT_EQ(at[drift + R"("+Inf")"], "5");
  std::size_t buckets = 0;
  for (const auto& [key, value] : at)
    buckets += key.rfind(drift, 0) == 0;
  EXPECT_EQ(buckets, 2U);
  // All on one side: NaN is with the values that break the bound.
  const std::string rate =
      R"(throughput_tokens_per_second_bucket,signal="1",stream="0",slice="plain",le=)";
  EXPECT_EQ(at[rate + R"("59.99999999999999")"], "1");
  EXPECT_EQ(at[rate + R"("+Inf")"], "7");
}

TEST(ExportTest, AFamilyIsAnnouncedOnceAndStaysTogether) {
  for (const std::string& text : {prometheus(), openmetrics()}) {
    std::map<std::string, int> announced;
    std::string family;
    for (const std::string& line : linesOf(text)) {
      if (line.rfind("# TYPE ", 0) == 0) {
        family = line.substr(7, line.find(' ', 7) - 7);
        EXPECT_EQ(++announced[family], 1) << line;
      } else if (line[0] != '#') {
        EXPECT_EQ(line.rfind(family, 0), 0U) << line;
      }
    }
    EXPECT_EQ(announced.size(), 16U);
  }
}

TEST(ExportTest, OpenMetricsDiffersWhereItsRulesDo) {
  std::string text = openmetrics();
  EXPECT_NE(text.find("# TYPE _9_my_app_x_tokens counter\n"), std::string::npos);
  EXPECT_NE(text.find("# TYPE _9_my_app_x_contract info\n"), std::string::npos);
  EXPECT_NE(text.find("# UNIT _9_my_app_x_latency_seconds seconds\n"), std::string::npos);
  EXPECT_EQ(text.find("# EOF\n"), text.size() - 6);
  auto at = samplesOf(text);
  EXPECT_EQ(at.count(R"(latency_seconds_count,signal="0",stream="0",slice="quo\"te")"), 1U);
  EXPECT_EQ(at.count(R"(latency_seconds_count,signal="0",stream="0",slice="plain")"), 0U);
  EXPECT_EQ(text.find("x_logprob_gap_nats_sum"), std::string::npos);
  EXPECT_NE(prometheus().find("x_logprob_gap_nats_sum"), std::string::npos);
  EXPECT_EQ(prometheus().find("# EOF\n"), std::string::npos);
}

bool isUtf8(const std::string& text) {
  for (std::size_t i = 0; i < text.size();) {
    std::size_t size = detail::character_size(text.c_str() + i);
    if (size == 0)
      return false;
    i += size;
  }
  return true;
}

TEST(ExportTest, WhateverTextsAreTheOutputIsUtf8) {
  for (const std::string& text : {prometheus(), openmetrics(), json()}) {
    EXPECT_TRUE(isUtf8(text));
    EXPECT_NE(text.find("1.0\xEF\xBF\xBD("), std::string::npos);
    EXPECT_NE(text.find("\xF0\x9F\x98\x80 \xE2\x82\xAC \xC3\xA9"), std::string::npos);
  }
}

TEST(ExportTest, MetricsTellThatTheContractIsADraft) {
  for (const std::string& text : {prometheus(), openmetrics()})
    EXPECT_NE(text.find(",draft=\"true\",build="), std::string::npos);
}

TEST(ExportTest, CharactersAreThoseOfUnicode) {
  auto size = [](const char* text) { return detail::character_size(text); };
  EXPECT_EQ(size("a"), 1U);
  EXPECT_EQ(size("\xC2\x80"), 2U);
  EXPECT_EQ(size("\xE0\xA0\x80"), 3U);
  EXPECT_EQ(size("\xF4\x8F\xBF\xBF"), 4U);
  for (const char* bad : {"\x80", "\xC0\x80", "\xC1\xBF", "\xC2", "\xC2\x41", "\xE0\x9F\xBF",
                          "\xED\xA0\x80", "\xE2\x82", "\xF0\x8F\xBF\xBF", "\xF4\x90\x80\x80",
                          "\xF0\x9F\x98", "\xF5\x80\x80\x80", "\xFE", "\xFF"})
    EXPECT_EQ(size(bad), 0U);
}

TEST(ExportTest, JsonIsOneLineThatNamesWhatIsNotFinite) {
  std::string text = json();
  EXPECT_EQ(text.find('\n'), text.size() - 1);
  for (char each : text.substr(0, text.size() - 1))
    EXPECT_GE(static_cast<unsigned char>(each), 0x20U);
  auto has = [&](const char* part) { return text.find(part) != std::string::npos; };
  EXPECT_TRUE(has(R"({"contract":"a\"} 1\u000a# EOF\u000a\\","version":)"));
  EXPECT_TRUE(has(R"(,"draft":true,)"));
  EXPECT_TRUE(has("\"build\":\"\\u0001\\u001f\x7F\\u0009\\u000d\""));
  EXPECT_TRUE(has(R"({"slice":"plain","tokens":4,"sequences":1,"requests":7})"));
  EXPECT_TRUE(has(R"({"slice":"quo\"te","verdict":"violated","kept":false,"value":64.0,)"));
  EXPECT_TRUE(has(R"("verdict":"undecided","kept":false,"value":"NaN","low":"NaN","high":"NaN",)"));
  EXPECT_TRUE(
      has(R"("limits":[{"comparator":">=","bound":1.0},{"comparator":"<","bound":1e+300}])"));
  EXPECT_TRUE(has(R"("findings":[{"verdict":"violated","kept":false,"value":"Infinity",)"));
  EXPECT_TRUE(has(R"({"edge":0.1,"count":1}])"));
  EXPECT_TRUE(has(R"("absolute":true,"unit":"nats")"));
}

TEST(ExportTest, PiecesOfAnySizeMakeTheSameText) {
  std::string written;
  std::size_t most = 0;
  auto sink = [&](const char* piece, std::size_t size) {
    written.append(piece, size);
    most = std::max(most, size);
  };
  std::string all;
  {
    detail::text_sink out(sink);
    for (int i = 0; i < 2000; ++i) {
      std::string next(static_cast<std::size_t>(i % 7), static_cast<char>('a' + i % 26));
      out.put(next.data(), next.size());
      all += next;
    }
  }
  EXPECT_EQ(written, all);
  EXPECT_LE(most, 512U);
}

std::string numberText(double value) {
  std::string out;
  auto sink = [&](const char* piece, std::size_t size) { out.append(piece, size); };
  {
    detail::text_sink to(sink);
    detail::write_finite(to, value);
  }
  return out;
}

TEST(ExportTest, NumbersAreReadBackAsTheyWere) {
  EXPECT_EQ(numberText(0), "0.0");
  EXPECT_EQ(numberText(-0.0), "-0.0");
  EXPECT_EQ(numberText(0.1), "0.1");
  for (double each : {1.0 / 3, 5e-324, std::numeric_limits<double>::max(), -1e-7, 123456789012.5})
    EXPECT_EQ(std::strtod(numberText(each).c_str(), nullptr), each);
}

TEST(ExportTest, AnyLocalesPointIsAPoint) {
  auto mended = [](std::string text) {
    text.resize(detail::mend_point(text.data()));
    return text;
  };
  EXPECT_EQ(mended("-1,5e-07"), "-1.5e-07");
  EXPECT_EQ(mended("1\xD9\xAB"
                   "5"),
            "1.5");
  EXPECT_EQ(mended("1.25"), "1.25");
  EXPECT_EQ(mended("3e+300"), "3e+300");
}

} // namespace
} // namespace tikc
