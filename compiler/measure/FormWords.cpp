#include "measure/Forms.h"

#include "support/Utf8.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>

namespace tikc::measure {
namespace {

std::string counted(std::uint64_t count, std::string_view one) {
  return fmt::format("{} {}{}", data::grouped(count), one, count == 1 ? "" : "s");
}

std::string joined(const std::vector<std::string>& names) {
  return fmt::format("{}", fmt::join(names, ", "));
}

/// What recorded data may have for one response, and not for another.
bool isHandedIn(quantity what) {
  return what == quantity::reward || what == quantity::advantage || what == quantity::score_norm;
}

/// Whether a longer window can hide what a shorter one shows.
bool isAveraged(estimator how) {
  return how != estimator::largest && how != estimator::smallest && how != estimator::total &&
         how != estimator::nonzero;
}

/// Whether a window is as long as its number of observations.
bool countsObservations(const plan::Window& window, const plan::Signal& signal) {
  const source from = plan::sourceOf(signal);
  return window.unit == window_unit::tokens
             ? from == source::tokens || from == source::rows
             : window.unit == window_unit::sequences && from == source::sequences;
}

} // namespace

std::vector<std::string> unaskedClauses(const MeasuredContract& contract) {
  std::vector<std::string> out;
  const plan::Plan& plan = contract.subject.plan;
  for (std::size_t i = 0; i < plan.clauses.size(); ++i)
    if (isOfSampling(plan, i))
      out.push_back(plan.clauses[i].id);
  return out;
}

std::string numberText(std::optional<double> number) {
  return number ? fmt::format("{:.4g}", *number) : std::string();
}

std::string valueText(const Row& row) {
  if (!row.value)
    return row.observations == 0 ? "" : "not a number";
  const bool isInterval = row.low && row.high && *row.low != *row.high;
  const std::string_view percent = row.unit == "%" ? "%" : "";
  const char* const form =
      row.isOfBucket ? " ({}{percent} to {}{percent})" : " in [{}{percent}, {}{percent}]";
  return fmt::format("{}{}", numberText(row.value), percent) +
         (isInterval ? fmt::format(fmt::runtime(form), numberText(row.low), numberText(row.high),
                                   fmt::arg("percent", percent))
                     : "");
}

std::string windowsText(const Row& row) {
  const std::uint64_t all = row.satisfied + row.violated + row.undecided;
  std::string out = all == 0             ? "none ended"
                    : row.violated != 0  ? fmt::format("{} of {} violated", row.violated, all)
                    : row.undecided != 0 ? fmt::format("{} of {} undecided", row.undecided, all)
                                         : data::grouped(all);
  return row.open == 0 ? out
                       : out + fmt::format("; {} {}", data::grouped(row.open),
                                           all == 0 ? "so far" : "left over");
}

std::string headingText(const MeasuredContract& contract) {
  const plan::Plan& plan = contract.subject.plan;
  return fmt::format("{} {}, {}", plan.contract, plan.version,
                     plan::streamName(plan.streams[contract.subject.stream]));
}

std::vector<std::string> intakeLines(const MeasuredContract& contract) {
  const Intake& in = contract.measured.intake;
  std::vector<std::string> out;
  std::string what;
  auto add = [&](std::uint64_t count, std::string_view one) {
    if (count != 0)
      what += (what.empty() ? "" : ", ") + counted(count, one);
  };
  add(in.responses, "response");
  add(in.tokens, "token");
  add(in.rows, "row");
  if (!what.empty() || contract.measured.records.evaluations() != 0)
    out.push_back(fmt::format("{}, judged {}: {}", what, contract.subject.rounds.text(),
                              counted(contract.measured.records.evaluations(), "evaluation")));
  if (contract.measured.rest != 0)
    out.push_back(
        fmt::format("{} after the last evaluation: only clauses with `over` can still use them",
                    counted(contract.measured.rest, in.rows == 0 ? "token" : "observation")));
  if (in.report.padding != 0)
    out.push_back(counted(in.report.padding, "place") +
                  " taken for padding: after a length, or 0 on both sides at the end of a row");
  if (std::string names = joined(unaskedClauses(contract)); !names.empty())
    out.push_back(fmt::format("not checked: observability of {}, because recorded data do not show "
                              "their share of the traffic",
                              names));
  std::vector<std::string> cautions = cautionLines(contract);
  std::move(cautions.begin(), cautions.end(), std::back_inserter(out));
  return out;
}

std::vector<std::string> wideWindowLines(const MeasuredContract& contract) {
  constexpr double tooWide = 2; // times: a response is never split
  std::vector<std::string> out;
  for (const Row& row : contract.rows) {
    const plan::Plan& plan = contract.subject.plan;
    const plan::Check& check = plan.checks[row.check];
    const plan::Window& window = plan.windows[check.window];
    const auto judged = static_cast<double>(row.observations);
    if (!isAveraged(check.estimator) || check.signal >= plan.signals.size() ||
        !countsObservations(window, plan.signals[check.signal]) || judged < tooWide * window.amount)
      continue;
    const auto inWords = [&](double amount) {
      return counted(static_cast<std::uint64_t>(amount),
                     window.unit == window_unit::tokens ? "token" : "response");
    };
    out.push_back(fmt::format(
        "{} on {}: judged over {}, but its window is {}; an average over more "
        "can hide a breach: also measure with --every=\"{}\"",
        row.clause, row.slice, inWords(judged), inWords(window.amount), inWords(window.amount)));
  }
  return out;
}

std::vector<std::string> settingLines(const MeasuredContract& contract) {
  std::vector<std::string> out;
  for (const auto& [key, count] : contract.measured.intake.otherSettings) {
    const OtherSetting other = contract.settings().read(key);
    out.push_back(fmt::format("{} {} {} {}; the contract says {}", counted(count, "record"),
                              count == 1 ? "has" : "have",
                              other.inData.empty() ? "more values of" : other.name,
                              other.inData.empty() ? other.name : utf8::printable(other.inData),
                              utf8::printable(other.inContract)));
  }
  return out;
}

std::vector<std::string> cautionLines(const MeasuredContract& contract) {
  const Intake& in = contract.measured.intake;
  std::vector<std::string> out;
  if (in.report.broken != 0)
    out.push_back(counted(in.report.broken, "broken record") +
                  (in.report.broken == 1 ? " was skipped" : " were skipped"));
  if (const std::uint64_t alone = in.unpaired + in.report.unpaired; alone != 0)
    out.push_back(counted(alone, "response") + (alone == 1 ? " with only one side was skipped"
                                                           : " with only one side were skipped"));
  if (in.repeated != 0)
    out.push_back(counted(in.repeated, "piece") + " with the bytes of another one, judged once");
  for (const auto& [name, count] : in.missing)
    if (const auto stranger = Stranger::of(name))
      out.push_back(fmt::format(
          "{} with {} for `{}`, which the contract does not declare", counted(count, "record"),
          stranger->value.empty() ? "more values" : utf8::ticked(stranger->value),
          stranger->label));
    else
      out.push_back(fmt::format("{} without the field `{}` that the contract's slices use",
                                counted(count, "record"), name));
  const std::vector<std::string> settings = settingLines(contract);
  out.insert(out.end(), settings.begin(), settings.end());
  const std::vector<plan::Assumption>& assumptions = contract.subject.plan.assumptions;
  for (std::size_t i = 0; i < assumptions.size(); ++i)
    if (const std::uint64_t observations = contract.assumptions[i].observations;
        isHandedIn(assumptions[i].subject) && observations != 0 && observations < in.responses)
      out.push_back(
          fmt::format("{} of {} responses {} no number for `{}`",
                      data::grouped(in.responses - observations), data::grouped(in.responses),
                      in.responses - observations == 1 ? "has" : "have", assumptions[i].text));
  out.insert(out.end(), contract.others.begin(), contract.others.end());
  return out;
}

std::vector<std::string> activationLines(const MeasuredContract& contract) {
  std::vector<std::string> out;
  for (const Activation& each : contract.activations().kept())
    out.push_back(fmt::format("rule {} {} at evaluation {} on slice {}",
                              contract.subject.plan.rules[each.rule].id,
                              each.starts ? "starts" : "ends", each.evaluation,
                              contract.subject.plan.slices[each.slice].name));
  return out;
}

std::string leftOutActivations(const MeasuredContract& contract) {
  const std::uint64_t count = contract.activations().leftOut();
  return count == 0 ? std::string()
                    : fmt::format("{} between the first {} and the last {} {} only counted",
                                  counted(count, "change"), Activations::mostAtAnEnd,
                                  Activations::mostAtAnEnd, count == 1 ? "is" : "are");
}

} // namespace tikc::measure
