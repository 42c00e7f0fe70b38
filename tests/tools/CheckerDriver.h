#pragma once

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <utility>
#include <vector>

/// Included after a contract's header. Feeds a generated checker with the observations on its
/// standard input and prints what it finds after each evaluation: check, place, verdict, "-kept"
/// behind it where it is, value, low, high and n, numbers in hexadecimal; then of each assumption
/// what was seen of it. The one argument is among
/// how many tallies the observations are dealt out, of which the rest are merged into the first
/// before the checker sees them; or it is "sizes", and they are all that is printed.
namespace tikc_test {

class Input {
public:
  template <typename T> T take() {
    T out;
    if (std::fread(&out, sizeof out, 1, stdin) != 1)
      std::exit(3);
    return out;
  }
  template <typename T> std::vector<T> take(std::size_t count) {
    std::vector<T> out(count);
    if (count != 0 && std::fread(out.data(), sizeof(T), count, stdin) != count)
      std::exit(3);
    return out;
  }
  /// The next observation's kind; 0 at the end.
  char kind() {
    int next = std::fgetc(stdin);
    return next == EOF ? '\0' : static_cast<char>(next);
  }
};

template <class Plan> class Driver : public tikc::detail::of_plan<Plan, Driver<Plan>> {
public:
  explicit Driver(std::size_t tallies, const Plan& of = Plan())
      : tikc::detail::of_plan<Plan, Driver<Plan>>(of), tallies_(tallies),
        checker_(std::make_unique<tikc::checker<Plan>>(of)),
        row_scratch_(tikc::row_scratch_floats(of.vocabulary)),
        token_scratch_(std::make_unique<tikc::token_scratch>()) {
    for (auto& each : tallies_)
      each = std::make_unique<tally>(of);
  }

  virtual ~Driver() = default;

  void run() {
    checker_->start(0);
    for (char kind = input_.kind(); kind != '\0'; kind = input_.kind()) {
      observed_ = (observed_ + 1) % tallies_.size();
      if (kind == 'R')
        onStream([&](auto stream) { row(stream); });
      else if (kind == 'T')
        onStream([&](auto stream) { tokens(stream); });
      else if (kind == 'S')
        onStream([&](auto stream) { sequence(stream); });
      else if (kind == 'M')
        onStream([&](auto stream) { mixedTokens(stream); });
      else if (kind == 'O')
        onStream([&](auto stream) { routes(stream); });
      else if (kind == 'Q')
        request();
      else if (kind == 'P')
        replay();
      else if (kind == 'V')
        serve();
      else if (kind == 'A')
        handIn();
      else if (kind == 'N')
        endStep();
      else if (kind == 'E')
        evaluate();
      else
        other(kind);
    }
  }

protected:
  Input& input() { return input_; }
  virtual void other(char) { std::exit(4); }
  virtual void evaluated(const tikc::checker<Plan>&) {}
  virtual void handing(const tikc::tally<Plan>&) {}

private:
  using tally = tikc::tally<Plan>;
  static constexpr bool is_constant = tikc::detail::is_constant<Plan>;

  tally& next() { return *tallies_[observed_]; }
  using tikc::detail::of_plan<Plan, Driver<Plan>>::plan;

  template <class Visit> void onStream(Visit&& visit) {
    std::size_t which = input_.take<std::uint8_t>();
    if constexpr (is_constant)
      visitStream(which, visit, std::make_index_sequence<std::size(Plan::streams)>());
    else
      visit(which);
  }
  template <class Visit, std::size_t... I>
  static void visitStream(std::size_t which, Visit& visit, std::index_sequence<I...>) {
    ((which == I ? visit(std::integral_constant<std::size_t, I>()) : void()), ...);
  }

  template <class Stream> void row(Stream stream) {
    auto slice = input_.take<std::uint8_t>();
    auto train_format = static_cast<tikc::number_format>(input_.take<std::uint8_t>());
    auto infer_format = static_cast<tikc::number_format>(input_.take<std::uint8_t>());
    auto id = input_.take<std::uint64_t>();
    auto train = input_.take<unsigned char>(plan().vocabulary * tikc::bytes_of(train_format));
    auto infer = input_.take<unsigned char>(plan().vocabulary * tikc::bytes_of(infer_format));
    tikc::row_view p{train.data(), train_format}, q{infer.data(), infer_format};
    if constexpr (is_constant)
      next().template observe_row<Stream::value>(slice, p, q, row_scratch_.data(), id);
    else
      next().observe_row(stream, slice, p, q, row_scratch_.data(), id);
  }

  /// Log-probs and a mask of as many tokens as the input says.
  struct Tokens {
    std::vector<float> train, infer;
    std::vector<std::uint8_t> mask;
    std::uint64_t first;

    tikc::token_batch batch() const {
      return {train.data(), infer.data(), mask.empty() ? nullptr : mask.data(), train.size(),
              first};
    }
  };
  Tokens takeTokens() {
    Tokens out;
    auto count = input_.take<std::uint32_t>();
    bool masked = input_.take<std::uint8_t>() != 0;
    out.first = input_.take<std::uint64_t>();
    out.train = input_.take<float>(count);
    out.infer = input_.take<float>(count);
    out.mask = input_.take<std::uint8_t>(masked ? count : 0);
    return out;
  }

  template <class Stream> void tokens(Stream stream) {
    auto slice = input_.take<std::uint8_t>();
    Tokens all = takeTokens();
    if constexpr (is_constant)
      next().template observe_tokens<Stream::value>(slice, all.batch());
    else
      next().observe_tokens(stream, slice, all.batch());
  }

  /// A response, in as many batches as the input says.
  template <class Stream> void sequence(Stream stream) {
    auto slice = input_.take<std::uint8_t>();
    auto id = input_.take<std::uint64_t>();
    auto batches = input_.take<std::uint8_t>();
    tikc::sequence response;
    for (int i = 0; i < batches; ++i) {
      Tokens part = takeTokens();
      if constexpr (is_constant)
        next().template observe_tokens<Stream::value>(slice, part.batch(), response);
      else
        next().observe_tokens(stream, slice, part.batch(), response);
    }
    if constexpr (is_constant)
      next().template end_sequence<Stream::value>(slice, response, id);
    else
      next().end_sequence(stream, slice, response, id);
  }

  template <class Stream> void mixedTokens(Stream stream) {
    Tokens all = takeTokens();
    auto slices = input_.take<std::uint8_t>(all.train.size());
    std::uint64_t strays = 0;
    if constexpr (is_constant)
      strays = next().template observe_tokens<Stream::value>(slices.data(), all.batch(),
                                                             *token_scratch_);
    else
      strays = next().observe_tokens(stream, slices.data(), all.batch(), *token_scratch_);
    std::printf("strays %llu\n", static_cast<unsigned long long>(strays));
  }

  template <class Stream> void routes(Stream stream) {
    auto slice = input_.take<std::uint8_t>();
    auto share = input_.take<double>();
    auto id = input_.take<std::uint64_t>();
    if constexpr (is_constant)
      next().template observe_routes<Stream::value>(slice, share, id);
    else
      next().observe_routes(stream, slice, share, id);
  }

  void request() {
    auto slice = input_.take<std::uint8_t>();
    tikc::request_times times;
    times.latency = input_.take<double>();
    times.first_token_latency = input_.take<double>();
    times.inter_token_latency = input_.take<double>();
    times.throughput = input_.take<double>();
    times.failed = input_.take<std::uint8_t>() != 0;
    next().observe_request(slice, times, input_.take<std::uint64_t>());
  }

  void replay() {
    bool in_batch = input_.take<std::uint8_t>() != 0;
    auto slice = input_.take<std::uint8_t>();
    auto drift = input_.take<double>();
    auto id = input_.take<std::uint64_t>();
    if (in_batch)
      next().observe_batch_replay(slice, drift, id);
    else
      next().observe_request_replay(slice, drift, id);
  }

  void serve() {
    auto slice = input_.take<std::uint8_t>();
    auto tokens = input_.take<std::uint64_t>();
    next().serve(slice, tokens, input_.take<std::uint64_t>());
  }

  void handIn() {
    auto of = static_cast<tikc::quantity>(input_.take<std::uint8_t>());
    auto value = input_.take<double>();
    next().hand_in(of, value, input_.take<std::uint64_t>());
  }

  void handOver() {
    for (std::size_t i = 1; i < tallies_.size(); ++i)
      tallies_[0]->merge(*tallies_[i]);
    handing(*tallies_[0]);
    checker_->merge(*tallies_[0]);
    for (auto& each : tallies_)
      each->clear();
  }

  void endStep() {
    handOver();
    checker_->end_step();
  }

  void evaluate() {
    auto now = input_.take<double>();
    handOver();
    checker_->evaluate(now);
    std::printf("evaluated %a\n", now);
    for (std::size_t i = 0; i < std::size(plan().checks); ++i)
      for (std::size_t slice = 0; slice < plan().slices; ++slice)
        if (plan().binds[i][slice])
          print(i, slice);
    if constexpr (tikc::detail::has_assumptions<Plan>::value)
      for (std::size_t i = 0; i < std::size(plan().assumptions); ++i)
        print(i, checker_->assumed(i));
    evaluated(*checker_);
  }

  static void print(std::size_t assumption, const tikc::watch_result& found) {
    std::printf("assumed %zu %s %llu %llu %a %a %a", assumption, tikc::name(found.is),
                static_cast<unsigned long long>(found.count),
                static_cast<unsigned long long>(found.unknown), found.least, found.greatest,
                found.outside);
    for (std::size_t i = 0; i < found.worst.count; ++i)
      std::printf(" %a %llu", found.worst.each[i].value,
                  static_cast<unsigned long long>(found.worst.each[i].id));
    std::printf("\n");
  }

  void print(std::size_t check, std::size_t slice) {
    const tikc::finding& found = checker_->result(check, slice);
    std::printf("%zu %zu %s%s %a %a %a %llu\n", check, slice, tikc::name(found.is),
                found.is_kept ? "-kept" : "", found.value, found.low, found.high,
                static_cast<unsigned long long>(found.observations));
  }

  Input input_;
  std::vector<std::unique_ptr<tally>> tallies_;
  std::size_t observed_ = 0;
  std::unique_ptr<tikc::checker<Plan>> checker_;
  std::vector<float> row_scratch_;
  std::unique_ptr<tikc::token_scratch> token_scratch_;
};

/// What the compiler reckons sizes with, here of the generated code.
template <class Plan> constexpr tikc::plan_shape shape() {
  using cell = tikc::cell<Plan>;
  using tokens = typename Plan::token_plan;
  tikc::plan_shape out;
  out.slices = Plan::slices;
  out.streams = cell::shape.streams;
  out.signals = Plan::signals;
  out.assumptions = tikc::detail::watch_count<Plan>();
  out.totals = cell::shape.totals;
  out.largest = cell::shape.largest;
  out.smallest = cell::shape.smallest;
  out.counts = cell::shape.counts;
  out.sketches = cell::shape.sketches;
  out.above = tokens::above.size();
  out.below = tokens::below.size();
  out.beyond = tokens::beyond.size();
  out.has_sketch = (tokens::wants & tikc::token_want::sketch) != 0;
  out.windows = sizeof(Plan::windows) / sizeof(tikc::window);
  out.checks = sizeof(Plan::checks) / sizeof(tikc::check);
  out.clauses = sizeof(Plan::clauses) / sizeof(tikc::clause);
  for (const tikc::check& each : Plan::checks)
    if (each.how == tikc::estimator::slope) {
      ++out.slopes;
      out.history = each.history > out.history ? each.history : out.history;
    }
  return out;
}

template <class Plan> int drive(int count, char** arguments) {
  using tikc::detail::checker_layout, tikc::detail::tally_layout;
  static_assert(sizeof(tikc::tally<Plan>) == tally_layout(shape<Plan>()).size());
  static_assert(sizeof(tikc::checker<Plan>) == checker_layout(shape<Plan>()).size());
  if (count > 1 && std::strcmp(arguments[1], "sizes") == 0) {
    std::printf("%zu %zu\n", sizeof(tikc::tally<Plan>), sizeof(tikc::checker<Plan>));
    return 0;
  }
  Driver<Plan>(count > 1 ? static_cast<std::size_t>(std::atoi(arguments[1])) : 1).run();
  return 0;
}

} // namespace tikc_test
