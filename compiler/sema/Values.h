#pragma once

#include "metrics/Metrics.h"
#include "model/Amount.h"
#include "sema/Context.h"

#include <cstdint>
#include <limits>
#include <optional>
#include <string_view>

namespace tikc::sema {

using metrics::ValueRange;

/// Whether a quantity's unit can state a value of the kind. Reports it where not, with the units
/// that can.
bool checkUnit(FileContext& context, const model::Amount& quantity, metrics::Measured measured,
               std::string_view subject);

/// The quantity's value in the kind's base unit. A bit is a rational within 1e-18 of ln 2 here,
/// close enough to lint by.
Rational valueOf(const model::Amount& quantity);

/// The share that a quantity states, in [low, 1]. Reports another unit or a value outside, offering
/// `%` where it was forgotten.
bool checkShare(FileContext& context, const model::Amount& quantity, bool zeroAllowed,
                std::string_view subject);

/// How sure a statement is: a share below 1.
bool checkLevel(FileContext& context, const model::Amount& confidence);

/// Of two ends that are not in order; where they are equal nothing lies between them.
void reportReversed(FileContext& context, const Span& low, const Span& high, bool isEqual);

/// What a checker numbers, such as windows and the tokens of a vocabulary.
inline constexpr std::uint32_t mostNumbered = std::numeric_limits<std::uint32_t>::max();

/// A positive amount of one of the dimensions, whole where things are counted, and no rate.
bool checkAmount(FileContext& context, const model::Amount& quantity,
                 std::initializer_list<model::Dimension> dimensions, std::string_view subject);

} // namespace tikc::sema
