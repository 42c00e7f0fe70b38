#pragma once

#include <string>

namespace tikc::emit::cpp {

/// The same text with the runtime's headers in the place of their includes.
std::string standalone(const std::string& text);

} // namespace tikc::emit::cpp
