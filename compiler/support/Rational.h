#pragma once

#include "support/Limits.h"

#include <gmpxx.h>

#include <optional>
#include <string>
#include <string_view>

namespace tikc {

/// An exact number of a contract: 0.1 is one tenth.
using Rational = mpq_class;

/// Reads [+-]digits[.digits][e[+-]digits]; the digits on one side of the point may be missing.
/// Returns nothing for other texts, and for numbers beyond the limits in size or length.
std::optional<Rational> parseDecimal(std::string_view text, const Limits& limits = {});

/// Reads a finite number of YAML's core schema: a decimal, or 0x and 0o digits.
std::optional<Rational> parseCoreNumber(std::string_view text, const Limits& limits = {});

/// Returns the shortest exact decimal ("0.065", "1e-9"), or "p/q" if no finite decimal exists.
std::string printRational(const Rational& value);

/// Makes GMP end the process like any other allocation failure; by default it aborts.
void stopWithoutMemoryForNumbers();

} // namespace tikc
