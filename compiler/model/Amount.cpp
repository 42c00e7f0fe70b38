#include "model/Amount.h"

#include <vector>

namespace tikc::model {
namespace {

constexpr UnitInfo unitTable[] = {
#define UNIT(Id, symbol, dimension, numerator, denominator, meaning)                               \
  {Unit::Id, symbol, Dimension::dimension, numerator, denominator, meaning},
#include "model/Units.def"
};

constexpr std::string_view dimensionNames[] = {"a plain number", "information", "time",
                                               "tokens",         "sequences",   "requests",
                                               "windows",        "steps",       "bytes"};

const Rational& scaleOf(Unit unit) {
  static const auto scales = [] {
    std::vector<Rational> out;
    for (const UnitInfo& row : unitTable)
      out.emplace_back(static_cast<unsigned long>(row.numerator),
                       static_cast<unsigned long>(row.denominator));
    return out;
  }();
  return scales[static_cast<std::size_t>(unit)];
}

} // namespace

std::span<const UnitInfo> units() { return unitTable; }
const UnitInfo& info(Unit unit) { return unitTable[static_cast<std::size_t>(unit)]; }
std::string_view dimensionName(Dimension dimension) {
  return dimensionNames[static_cast<std::size_t>(dimension)];
}

std::optional<Unit> findUnit(std::string_view symbol) {
  for (const UnitInfo& row : unitTable)
    if (row.symbol == symbol && row.unit != Unit::None)
      return row.unit;
  return std::nullopt;
}

Rational Amount::scaled() const {
  Rational result = value;
  if (const Rational& scale = scaleOf(unit); scale != 1)
    result *= scale;
  if (per)
    result /= scaleOf(*per);
  return result;
}

std::string print(const Amount& quantity) {
  std::string out = printRational(quantity.value);
  std::string_view symbol = info(quantity.unit).symbol;
  if (quantity.unit == Unit::Percent)
    out += symbol;
  else if (!symbol.empty())
    out.append(" ").append(symbol);
  if (quantity.per)
    out.append(" per ").append(info(*quantity.per).symbol);
  return out;
}

} // namespace tikc::model
