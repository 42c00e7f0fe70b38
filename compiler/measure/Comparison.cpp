#include "measure/Comparison.h"

#include "support/Columns.h"
#include "support/Escape.h"
#include "support/Utf8.h"

#include <fmt/format.h>

namespace tikc::measure {
namespace {

WholeValue wholeOf(const MeasuredContract& contract, const Row& row) {
  WholeValue out;
  const plan::Check& planned = contract.subject.plan.checks[row.check];
  const finding& whole = contract.measured.details.whole(row.check, row.sliceAt);
  out.observations = whole.observations;
  if (whole.observations == 0)
    return out;
  out.value = known(whole.value, planned.unit);
  // The ends of a quantile are those of a bucket of its sketch.
  if (planned.alpha && planned.estimator != estimator::quantile) {
    out.low = known(whole.low, planned.unit);
    out.high = known(whole.high, planned.unit);
  }
  return out;
}

Difference differenceOf(const WholeValue& here, const WholeValue& there) {
  if (!here.value || !there.value)
    return Difference::Missing;
  if (!here.low || !here.high || !there.low || !there.high)
    return Difference::Unlimited;
  return *here.low > *there.high   ? Difference::Higher
         : *here.high < *there.low ? Difference::Lower
                                   : Difference::Chance;
}

/// "0.0423 nat in [0.041, 0.0437]"
std::string wholeText(const WholeValue& whole, std::string_view unit) {
  Row out;
  out.value = whole.value;
  out.low = whole.low;
  out.high = whole.high;
  out.unit = unit;
  return valueText(out);
}

} // namespace

std::string_view name(Difference difference) {
  switch (difference) {
  case Difference::Higher:
    return "higher";
  case Difference::Lower:
    return "lower";
  case Difference::Chance:
    return "not distinguishable";
  case Difference::Unlimited:
    return "no interval";
  case Difference::Missing:
    return "no value";
  }
  return {};
}

std::vector<ComparedRow> comparedRows(const MeasuredContract& contract) {
  std::vector<ComparedRow> out;
  if (contract.against == nullptr)
    return out;
  for (const Row& row : contract.rows) {
    const WholeValue here = wholeOf(contract, row), there = wholeOf(*contract.against, row);
    out.push_back({row, here, there, differenceOf(here, there)});
  }
  return out;
}

std::string_view differenceNote() {
  return "Each value is of all data, whatever the windows. It is higher or lower if the two "
         "intervals do not overlap. Each interval holds with its clause's confidence, so a "
         "difference is wrong at most twice as often as one interval.";
}

std::string comparisonText(const MeasuredContract& contract) {
  if (contract.against == nullptr)
    return {};
  std::vector<std::vector<std::string>> table = {
      {"difference", "clause", "slice", "value", "value there", "n", "n there"}};
  for (const ComparedRow& each : comparedRows(contract))
    table.push_back({std::string(name(each.difference)), utf8::printable(each.row.clause),
                     utf8::printable(each.row.slice), wholeText(each.here, each.row.unit),
                     wholeText(each.there, each.row.unit), data::grouped(each.here.observations),
                     data::grouped(each.there.observations)});
  std::string out = fmt::format("against {} ({}), over all data:\n",
                                utf8::printable(contract.againstName), contract.against->outcome());
  for (const std::string& each : cautionLines(*contract.against))
    out += utf8::printable(each) + "\n";
  return out + inColumns(table);
}

std::string comparisonMarkdown(const MeasuredContract& contract) {
  if (contract.against == nullptr)
    return {};
  std::string out =
      fmt::format("\nAgainst {} ({}), over all data:\n", escape::markdown(contract.againstName),
                  contract.against->outcome());
  for (const std::string& each : cautionLines(*contract.against))
    out += escape::markdown(each) + "\n";
  out += "\n| difference | clause | slice | value | value there | n | n there |\n"
         "|---|---|---|---|---|---|---|\n";
  for (const ComparedRow& each : comparedRows(contract))
    out +=
        fmt::format("| {} | {} | {} | {} | {} | {} | {} |\n", name(each.difference),
                    escape::markdown(each.row.clause), escape::markdown(each.row.slice),
                    wholeText(each.here, each.row.unit), wholeText(each.there, each.row.unit),
                    data::grouped(each.here.observations), data::grouped(each.there.observations));
  return out;
}

} // namespace tikc::measure
