#include "library/RunnableContract.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

namespace tikc::library {
namespace {

/// How much of everything objects of a plan hold.
auto sizesOf(const engine::LoadedPlan& loaded) {
  const engine::LoadedTokens& tokens = loaded.asked_of_tokens;
  return std::array<std::size_t, 13>{
      loaded.slices,         loaded.signals,        loaded.vocabulary,    loaded.streams.size(),
      loaded.keepers.size(), loaded.windows.size(), loaded.checks.size(), loaded.clauses.size(),
      tokens.wants,          tokens.above.size(),   tokens.below.size(),  tokens.beyond.size(),
      loaded.watched.size()};
}

void collectBounds(const plan::Predicate& in, std::string_view field, std::vector<double>& out) {
  for (const plan::Predicate::Value& value : in.values)
    if (in.field == field && !value.isText)
      out.push_back(value.number);
  for (const plan::Predicate& part : in.parts)
    collectBounds(part, field, out);
}

std::vector<double> boundsOf(const plan::Plan& plan, std::string_view field) {
  std::vector<double> out;
  for (const plan::Slice& slice : plan.slices)
    if (slice.when)
      collectBounds(*slice.when, field, out);
  std::sort(out.begin(), out.end());
  out.erase(std::unique(out.begin(), out.end()), out.end());
  return out;
}

} // namespace

RunnableContract::RunnableContract(model::Contract source, plan::Plan from)
    : contract(std::move(source)), plan(std::move(from)), tables(plan), policy(plan) {
  for (const plan::Stream& each : plan.streams)
    streamNames.push_back(plan::streamName(each));
  for (const plan::Field& each : plan.fields)
    fields.push_back({each.name.c_str(), each.isText, {}, boundsOf(plan, each.name)});
  for (const plan::Label& each : plan.labels) {
    fields.push_back({each.name.c_str(), true, {}, {}});
    for (const std::string& value : each.values)
      fields.back().values.push_back(value.c_str());
  }
}

bool RunnableContract::isOneWith(const RunnableContract& other) const {
  return this == &other ||
         (tables.fingerprint == other.tables.fingerprint && plan.meaning == other.plan.meaning &&
          sizesOf(tables) == sizesOf(other.tables));
}

} // namespace tikc::library
