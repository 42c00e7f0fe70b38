#include "emit/cpp/Tables.h"

#include "emit/Emit.h"
#include "emit/cpp/Fingerprint.h"
#include "emit/cpp/Names.h"
#include "emit/cpp/TokenPlan.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

namespace tikc::emit::cpp {
namespace {

using model::Comparator;
using plan::Plan;

std::string_view comparatorName(Comparator comparator) {
  static constexpr std::string_view names[] = {"at_most", "below", "at_least",
                                               "above",   "equal", "not_equal"};
  return names[static_cast<std::size_t>(comparator)];
}

std::string_view windowName(plan::Window::Unit unit) {
  static constexpr std::string_view names[] = {"stage",     "ticks",    "seconds", "tokens",
                                               "sequences", "requests", "steps"};
  return names[static_cast<std::size_t>(unit)];
}

std::string_view estimatorName(const plan::Check& check, const std::vector<plan::Signal>& signals) {
  if (check.estimator != plan::Estimator::WindowFigure)
    return plan::name(check.estimator);
  return plan::info(signals[check.signal].figure).estimator;
}

class TableWriter {
public:
  TableWriter(CodeWriter& out, const Plan& plan)
      : out_(out), plan_(plan), tokens_(planTokens(plan)) {}

  void write() {
    out_.gap();
    out_.block("struct plan {", "};", [&] {
      identity();
      layout();
      windows();
      checks();
      binds();
      clauses();
      stages();
    });
  }

  /// What decides which numbers a tally keeps, and in which order.
  void layout() {
    streams();
    signals();
    keepers();
    tokens();
  }

private:
  template <typename Row, typename Text>
  void table(std::string_view type, std::string_view name, const std::vector<Row>& rows,
             const Text& text) {
    // An array of nothing is no C++; one row of zeros is read by nobody.
    if (rows.empty())
      return out_.line("static constexpr tikc::{} {}[1] = {{}};", type, name);
    out_.block(fmt::format("static constexpr tikc::{} {}[] = {{", type, name), "};", [&] {
      for (const Row& row : rows)
        out_.line("{{{}}},", text(row));
    });
  }

  void identity() {
    out_.line("static constexpr const char* contract = {};", literal(plan_.contract));
    out_.line("static constexpr const char* version = {};", literal(plan_.version));
    if (plan_.isDraft)
      out_.line("/// What it claims need not be proved: nothing promotes what it is about.");
    out_.line("static constexpr bool is_draft = {};", plan_.isDraft);
    out_.line("static constexpr const char* build = {};", literal(plan_.build));
    out_.line("static constexpr const char* digest = {};", literal(plan_.digest));
    out_.line("static constexpr std::uint64_t fingerprint = {:#018x}U;", emit::fingerprint(plan_));
    out_.line("static constexpr const char* metric_prefix = {};", literal(plan_.metricPrefix));
    out_.line("static constexpr std::size_t slices = {};", plan_.slices.size());
    out_.line("static constexpr std::size_t signals = {};", plan_.signals.size());
    out_.line("static constexpr std::size_t vocabulary = {};", plan_.vocabulary);
    std::vector<std::string> names;
    for (const plan::Slice& slice : plan_.slices)
      names.push_back(literal(slice.name));
    out_.line("static constexpr const char* slice_names[] = {{{}}};", fmt::join(names, ", "));
    std::vector<bool> empty;
    for (const plan::Slice& slice : plan_.slices)
      empty.push_back(slice.isEmpty);
    out_.line("static constexpr bool is_empty[] = {{{}}};", fmt::join(empty, ", "));
  }

  void streams() {
    std::uint32_t stream = 0;
    table("stream", "streams", plan_.streams, [&](const plan::Stream& row) {
      std::vector<std::string> wants;
      for (const plan::Signal& signal : plan_.signals)
        if (signal.stream == stream && plan::sourceOf(signal) == plan::StreamSource::Rows)
          wants.push_back(fmt::format("tikc::row_want::{}", plan::info(signal.figure).name));
      ++stream;
      std::sort(wants.begin(), wants.end());
      wants.erase(std::unique(wants.begin(), wants.end()), wants.end());
      return fmt::format("{}, {}, {}, tikc::mask_rule::{}{}", number(row.trainTemperature),
                         number(row.inferTemperature),
                         wants.empty() ? "0" : fmt::format("{}", fmt::join(wants, " | ")),
                         row.allowsMissing ? "lenient" : "strict", servedOf(row));
    });
  }

  /// What ends a row where it is not usual.
  static std::string servedOf(const plan::Stream& row) {
    const bool isServed = row.drawer.empty();
    if (isServed && !row.cut.isAny())
      return {};
    return fmt::format(", {{{}, {}, {}}}{}", number(row.cut.topP), number(row.cut.minP),
                       row.cut.topK, isServed ? "" : ", false");
  }

  void signals() {
    table("signal", "signal_table", plan_.signals, [](const plan::Signal& signal) {
      const plan::FigureInfo& row = plan::info(signal.figure);
      bool isRatio = row.range == figure_range::held;
      auto ratio = [&](std::size_t i) {
        double value = i < signal.parameters.size() ? signal.parameters[i] : isRatio ? 0 : 1;
        return number(isRatio ? value : std::log(value));
      };
      return fmt::format("tikc::source::{}, tikc::figure::{}, {}, {}, {}, {}",
                         plan::sourceName(plan::sourceOf(signal)),
                         row.isOfWindow() ? "window_figure" : row.name, signal.stream,
                         signal.absolute, ratio(0), ratio(1));
    });
  }

