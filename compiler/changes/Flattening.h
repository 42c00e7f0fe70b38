#pragma once

#include "model/Contract.h"

#include <map>
#include <string>
#include <string_view>

namespace tikc::changes {

/// The canonical print of everything in a contract, by path of keys such as
/// `kernels.rollout.sampling.top_p`. Nothing with a meaning is left out.
using Facts = std::map<std::string, std::string>;
Facts factsOf(const model::Contract& contract);
/// The paths that only identify a contract; contracts that differ in them may be equal in meaning.
inline constexpr std::string_view namesOfContract[] = {"version", "contract", "abstract"};

} // namespace tikc::changes
