#include "audit/gates/Gate.h"
#include "audit/gates/Query.h"
#include "support/Utf8.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace tikc::audit {
namespace {

using utf8::ticked;

/// A metric's name in Prometheus often has a few words in front of the figure's, which then has to
/// be whole: `cache_hit_ratio_mean` is no `loss/ratio_mean`.
std::string figureIn(std::string_view metric) {
  constexpr std::size_t longest = 200, mostWords = 6;
  if (metric.size() > longest)
    return {};
  std::size_t at = 0;
  for (std::size_t words = 0; words < mostWords; ++words) {
    const std::string_view rest = metric.substr(at);
    const auto figure = findFigure(rest);
    const bool isWhole = figure && figure->row && figure->row->isLoggedAs(rest);
    if (isWhole ? at == 0 || rest.find('_') != std::string_view::npos
                : figure && !figure->row && at == 0)
      return std::string(rest);
    at = metric.find_first_of(":_", at);
    if (at == std::string_view::npos)
      break;
    ++at;
  }
  return {};
}

/// Writes a condition of the Expr language as Python: the part of both that gates need.
Snippet asPython(const Snippet& condition) {
  Snippet out{{}, condition.file, {}, 0};
  const std::string_view text = condition.text;
  const auto put = [&](std::string_view written, std::size_t from) {
    for (const char c : written) {
      out.text += c;
      out.at.push_back(condition.offset(from));
    }
  };
  char quote = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const std::string_view rest = text.substr(i);
    if (quote != 0 || text[i] == '"' || text[i] == '\'') {
      quote = quote == 0 ? text[i] : quote == text[i] ? '\0' : quote;
      put(rest.substr(0, 1), i);
    } else if (rest.starts_with("&&") || rest.starts_with("||")) {
      put(rest.front() == '&' ? " and " : " or ", i);
      ++i;
    } else if (rest.front() == '!' && !rest.starts_with("!=")) {
      put(" not ", i);
    } else if (rest.front() == '#') {
      put("result", i);
    } else if (rest.front() == '{' || rest.front() == '}') {
      put(rest.front() == '{' ? "(" : ")", i);
    } else if (rest.front() == '\n' || rest.front() == '\t') {
      put(" ", i);
    } else {
      put(rest.substr(0, 1), i);
    }
  }
  out.at.push_back(condition.offset(text.size()));
  return out;
}

/// The part of a condition that lies at a place.
std::string partAt(const Snippet& condition, const Span& place) {
  std::size_t from = 0;
  while (from < condition.text.size() && condition.offset(from) < place.begin)
    ++from;
  std::size_t to = from;
  while (to < condition.text.size() && condition.offset(to) < place.end)
    ++to;
  return condition.text.substr(from, to - from);
}

class RolloutReader {
public:
  RolloutReader(const Limits& limits, diag::Sink& sink, Gates& out,
                std::vector<diag::JudgedGate>& judged)
      : limits_(limits), sink_(sink), out_(out), judged_(judged) {}

  void read(const RolloutMetric& metric) {
    const auto query = readQuery(metric.query);
    const std::string figure = query ? figureIn(query->metric) : std::string();
    if (figure.empty())
      return other(metric);
    if (!metric.unread.empty()) {
      sink_.report<diag::GateNotUnderstood>(metric.place, metric.unread);
      return judge(metric, "not judged");
    }
    bool neverFails = false, alwaysFails = false;
    for (const RolloutFault& fault : metric.faults) {
      neverFails |= fault.kind == RolloutFault::Kind::NeverFails;
      alwaysFails |= fault.kind == RolloutFault::Kind::AlwaysFails;
      tell(metric.name, fault);
    }
    if (neverFails || alwaysFails)
      return judge(metric, alwaysFails ? "always fires" : "never fires");
    if (metric.success)
      condition(metric, *query, figure, *metric.success, JudgingText::How::Success);
    else if (metric.failure)
      condition(metric, *query, figure, *metric.failure, JudgingText::How::Failure);
    else
      judge(metric, "compares servers with each other");
  }

private:
  using Kind = RolloutFault::Kind;

  /// What is not about the gap, or not understood.
  void other(const RolloutMetric& metric) {
    judge(metric, "not judged");
    const std::vector<Snippet> names = metricsIn(metric.query);
    auto known = std::find_if(names.begin(), names.end(),
                              [](const Snippet& each) { return !figureIn(each.text).empty(); });
    if (known != names.end())
      sink_.report<diag::GateNotUnderstood>(
          known->whole(), "tikc understands only a query of one series here, with abs, avg, max, "
                          "min or quantile, also over time");
    else
      sink_.report<diag::GateOfOther>(metric.place, ticked(metric.name));
  }

  void judge(const RolloutMetric& metric, std::string verdict) {
    judged_.push_back({metric.place, metric.name, std::move(verdict), {}, {}});
  }

