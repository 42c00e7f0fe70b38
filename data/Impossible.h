#pragma once

#include "data/Response.h"

#include <optional>

namespace tikc::data {

/// Returns a fault if a token that counts has a log-prob above 0 by more than rounding explains.
/// Such responses are never judged.
std::optional<Fault> impossibleIn(const Response& response);

} // namespace tikc::data
