#include "explain/Words.h"
#include "page/Panels.h"
#include "page/Words.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace tikc::page {
namespace {

using measure::ClaimRow;
using measure::Row;

bool isWorseRow(const Row& one, const Row& other) {
  auto room = [](const Row& row) {
    return row.value && row.bound ? std::abs(*row.value - *row.bound)
                                  : std::numeric_limits<double>::infinity();
  };
  // What is violated is worse the further it is, and else the nearer.
  return one.outcome != other.outcome       ? orderOf(one.outcome) < orderOf(other.outcome)
         : one.outcome == verdict::violated ? room(one) > room(other)
                                            : room(one) < room(other);
}

/// Of a clause the worst of its rows, as a chapter may be of several slices.
std::string seenOfClause(const measure::MeasuredContract& contract, const std::string& clause) {
  const Row* worst = nullptr;
  for (const Row& row : contract.rows)
    if (row.clause == clause && (worst == nullptr || isWorseRow(row, *worst)))
      worst = &row;
  if (worst == nullptr)
    return {};
  return fmt::format("{}: {}{}, n {}", worst->value ? "seen" : tikc::name(worst->outcome),
                     amountText(worst->value, worst->unit),
                     worst->slice == "*" ? "" : " on " + shortened(worst->slice, 14),
                     data::grouped(worst->observations));
}

std::string seenOfClaim(const measure::MeasuredContract& contract, const std::string& claim) {
  const auto row = std::find_if(contract.claims.begin(), contract.claims.end(),
                                [&](const ClaimRow& each) { return each.claim == claim; });
  if (row == contract.claims.end())
    return {};
  const std::string text = measure::observedText(*row);
  return text.empty() ? name(row->state) : fmt::format("{}, seen {}", name(row->state), text);
}

std::string chainHeading(const explain::Chapter& chapter) {
  const std::string place = explain::whereText(chapter);
  return fmt::format("{}{}: {}", shortened(chapter.claim, 60),
                     place.empty() ? "" : " " + shortened(place, 60), shortened(chapter.text, 90));
}

NumberRows chainNumbers(const measure::MeasuredContract& contract,
                        const explain::Chapter& chapter) {
  NumberRows out = {{"what", "as promised", "by", "as seen"}};
  const std::string claim = seenOfClaim(contract, chapter.claim);
  out.push_back({shortened(chapter.claim, 60), shortened(chapter.text),
                 std::string(bounds::verdictName(chapter.verdict)), shortened(claim)});
  for (std::size_t i = 0; i < chapter.steps.size() && i < 60; ++i) {
    const explain::ChainStep& step = chapter.steps[i];
    out.push_back({shortened(step.says, 60), shortened(explain::stepText(step)),
                   shortened(explain::reasonText(step)),
                   step.ground ? shortened(seenOfClause(contract, step.ground->name)) : ""});
  }
  return out;
}

} // namespace

PanelGroup chainPanels(const PageContent& content) {
  PanelGroup out{"chains",
                 "Derivations",
                 "From the clauses on the left to the claim on the right, as promised. Observed "
                 "values are in italics; they prove nothing about future data.",
                 {}};
  for (const explain::Explanation& each : content.explanations)
    for (const explain::Chapter& chapter : each.chapters) {
      if (chapter.steps.empty())
        continue;
      Panel panel;
      panel.id = fmt::format("chain-{}", out.panels.size() + 1);
      panel.heading = chainHeading(chapter);
      panel.note = shortened(explain::verdictText(chapter)) + ".";
      panel.described = panel.heading + ". " + panel.note;
      panel.picture = explain::drawChain(chapter, [&](const explain::Ground* ground) {
        return ground == nullptr ? seenOfClaim(content.contract, chapter.claim)
                                 : seenOfClause(content.contract, ground->name);
      });
      panel.numbers = chainNumbers(content.contract, chapter);
      out.panels.push_back(std::move(panel));
    }
  return out;
}

} // namespace tikc::page
