#include "bounds/facts/Age.h"

#include <algorithm>

namespace tikc::bounds {
namespace {

/// No kernel of a contract has a blank in its name.
constexpr std::string_view newest = "newest ";

} // namespace

bool isAged(const model::Contract& contract) {
  return !contract.chain.empty() && contract.chain.front().text.starts_with(newest);
}

std::optional<model::Contract> withAge(const model::Contract& contract) {
  if (!contract.assumptions.staleness || contract.chain.size() < 2 || isAged(contract))
    return std::nullopt;
  model::Contract out = contract;
  const model::Name trainer = contract.chain.front(), server = contract.chain.back();
  model::Name front = trainer;
  front.text.insert(0, newest);
  auto known =
      std::find_if(contract.kernels.begin(), contract.kernels.end(),
                   [&](const model::Kernel& each) { return each.name.text == trainer.text; });
  if (known != contract.kernels.end()) {
    out.kernels.push_back(*known);
    out.kernels.back().name = front;
  }
  out.chain.insert(out.chain.begin(), std::move(front));
  out.isPair = false;
  for (model::Clause& clause : out.clauses)
    if (!clause.link)
      clause.link = model::Link{trainer, server, {}};
  return out;
}

} // namespace tikc::bounds
