#pragma once

#include <string>
#include <string_view>

namespace tikc::project {

/// A whole contract to begin with, named after a file: its name without the suffix.
std::string starterContract(std::string_view stem);

} // namespace tikc::project
