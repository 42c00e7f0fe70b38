#pragma once

#include "interpreter/Observed.h"

#include <string>

namespace tikc::interpreter {

/// What an engine knows of a request, by field and label.
struct Request {
  std::map<std::string, double, std::less<>> numbers;
  std::map<std::string, std::string, std::less<>> texts;
};

/// The first slice whose condition holds.
std::size_t sliceOf(const plan::Plan& plan, const Request& request);

} // namespace tikc::interpreter
