#pragma once

// A header that stands alone has all of it.
#if __has_include("tikc/checker.h")
#include "tikc/checker.h"
#include "tikc/json.h"
#include "tikc/openmetrics.h"
#include "tikc/router.h"
#include "tikc/trainer_metrics.h"
#include "tikc/wire.h"
#endif

#include <new>

/// All that an engine does with a generated checker, over memory that is lent to it: what this
/// compiles to calls is what a checker calls, and nothing of it may allocate, lock or throw.
namespace tikc_test {

constexpr std::size_t number_formats = 5;

struct Lent {
  /// Of each format, at any alignment, of just the vocabulary's size.
  const void* train_rows[number_formats];
  const void* infer_rows[number_formats];
  float* row_scratch;
  tikc::token_scratch* token_scratch;
  const float* train;
  const float* infer;
  const std::uint8_t* mask;
  const std::uint8_t* slices; // some name none that there is
  std::size_t tokens;
  char* text;
  std::size_t text_size;
};

/// What the lender has to know.
struct Sizes {
  std::size_t state, alignment, vocabulary, row_scratch;
};

template <class Plan, class Policy> class EngineLoop {
public:
  static constexpr std::size_t workers = 3;

  /// The line of the first thing that went wrong, else 0; `written` is what was exported last.
  int run(const Lent& lent, std::size_t& written) {
    on_each_machine(lent);
    judged_.start(0);
    for (int window = 1; window <= 4; ++window) {
      for (std::size_t i = 0; i < workers; ++i)
        observe(lent, workers_[i], static_cast<std::uint64_t>(window) * 1000 + i);
      if (int line = send(lent); line != 0)
        return line;
      judged_.merge(merged_);
      judged_.end_step();
      judged_.evaluate(60.0 * window);
      typename tikc::router<Policy>::verdicts now;
      judged_.verdicts(now);
      routed_.tick(now, 1);
      if (int line = resume(lent); line != 0)
        return line;
      if (int line = show(lent, written); line != 0)
        return line;
    }
    if constexpr (tikc::router<Policy>::rules > 0)
      routed_.reset(0, 0);
    return 0;
  }

private:
  using tally = tikc::tally<Plan>;
  static constexpr std::size_t streams = sizeof(Plan::streams) / sizeof(Plan::streams[0]);

  static void observe(const Lent& lent, tally& into, std::uint64_t id) {
    on_streams(lent, into, id, std::make_index_sequence<streams>());
    for (std::size_t slice = 0; slice < Plan::slices; ++slice) {
      tikc::request_times times;
      times.latency = 0.25 * static_cast<double>(1 + id % 3);
      times.first_token_latency = times.inter_token_latency = times.throughput = 0.125;
      times.failed = id % 2 == 0;
      into.serve(slice, lent.tokens);
      into.observe_request(slice, times, id);
      into.observe_batch_replay(slice, 0.01, id);
      into.observe_request_replay(slice, std::numeric_limits<double>::quiet_NaN(), id);
    }
  }

  template <std::size_t... I>
  static void on_streams(const Lent& lent, tally& into, std::uint64_t id,
                         std::index_sequence<I...>) {
    (on_stream<I>(lent, into, id), ...);
  }

  template <std::size_t Stream>
  static void on_stream(const Lent& lent, tally& into, std::uint64_t id) {
    for (std::size_t i = 0; i < number_formats; ++i)
      for (std::size_t j = 0; j < number_formats; ++j)
        into.template observe_row<Stream>(
            (i + j) % Plan::slices, {lent.train_rows[i], static_cast<tikc::number_format>(i)},
            {lent.infer_rows[j], static_cast<tikc::number_format>(j)}, lent.row_scratch, id);
    const std::size_t slice = id % Plan::slices;
    const tikc::token_batch whole{lent.train, lent.infer, lent.mask, lent.tokens, id};
    const tikc::token_batch few{lent.train, lent.infer, nullptr, 3, id};
    into.template observe_tokens<Stream>(slice, whole);
    strays_ += into.template observe_tokens<Stream>(lent.slices, whole, *lent.token_scratch);
    tikc::sequence response;
    for (const tikc::token_batch& batch : {few, whole})
      into.template observe_tokens<Stream>(slice, batch, response);
    into.template end_sequence<Stream>(slice, response, id);
    into.template observe_routes<Stream>(slice, 0.25, id);
  }

  /// On the instruction sets that a better one stands before.
  void on_each_machine(const Lent& lent) {
    using tikc::detail::rows::instruction_set;
    constexpr tikc::stream of = Plan::streams[0];
    for (auto set : {instruction_set::portable, instruction_set::avx2, instruction_set::avx512})
      if (tikc::detail::rows::is_available(set))
        for (std::size_t i = 0; i < number_formats; ++i)
          tikc::detail::rows::row_pass_on<of.row_wants>(
              set, {lent.train_rows[i], static_cast<tikc::number_format>(i)},
              {lent.infer_rows[i], static_cast<tikc::number_format>(i)}, Plan::vocabulary,
              of.train_temperature, of.infer_temperature, -1, lent.row_scratch, of.masks);
    using tikc::detail::token_isa;
    for (auto isa : {token_isa::portable, token_isa::avx2, token_isa::avx512})
      if (isa <= tikc::detail::best_token_isa())
        tikc::detail::observe_with<typename Plan::token_plan>(
            isa, of_machines_, {lent.train, lent.infer, lent.mask, lent.tokens, 0}, nullptr);
  }

  /// From the workers to the edge, as bytes; what was cut or spoilt on the way is refused.
  int send(const Lent& lent) {
    merged_.clear();
    for (tally& each : workers_) {
      const std::size_t size = tikc::serialise(each, wire_, sizeof wire_);
      if (size == 0 || size != tikc::wire_size(each))
        return __LINE__;
      if (tikc::parse(wire_, size - 1, received_) == tikc::wire_error::none)
        return __LINE__;
      wire_[size / 2] ^= 4;
      if (tikc::parse(wire_, size, received_) == tikc::wire_error::none)
        return __LINE__;
      wire_[size / 2] ^= 4;
      if (tikc::parse(wire_, size, received_) != tikc::wire_error::none)
        return __LINE__;
      if (size <= lent.text_size && (tikc::serialise(received_, lent.text, size) != size ||
                                     std::memcmp(lent.text, wire_, size) != 0))
        return __LINE__;
      merged_.merge(received_);
      each.clear();
    }
    return 0;
  }

  int resume(const Lent& lent) {
    const std::size_t size = tikc::serialise(routed_, lent.text, lent.text_size);
    if (size == 0 || tikc::parse(lent.text, size, resumed_) != tikc::wire_error::none)
      return __LINE__;
    for (std::size_t slice = 0; slice < Plan::slices; ++slice)
      if (routed_.decide(slice).traffic != resumed_.decide(slice).traffic)
        return __LINE__;
    return 0;
  }

  int show(const Lent& lent, std::size_t& written) {
    std::size_t size = 0;
    auto sink = [&](const char* piece, std::size_t length) {
      if (size + length <= lent.text_size)
        std::memcpy(lent.text + size, piece, length);
      size += length;
    };
    tikc::write_prometheus(judged_, merged_, sink);
    tikc::write_json(judged_, merged_, sink);
    tikc::write_openmetrics(judged_, merged_, sink);
    for (auto whose : {tikc::trainer::verl, tikc::trainer::trl, tikc::trainer::nemo_rl})
      tikc::visit_trainer_metrics(whose, merged_,
                                  [&](const char*, double value) { figures_ += value; });
    written = size;
    return size <= lent.text_size ? 0 : __LINE__;
  }

  inline static std::uint64_t strays_ = 0;
  tally workers_[workers];
  tally merged_, received_;
  tikc::token_stats<typename Plan::token_plan> of_machines_;
  tikc::checker<Plan> judged_;
  tikc::router<Policy> routed_, resumed_;
  double figures_ = 0;
  unsigned char wire_[tikc::most_wire_bytes<tally>];
};

} // namespace tikc_test

/// What the program that lends knows of a loop: it is linked with one.
tikc_test::Sizes loop_sizes();
void* loop_construct(void* at);
int loop_run(void* loop, const tikc_test::Lent& lent, std::size_t& written);

// NOLINTNEXTLINE(cppcoreguidelines-macro-usage)
#define TIKC_ENGINE_LOOP(space)                                                                    \
  using Loop = tikc_test::EngineLoop<space::plan, space::policy>;                                  \
  tikc_test::Sizes loop_sizes() {                                                                  \
    return {sizeof(Loop), alignof(Loop), space::plan::vocabulary,                                  \
            tikc::row_scratch_floats(space::plan::vocabulary)};                                    \
  }                                                                                                \
  void* loop_construct(void* at) { return new (at) Loop; }                                         \
  int loop_run(void* loop, const tikc_test::Lent& lent, std::size_t& written) {                    \
    return static_cast<Loop*>(loop)->run(lent, written);                                           \
  }
