#pragma once

#include "support/Rational.h"
#include "support/Span.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace tikc::model {

enum class Dimension : std::uint8_t {
  None,
  Information,
  Time,
  Tokens,
  Sequences,
  Requests,
  Windows,
  Steps,
  Bytes
};

enum class Unit : std::uint8_t {
#define UNIT(Id, ...) Id,
#include "model/Units.def"
};

struct UnitInfo {
  Unit unit;
  std::string_view symbol;
  Dimension dimension;
  std::uint64_t numerator;
  std::uint64_t denominator;
  std::string_view meaning;
};

std::span<const UnitInfo> units();
const UnitInfo& info(Unit unit);
std::optional<Unit> findUnit(std::string_view symbol);
std::string_view dimensionName(Dimension dimension);

/// A number as written: its exact value before the unit's scale, and its unit. `per` makes it a
/// rate.
struct Amount {
  Rational value;
  Unit unit = Unit::None;
  std::optional<Unit> per;
  Span span; // of number and unit; numberSpan is the number alone
  Span numberSpan;

  Dimension dimension() const { return info(unit).dimension; }
  /// Returns the exact value in the dimension's base unit, a rate per second. Bits are not
  /// converted: check the unit.
  Rational scaled() const;
};

/// Returns "0.1 nat", "20%" or "200000 per s", which reads back as an equal quantity.
std::string print(const Amount& quantity);

} // namespace tikc::model
