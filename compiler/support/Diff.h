#pragma once

#include <string>
#include <string_view>

namespace tikc {

/// The lines that differ, in the unified form that `patch -p0` reads; empty where none do. Takes
/// time about linear in the texts, so that where they differ much it may be longer than it need be.
std::string unifiedDiff(std::string_view name, std::string_view before, std::string_view after);

} // namespace tikc
