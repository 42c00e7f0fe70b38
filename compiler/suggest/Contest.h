#pragma once

#include "suggest/Look.h"
#include "support/Rational.h"

#include <string>

/// Compares the data of two servers.
namespace tikc::suggest {

/// Compares all responses, and those of each label value that both datasets have: how far each
/// server is from the trainer, whether one is farther, and whether the difference grows along a
/// response or a training. Returns text for people. Intervals are normal intervals of means of
/// responses, each on its own.
std::string contestText(const Look& ours, const Look& theirs, const Rational& confidence);

} // namespace tikc::suggest
