#pragma once

#include <string>
#include <string_view>

namespace tikc::project {

/// Returns a complete example contract, named after a file without its suffix.
std::string starterContract(std::string_view stem);

} // namespace tikc::project
