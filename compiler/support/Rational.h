#pragma once

#include "support/Limits.h"

#include <gmpxx.h>

#include <optional>
#include <string>
#include <string_view>

namespace tikc {

/// Numbers of a contract are exact from the first character: 0.1 is one tenth.
using Rational = mpq_class;

/// Reads [+-]digits[.digits][e[+-]digits], where the digits of one side of the point may be left
/// out. Nothing for any other text, or for a number too large, too small or too long for the
/// limits.
std::optional<Rational> parseDecimal(std::string_view text, const Limits& limits = {});

/// Reads what YAML's core schema takes for a finite number: a decimal, or 0x and 0o digits.
std::optional<Rational> parseCoreNumber(std::string_view text, const Limits& limits = {});

/// The shortest exact decimal ("0.065", "1e-9"), or "p/q" where no finite decimal exists.
std::string printRational(const Rational& value);

/// Numbers that no memory is left for end the process as all else does that lacks it: without, the
/// library of numbers aborts.
void stopWithoutMemoryForNumbers();

} // namespace tikc
