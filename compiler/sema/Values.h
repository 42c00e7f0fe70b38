#pragma once

#include "model/Amount.h"
#include "model/Metrics.h"
#include "sema/Context.h"

#include <cstdint>
#include <limits>
#include <optional>
#include <string_view>

namespace tikc::sema {

using model::ValueRange;

/// Checks that a quantity's unit fits the kind of value. Reports a misfit with the units that fit.
bool checkUnit(FileContext& context, const model::Amount& quantity, model::Measured measured,
               std::string_view subject);

/// Returns the quantity's value in the kind's base unit. A bit is a rational within 1e-18 of ln 2,
/// which is precise enough for linting.
Rational valueOf(const model::Amount& quantity);

/// Checks that a quantity states a share in [low, 1]. Reports another unit or a value out of range,
/// and offers a missing `%`.
bool checkShare(FileContext& context, const model::Amount& quantity, bool zeroAllowed,
                std::string_view subject);

/// Checks a confidence level: a share below 1.
bool checkLevel(FileContext& context, const model::Amount& confidence);

/// Reports two ends in the wrong order, or equal ends, between which no value lies.
void reportReversed(FileContext& context, const Span& low, const Span& high, bool isEqual);

/// The largest count that a checker stores, such as of windows and of a vocabulary's tokens.
inline constexpr std::uint32_t mostNumbered = std::numeric_limits<std::uint32_t>::max();

/// Checks a positive amount of one of the dimensions: an integer for counts, and not a rate.
bool checkAmount(FileContext& context, const model::Amount& quantity,
                 std::initializer_list<model::Dimension> dimensions, std::string_view subject);

} // namespace tikc::sema