  void tell(const std::string& name, const RolloutFault& fault) {
    const std::string gate = ticked(name);
    report(gate, fault).note(fault.note);
  }
  diag::Diagnostic& report(const std::string& gate, const RolloutFault& fault) {
    switch (fault.kind) {
    case Kind::NeverFails:
      return sink_.report<diag::GateNeverFires>(fault.place, gate);
    case Kind::AlwaysFails:
      return sink_.report<diag::GateAlwaysFires>(fault.place, gate);
    case Kind::FailsOnlyWithOthers:
      return sink_.report<diag::GateOnlyWithOthers>(fault.place, gate);
    case Kind::Leaves:
      return sink_.report<diag::GateBlindToSteps>(fault.place, gate, fault.what);
    case Kind::PassesNan:
      return sink_.report<diag::GatePassesNan>(fault.place, gate);
    case Kind::PassesNothing:
      return sink_.report<diag::GatePassesNothing>(fault.place, gate);
    case Kind::LeavesGrowth:
      return sink_.report<diag::GateOfOneSide>(fault.place, gate, "above");
    case Kind::ComparesServers:
      break;
    }
    return sink_.report<diag::GateOfServers>(fault.place, gate);
  }

  void condition(const RolloutMetric& metric, const Query& query, const std::string& figure,
                 const Snippet& text, JudgingText::How how) {
    Gates found;
    JudgingText check{how, asPython(text), {}};
    check.result = figure;
    addGates(check, limits_, found);
    for (const RolloutFault& fault : found.faults)
      tell(metric.name, fault);
    const bool isSigned = !findFigure(figure)->range.low;
    for (Gate& gate : found.gates) {
      gate.text = fmt::format("{}: {}", metric.name, partAt(text, gate.place));
      gate.isAbsolute |= query.isAbsolute;
      gate.seen = seenOf(metric);
      if (isSigned || !model::isAbove(gate.comparator))
        checkQuery(gate, query);
    }
    std::move(found.gates.begin(), found.gates.end(), std::back_inserter(out_.gates));
    std::move(found.misread.begin(), found.misread.end(), std::back_inserter(out_.misread));
    std::move(found.finite.begin(), found.finite.end(), std::back_inserter(out_.finite));
  }

  static std::string seenOf(const RolloutMetric& metric) {
    for (const RolloutFault& fault : metric.faults)
      if (fault.kind == Kind::Leaves)
        return "all but " + fault.what;
    return "each measurement";
  }

  /// What the query takes away before the condition sees it.
  void checkQuery(Gate& gate, const Query& query) {
    const bool isUpper = model::isBelow(gate.comparator);
    const QueryTakes furthest = isUpper ? QueryTakes::Largest : QueryTakes::Smallest;
    // The size of the largest value is not the largest size.
    const bool isOfSigned = gate.isAbsolute && !query.isAbsolute;
    if (query.takes != QueryTakes::Values && (query.takes != furthest || isOfSigned)) {
      const auto& [left, seen] = taken(query.takes);
      gate.seen = seen;
      gate.isOfPart = true;
      sink_.report<diag::GateBlindToSteps>(query.metricPlace, ticked(gate.text), left)
          .note(isOfSigned ? std::string("write max(abs(…)) in the query")
                           : fmt::format("take the {} in the query", isUpper ? "max" : "min"));
    }
    if (gate.isOfOneResult && !query.isOneSeries) {
      gate.isOfPart = true;
      gate.seen = "the first series";
      sink_
          .report<diag::GateBlindToSteps>(gate.figurePlace, ticked(gate.text),
                                          "every series but the first")
          .note(fmt::format("write {}(…) around the query, so that it has one series",
                            isUpper ? "max" : "min"));
    }
    auto nothing = gate.ofNothing;
    if (!nothing && query.ofNothing)
      nothing = parseDecimal(*query.ofNothing);
    if (nothing && model::meets(*nothing, gate.comparator, gate.limit))
      sink_.report<diag::GatePassesNothing>(gate.place, ticked(gate.text))
          .note(
              fmt::format("without data, the value is {}, which passes", printRational(*nothing)));
  }
  static std::pair<std::string_view, std::string_view> taken(QueryTakes takes) {
    switch (takes) {
    case QueryTakes::Average:
      return {"single values", "the average of values"};
    case QueryTakes::Quantile:
      return {"values beyond a quantile", "a quantile of values"};
    case QueryTakes::Smallest:
      return {"every value but the smallest", "the smallest value"};
    default:
      return {"every value but the largest", "the largest value"};
    }
  }

  const Limits& limits_;
  diag::Sink& sink_;
  Gates& out_;
  std::vector<diag::JudgedGate>& judged_;
};

} // namespace

void addRollouts(std::span<const RolloutMetric> metrics, const Limits& limits, diag::Sink& sink,
                 Gates& out, std::vector<diag::JudgedGate>& judged) {
  RolloutReader reader(limits, sink, out, judged);
  for (const RolloutMetric& each : metrics)
    reader.read(each);
}

} // namespace tikc::audit