  /// Kinds that are kept in one array are numbered together.
  std::size_t slotOf(std::size_t which) const {
    if (tokens_.keepings[which].byTokens)
      return 0;
    auto arrayOf = [](plan::Fold fold) {
      return fold == plan::Fold::Nonzero   ? plan::Fold::Share
             : fold == plan::Fold::Squares ? plan::Fold::Total
                                           : fold;
    };
    plan::Fold array = arrayOf(plan_.registers[which].fold);
    std::size_t out = 0;
    for (std::size_t i = 0; i < which; ++i)
      out += arrayOf(plan_.registers[i].fold) == array && !tokens_.keepings[i].byTokens;
    return out;
  }

  void keepers() {
    std::size_t which = 0;
    table("keeper", "keepers", plan_.registers, [&](const plan::Register& row) {
      const Keeping& at = tokens_.keepings[which];
      return fmt::format("{}, tikc::reading::{}, tikc::fold::{}, tikc::comparator::{}, {}, {}, {}, "
                         "{}, {}, {}",
                         row.signal, at.byTokens ? "tokens" : "cell", plan::name(row.fold),
                         comparatorName(row.comparator), row.countsNan, number(row.threshold),
                         slotOf(which++), at.above, at.below, at.beyond);
    });
  }

  void tokens() {
    auto thresholds = [&](std::string_view name, const std::vector<float>& values) {
      std::vector<std::string> out;
      out.reserve(values.size());
      for (float value : values)
        out.push_back(fmt::format("{:a}F", value));
      out_.line("static constexpr std::array<float, {}> {}{{{}}};", values.size(), name,
                fmt::join(out, ", "));
    };
    out_.block("struct token_plan {", "};", [&] {
      std::vector<std::string> wants;
      for (const std::string& want : tokens_.wants)
        wants.push_back("tikc::token_want::" + want);
      out_.line("static constexpr std::uint32_t wants = {};",
                wants.empty() ? "0" : fmt::format("{}", fmt::join(wants, " | ")));
      thresholds("above", tokens_.above);
      thresholds("below", tokens_.below);
      thresholds("beyond", tokens_.beyond);
    });
  }

  void windows() { table("window", "windows", plan_.windows, windowText); }

  static std::string windowText(const plan::Window& row) {
    return fmt::format("tikc::window_unit::{}, {}", windowName(row.unit), number(row.amount));
  }

  void checks() {
    bool isSure = std::any_of(plan_.checks.begin(), plan_.checks.end(),
                              [](const plan::Check& check) { return check.alpha.has_value(); });
    if (isSure)
      out_.line("/// A confidence is about the mean, or the share, over the contexts, responses or "
                "requests that a window served.");
    table("check", "checks", plan_.checks, [&](const plan::Check& row) {
      std::vector<std::string> limits;
      for (const plan::Limit& limit : row.limits)
        limits.push_back(fmt::format("{{tikc::comparator::{}, {}}}",
                                     comparatorName(limit.comparator), number(limit.bound)));
      return fmt::format("{}, tikc::estimator::{}, {}, {{{}}}, {{{}, {}}}, {{{}}}, {}, {}, {}, {}, "
                         "{}, {}, {}, {}, {}, {}, tikc::input::{}",
                         literal(row.text), estimatorName(row, plan_.signals), row.signal,
                         fmt::join(row.registers, ", "), row.levelPart, row.levelWhole,
                         fmt::join(limits, ", "), row.limits.size(), number(row.alpha.value_or(0)),
                         row.least, number(row.low.value_or(0)), number(row.high.value_or(0)),
                         row.window, row.history, row.absolute, row.onMixture,
                         row.worst ? fmt::format("{}", *row.worst) : "tikc::no_keeper",
                         plan::inputName(row.input));
    });
  }

  void binds() {
    out_.block(fmt::format("static constexpr bool binds[{}][slices] = {{", plan_.checks.size()),
               "};", [&] {
                 for (const plan::Check& check : plan_.checks) {
                   std::vector<bool> row(plan_.slices.size(), check.onMixture);
                   for (std::uint32_t slice : check.slices)
                     row[slice] = true;
                   out_.line("{{{}}},", fmt::join(row, ", "));
                 }
               });
  }

  void clauses() {
    table("clause", "clauses", plan_.clauses, [](const plan::Clause& row) {
      return fmt::format("{}, {}, {}, {}", literal(row.id), literal(row.because),
                         row.checks.front(), row.checks.size());
    });
  }

  void stages() {
    if (plan_.stages.empty())
      return out_.line("static constexpr std::array<tikc::promotion_stage, 0> stages{{}};");
    table("promotion_stage", "stages", plan_.stages, [](const plan::Stage& row) {
      auto orNothing = [](const std::optional<double>& value) { return number(value.value_or(0)); };
      return fmt::format("{}, {}, {{{}}}, {}, {}, {}", literal(row.name), orNothing(row.traffic),
                         windowText(row.window), orNothing(row.tokens), orNothing(row.sequences),
                         orNothing(row.lasts));
    });
  }

  CodeWriter& out_;
  const Plan& plan_;
  TokenPlan tokens_;
};

} // namespace

void writeTables(CodeWriter& out, const Plan& plan) { TableWriter(out, plan).write(); }

} // namespace tikc::emit::cpp

namespace tikc::emit {

std::uint64_t fingerprint(const plan::Plan& plan) {
  CodeWriter kept;
  cpp::TableWriter(kept, plan).layout();
  return cpp::fingerprint(plan, kept.take());
}

} // namespace tikc::emit
