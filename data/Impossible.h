#pragma once

#include "data/Response.h"

#include <optional>

namespace tikc::data {

/// What is wrong with a response of which a token that counts has a log-prob above 0, by more than
/// rounding leaves: it is judged by nobody, wherever it comes from.
std::optional<Fault> impossibleIn(const Response& response);

} // namespace tikc::data
