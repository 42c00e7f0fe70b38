#include "emit/Emit.h"

#include "emit/cpp/TokenPlan.h"
#include "support/Utf8.h"
#include "tikc/checker.h"
#include "tikc/router.h"

#include <fmt/format.h>

#include <algorithm>

namespace tikc::emit {

using cpp::planTokens;
using cpp::TokenPlan;

namespace {

/// What a struct takes, member by member.
class Layout {
public:
  template <typename T> Layout& add(std::size_t count = 1) {
    // The standard library's array of nothing is an empty class.
    return count == 0 ? add(1, 1) : add(count * sizeof(T), alignof(T));
  }
  Layout& add(const Layout& each, std::size_t count) {
    return count == 0 ? add(1, 1) : add(count * each.size(), each.alignment_);
  }
  std::size_t size() const { return rounded(size_, alignment_); }

private:
  Layout& add(std::size_t size, std::size_t alignment) {
    size_ = rounded(size_, alignment) + size;
    alignment_ = std::max(alignment_, alignment);
    return *this;
  }
  static std::size_t rounded(std::size_t size, std::size_t alignment) {
    return (size + alignment - 1) / alignment * alignment;
  }

  std::size_t size_ = 0, alignment_ = 1;
};

class Stats {
public:
  explicit Stats(const plan::Plan& plan) : plan_(plan), tokens_(planTokens(plan)) {}

  std::string text() const {
    std::string out = utf8::printable(plan_.contract + " " + plan_.version) + "\n";
    auto line = [&](std::string_view name, std::size_t bytes, std::string_view meaning) {
      out += fmt::format("  {:<12} {:>11} bytes  {}\n", name, bytes, meaning);
    };
    line("tally", tally().size(), "what one worker observes into");
    line("checker", checker().size(), "what judges it");
    if (!plan_.rules.empty())
      line("router", router().size(), "the escalation policy");
    line("sequence", sizeof(sequence), "a response in flight, the caller's");
    if (plan_.reads(plan::Source::Rows))
      line("row scratch", row_scratch_floats(plan_.vocabulary) * sizeof(float),
           "lent to each call that observes a row");
    if (plan_.slicesByToken)
      line("token scratch", sizeof(token_scratch),
           "lent to each call that observes tokens of many slices");
    return out;
  }

private:
  std::size_t kept(std::initializer_list<plan::Fold> folds) const {
    std::size_t out = 0;
    for (std::size_t i = 0; i < plan_.registers.size(); ++i)
      out += !tokens_.keepings[i].byTokens &&
             std::find(folds.begin(), folds.end(), plan_.registers[i].fold) != folds.end();
    return out;
  }

  /// tikc::cell.
  Layout cell() const {
    constexpr std::size_t volumes = 5;
    return Layout()
        .add<passed>(plan_.streams.size())
        .add<std::uint64_t>(volumes)
        .add<std::uint64_t>(plan_.signals.size())
        .add<std::uint64_t>(plan_.signals.size())
        .add<sum>(kept({plan::Fold::Total, plan::Fold::Squares}))
        .add<worst_few<true>>(kept({plan::Fold::Largest}))
        .add<worst_few<false>>(kept({plan::Fold::Smallest}))
        .add<std::uint64_t>(kept({plan::Fold::Share, plan::Fold::Nonzero}))
        .add<signed_sketch>(kept({plan::Fold::Sketch}));
  }

  /// tikc::token_stats.
  Layout tokens() const {
    bool hasSketch =
        std::find(tokens_.wants.begin(), tokens_.wants.end(), "sketch") != tokens_.wants.end();
    Layout out;
    out.add<std::uint64_t>(2).add<sum>(token_sum_count).add<float>(2).add<std::uint64_t>(2);
    for (const auto* thresholds : {&tokens_.above, &tokens_.below, &tokens_.beyond})
      out.add<std::uint64_t>(thresholds->size());
    out.add<float>();
    return hasSketch ? out.add<detail::token_sketch>() : out.add<detail::no_sketch>();
  }

  Layout tally() const {
    Layout bySlice;
    bySlice.add(tokens(), plan_.slices.size());
    return Layout().add(cell(), plan_.slices.size()).add(bySlice, plan_.streams.size());
  }

  Layout checker() const {
    struct Span {
      double since;
      std::uint64_t ticks;
      bool isNews;
    };
    struct OpenWindow {
      std::uint64_t seen;
      bool isTold;
    };
    std::size_t places = plan_.slices.size() + 1, slopes = 0, longest = 1;
    for (const plan::Check& check : plan_.checks)
      if (check.estimator == plan::Estimator::Slope) {
        ++slopes;
        longest = std::max<std::size_t>(longest, check.history);
      }
    Layout kept = Layout().add(cell(), 1).add(tokens(), plan_.streams.size());
    Layout history = Layout().add<double>(longest).add<std::uint64_t>();
    return Layout()
        .add(Layout().add(kept, places), plan_.windows.size())
        .add<Span>(places * plan_.windows.size())
        .add<finding>(places * plan_.checks.size())
        .add<OpenWindow>(places * plan_.checks.size())
        .add(Layout().add(history, places), slopes)
        .add<bool>((plan_.checks.size() + plan_.clauses.size() + 2) * plan_.slices.size() + 1);
  }

  static std::size_t nodes(const plan::Trigger& of) {
    std::size_t out = 1;
    for (const plan::Trigger& part : of.parts)
      out += nodes(part);
    return out;
  }

  Layout router() const {
    struct Machine {
      bool active;
      std::uint16_t step;
      std::uint32_t windows;
    };
    std::size_t triggers = 0, machines = plan_.rules.size() * plan_.slices.size();
    for (const plan::Rule& rule : plan_.rules)
      triggers += nodes(rule.when) + (rule.until ? nodes(*rule.until) : 0);
    return Layout()
        .add<Machine>(machines)
        .add<std::uint32_t>((triggers + plan_.clauses.size()) * plan_.slices.size())
        .add<transition>(machines)
        .add<std::size_t>()
        .add<std::uint64_t>();
  }

  const plan::Plan& plan_;
  TokenPlan tokens_;
};

} // namespace

std::string stats(const plan::Plan& plan) { return Stats(plan).text(); }

} // namespace tikc::emit
