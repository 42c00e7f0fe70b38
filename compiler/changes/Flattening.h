#pragma once

#include "model/Contract.h"

#include <map>
#include <string>
#include <string_view>

namespace tikc::changes {

/// What a contract says under each path of keys, such as `kernels.rollout.sampling.top_p`: its
/// canonical print, so that nothing that has a meaning is left out.
using Facts = std::map<std::string, std::string>;
Facts factsOf(const model::Contract& contract);
/// Of those, what is about the contract as such: two that differ in them may say the same.
inline constexpr std::string_view namesOfContract[] = {"version", "contract", "abstract"};

} // namespace tikc::changes
