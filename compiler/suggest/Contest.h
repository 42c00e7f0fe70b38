#pragma once

#include "suggest/Look.h"
#include "support/Rational.h"

#include <string>

/// The data of two servers beside each other.
namespace tikc::suggest {

/// Of all responses, and of those of each label's value that both have: how far each server is from
/// the trainer, whether one is farther, and whether that grows along a response or a training. Text
/// for people. Intervals are those of means of responses, each by itself, by the normal law.
std::string contestText(const Look& ours, const Look& theirs, const Rational& confidence);

} // namespace tikc::suggest
