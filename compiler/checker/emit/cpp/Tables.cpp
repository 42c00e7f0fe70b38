#include "checker/emit/cpp/Tables.h"

#include "checker/emit/Emit.h"
#include "checker/emit/cpp/Fingerprint.h"
#include "checker/emit/cpp/Names.h"
#include "checker/tables/Tables.h"
#include "checker/tables/Words.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

namespace tikc::emit::cpp {
namespace {

using plan::Plan;

class TableWriter {
public:
  TableWriter(CodeWriter& out, const Plan& plan)
      : out_(out), plan_(plan), tables_(tables::tablesOf(plan)) {}

  void write() {
    out_.gap();
    out_.block("struct plan {", "};", [&] {
      identity();
      layout();
      windows();
      checks();
      binds();
      clauses();
      assumptions();
      stages();
    });
  }

  /// What decides which numbers a tally keeps, and in which order.
  void layout() {
    streams();
    signals();
    keepers();
    tokens();
    watched();
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

  static std::string wantsOf(std::string_view space, std::vector<std::string_view> names) {
    std::sort(names.begin(), names.end());
    std::string out;
    for (std::string_view name : names)
      out += fmt::format("{}tikc::{}::{}", out.empty() ? "" : " | ", space, name);
    return out.empty() ? "0" : out;
  }

  void streams() {
    table("stream", "streams", tables_.streams, [](const stream& row) {
      std::vector<std::string_view> wants;
      for (std::size_t i = 0; i < static_cast<std::size_t>(figure::window_figure); ++i)
        if (i < 32 && (row.row_wants >> i & 1U) != 0)
          wants.push_back(figure_table[i].name);
      return fmt::format("{}, {}, {}, tikc::mask_rule::{}{}", number(row.train_temperature),
                         number(row.infer_temperature), wantsOf("row_want", wants),
                         row.masks == mask_rule::lenient ? "lenient" : "strict", servedOf(row));
    });
  }

  /// What ends a row where it is not usual.
  static std::string servedOf(const stream& row) {
    if (row.is_served && !row.cut.is_any())
      return {};
    return fmt::format(", {{{}, {}, {}}}{}", number(row.cut.top_p), number(row.cut.min_p),
                       row.cut.top_k, row.is_served ? "" : ", false");
  }

  void signals() {
    table("signal", "signal_table", tables_.signals, [](const signal& row) {
      return fmt::format("tikc::source::{}, tikc::figure::{}, {}, {}, {}, {}", name(row.from),
                         row_of(row.what).name, row.stream, row.absolute, number(row.low),
                         number(row.high));
    });
  }

  void keepers() {
    table("keeper", "keepers", tables_.keepers, [](const keeper& row) {
      return fmt::format("{}, tikc::reading::{}, tikc::fold::{}, tikc::comparator::{}, {}, {}, {}, "
                         "{}, {}, {}",
                         row.signal, row.from == reading::tokens ? "tokens" : "cell", name(row.how),
                         name(row.than), row.counts_nan, number(row.threshold), row.slot, row.above,
                         row.below, row.beyond);
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
      std::vector<std::string_view> wants;
      for (const tables::TokenWant& want : tables::tokenWants)
        if ((tables_.tokens.wants & want.bit) != 0)
          wants.push_back(want.name);
      out_.line("static constexpr std::uint32_t wants = {};", wantsOf("token_want", wants));
      thresholds("above", tables_.tokens.above);
      thresholds("below", tables_.tokens.below);
      thresholds("beyond", tables_.tokens.beyond);
    });
  }

  void windows() { table("window", "windows", tables_.windows, windowText); }

  static std::string windowText(const window& row) {
    return fmt::format("tikc::window_unit::{}, {}", name(row.unit), number(row.amount));
  }

  void checks() {
    bool isSure = std::any_of(tables_.checks.begin(), tables_.checks.end(), [](const check& each) {
      return each.alpha > 0 && each.how != estimator::coherence;
    });
    if (isSure)
      out_.line("/// A confidence is about the mean, or the share, over the contexts, responses or "
                "requests that a window served.");
    std::size_t which = 0;
    table("check", "checks", tables_.checks, [&](const check& row) {
      std::vector<std::string> limits;
      for (std::size_t i = 0; i < row.limit_count; ++i)
        limits.push_back(fmt::format("{{tikc::comparator::{}, {}}}", name(row.limits[i].how),
                                     number(row.limits[i].bound)));
      const std::size_t registers = plan_.checks[which++].registers.size();
      return fmt::format("{}, tikc::estimator::{}, {}, {{{}}}, {{{}, {}}}, {{{}}}, {}, {}, {}, {}, "
                         "{}, {}, {}, {}, {}, {}, tikc::input::{}, {}",
                         literal(row.text), name(row.how), row.signal,
                         fmt::join(row.keepers, row.keepers + registers, ", "), row.level.part,
                         row.level.whole, fmt::join(limits, ", "), row.limit_count,
                         number(row.alpha), row.least, number(row.low), number(row.high),
                         row.window, row.history, row.absolute, row.on_mixture, keeperAt(row.worst),
                         name(row.sampled), keeperAt(row.squares));
    });
  }

  static std::string keeperAt(std::uint16_t which) {
    return which == no_keeper ? "tikc::no_keeper" : fmt::format("{}", which);
  }

  void binds() {
    out_.block(fmt::format("static constexpr bool binds[{}][slices] = {{", tables_.binds.size()),
               "};", [&] {
                 for (const std::vector<char>& row : tables_.binds)
                   out_.line("{{{}}},", flags(row));
               });
  }

  void clauses() {
    table("clause", "clauses", tables_.clauses, [](const clause& row) {
      return fmt::format("{}, {}, {}, {}", literal(row.id), literal(row.because), row.first,
                         row.count);
    });
  }

  void watched() {
    std::vector<std::string> each;
    for (quantity what : tables_.watched)
      each.push_back(fmt::format("tikc::quantity::{}", name(what)));
    if (!each.empty())
      out_.line("static constexpr tikc::quantity watched[] = {{{}}};", fmt::join(each, ", "));
  }

  /// What there is none of is not named.
  void assumptions() {
    if (!tables_.assumptions.empty())
      table("assumption", "assumptions", tables_.assumptions, [](const assumption& row) {
        return fmt::format("{}, {}, tikc::quantity::{}, {}, {}", literal(row.key),
                           literal(row.says), name(row.subject), number(row.low), number(row.high));
      });
    if (tables_.claims.empty())
      return;
    table("claim", "claims", tables_.claims, [](const claim& row) {
      return fmt::format("{}, {}, {}", literal(row.id), literal(row.says), row.is_proved);
    });
    if (!tables_.grounds.empty())
      table("claim_ground", "grounds", tables_.grounds, [](const claim_ground& row) {
        return fmt::format("{}, {}, {}", row.claim, row.check, row.slice);
      });
    if (!tables_.assumptions.empty())
      out_.block(fmt::format("static constexpr bool rests_on[{}][{}] = {{", tables_.claims.size(),
                             tables_.assumptions.size()),
                 "};", [&] {
                   for (const std::vector<char>& row : tables_.restsOn)
                     out_.line("{{{}}},", flags(row));
                 });
  }

  void stages() {
    if (tables_.stages.empty())
      return out_.line("static constexpr std::array<tikc::promotion_stage, 0> stages{{}};");
    table("promotion_stage", "stages", tables_.stages, [](const promotion_stage& row) {
      return fmt::format("{}, {}, {{{}}}, {}, {}, {}", literal(row.name), number(row.traffic),
                         windowText(row.window), number(row.tokens), number(row.sequences),
                         number(row.lasts));
    });
  }

  CodeWriter& out_;
  const Plan& plan_;
  tables::PlanTables tables_;
};

} // namespace

void writeTables(CodeWriter& out, const Plan& plan) { TableWriter(out, plan).write(); }

} // namespace tikc::emit::cpp

namespace tikc::emit {

std::uint64_t fingerprint(const plan::Plan& plan) {
  CodeWriter keepers;
  cpp::TableWriter(keepers, plan).layout();
  return cpp::fingerprint(plan, keepers.take());
}

} // namespace tikc::emit
