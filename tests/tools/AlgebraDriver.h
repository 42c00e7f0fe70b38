#pragma once

#include "tikc/checker.h"
#include "tikc/wire.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <random>
#include <vector>

/// Judges the same observations once as one worker sees them, and again and again as so many
/// workers do, in any order, whose tallies travel as bytes and are merged in any order.
namespace tikc_test {

template <class Plan> class Algebra {
public:
  static constexpr int windows = 5, observations = 400;

  Algebra() {
    std::mt19937_64 random(1);
    std::normal_distribution<float> normal;
    for (int window = 0; window < windows; ++window)
      for (int i = 0; i < observations; ++i) {
        const auto slice = static_cast<std::size_t>(random() % (Plan::slices - 1)); // one is idle
        const std::size_t size = i % 8 == 0 ? Plan::vocabulary : 1 + random() % 90;
        observation next{i % 8, slice, static_cast<std::uint64_t>(random()), {}, {}};
        const float scale = i % 40 == 0 ? 1.0F : 0.01F;
        for (std::size_t j = 0; j < size; ++j) {
          next.infer.push_back(-std::abs(normal(random)));
          next.train.push_back(next.infer.back() + scale * normal(random));
        }
        if (i % 97 == 0)
          next.train[0] = std::numeric_limits<float>::quiet_NaN();
        all_[window].push_back(std::move(next));
      }
  }

  /// How many findings are not what one worker's are.
  int differences(unsigned seeds) {
    const auto once = std::make_unique<tikc::checker<Plan>>();
    std::vector<std::unique_ptr<tikc::checker<Plan>>> others;
    for (unsigned i = 0; i < seeds; ++i)
      others.push_back(std::make_unique<tikc::checker<Plan>>());
    int out = 0;
    for (int window = 0; window < windows; ++window) {
      const auto whole = std::make_unique<tally>();
      for (const observation& each : all_[window])
        observe(*whole, each);
      once->merge(*whole);
      once->evaluate(window);
      for (unsigned seed = 0; seed < seeds; ++seed) {
        deal(*others[seed], all_[window], seed * windows + static_cast<unsigned>(window));
        others[seed]->evaluate(window);
        out += compare(*once, *others[seed]);
      }
    }
    return out;
  }

private:
  struct observation {
    int kind;
    std::size_t slice;
    std::uint64_t id;
    std::vector<float> train, infer;
  };
  using tally = tikc::tally<Plan>;

  void observe(tally& into, const observation& of) {
    const tikc::token_batch batch{of.train.data(), of.infer.data(), nullptr, of.train.size(),
                                  of.id};
    const double number = static_cast<double>(of.id % 1000) / 1000;
    tikc::sequence response;
    tikc::request_times times;
    switch (of.kind) {
    case 0:
      return into.observe_row(of.slice, {of.train.data(), tikc::number_format::fp32},
                              {of.infer.data(), tikc::number_format::fp32}, scratch_.data(), of.id);
    case 1:
    case 2:
      return into.observe_tokens(of.slice, batch);
    case 3:
    case 4:
      into.observe_tokens(of.slice, batch, response);
      return into.end_sequence(of.slice, response, of.id);
    case 5:
      times = {number, number / 2, number / 3, 100 * number, of.id % 9 == 0};
      return into.observe_request(of.slice, times, of.id);
    case 6:
      into.observe_batch_replay(of.slice, number, of.id);
      return into.observe_request_replay(of.slice, number * number, of.id);
    default:
      return into.observe_routes(of.slice, number, of.id);
    }
  }

  void deal(tikc::checker<Plan>& to, std::vector<observation>& window, unsigned seed) {
    std::mt19937_64 random(seed);
    std::vector<const observation*> order;
    for (const observation& each : window)
      order.push_back(&each);
    std::shuffle(order.begin(), order.end(), random);
    std::vector<std::unique_ptr<tally>> workers(2 + random() % 8);
    for (auto& each : workers)
      each = std::make_unique<tally>();
    for (const observation* each : order)
      observe(*workers[random() % workers.size()], *each);
    // Two of them become one, till one is left.
    while (workers.size() > 1) {
      std::shuffle(workers.begin(), workers.end(), random);
      workers[0]->merge(*sent(*workers.back()));
      workers.pop_back();
    }
    to.merge(*sent(*workers[0]));
  }

  static std::unique_ptr<tally> sent(const tally& from) {
    std::vector<char> bytes(tikc::wire_size(from));
    auto out = std::make_unique<tally>();
    if (tikc::serialise(from, bytes.data(), bytes.size()) != bytes.size() ||
        tikc::parse(bytes.data(), bytes.size(), *out) != tikc::wire_error::none)
      std::exit(3);
    return out;
  }

  /// What counts and compares does not round; sums round in an order.
  static double tolerance(const tikc::check& of) {
    switch (of.how) {
    case tikc::estimator::mean:
    case tikc::estimator::total:
    case tikc::estimator::slope:
    case tikc::estimator::ess:
    case tikc::estimator::perplexity_ratio:
      return 1e-12;
    case tikc::estimator::pearson:
      return 1e-9; // about a centre that the first batch sets
    default:
      return 0;
    }
  }

  static bool same(double a, double b, double tolerance) {
    return std::memcmp(&a, &b, sizeof a) == 0 || (a != a && b != b) ||
           std::abs(a - b) <= tolerance * std::max(std::abs(a), std::abs(b));
  }

  int compare(const tikc::checker<Plan>& a, const tikc::checker<Plan>& b) {
    int out = 0;
    for (std::size_t i = 0; i < tikc::checker<Plan>::checks; ++i)
      for (std::size_t slice = 0; slice < Plan::slices; ++slice) {
        const tikc::finding &x = a.result(i, slice), &y = b.result(i, slice);
        const double off = tolerance(Plan::checks[i]);
        if (x.is == y.is && x.is_kept == y.is_kept && x.observations == y.observations &&
            same(x.value, y.value, off) && same(x.low, y.low, off) && same(x.high, y.high, off))
          continue;
        ++out;
        std::printf("%s: %s %a of %llu, then %s %a of %llu\n", Plan::checks[i].text,
                    tikc::name(x.is), x.value, static_cast<unsigned long long>(x.observations),
                    tikc::name(y.is), y.value, static_cast<unsigned long long>(y.observations));
      }
    return out;
  }

  std::vector<observation> all_[windows];
  std::vector<float> scratch_ = std::vector<float>(tikc::row_scratch_floats(Plan::vocabulary));
};

} // namespace tikc_test
