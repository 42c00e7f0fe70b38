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

/// A number as written: its exact value before the unit's scale, and the unit. `per` makes a rate.
struct Amount {
  Rational value;
  Unit unit = Unit::None;
  std::optional<Unit> per;
  Span span; // the whole; the number alone is numberSpan
  Span numberSpan;

  Dimension dimension() const { return info(unit).dimension; }
  /// The value in the dimension's base unit (for a rate, per second), exactly. Bits stay bits: ask
  /// the unit.
  Rational scaled() const;
};

/// "0.1 nat", "20%", "200000 per s": reads back as the same quantity.
std::string print(const Amount& quantity);

} // namespace tikc::model
