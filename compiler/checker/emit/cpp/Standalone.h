#pragma once

#include <string>

namespace tikc::emit::cpp {

/// Returns the text with the runtime's headers in place of their includes.
std::string standalone(const std::string& text);

} // namespace tikc::emit::cpp
