#pragma once

#include <string>
#include <string_view>

namespace tikc {

/// Returns the differing lines in the unified format that `patch -p0` reads; empty if the texts are
/// equal. Takes about linear time, so the diff of very different texts may not be minimal.
std::string unifiedDiff(std::string_view name, std::string_view before, std::string_view after);

} // namespace tikc
