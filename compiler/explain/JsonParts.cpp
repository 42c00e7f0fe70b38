#include "explain/JsonParts.h"

#include "explain/Words.h"

namespace tikc::explain {

using llvm::json::OStream;

namespace {

constexpr unsigned decimalDigits = 20;

/// p/q, whatever the number; printRational would write a decimal where one exists.
std::string fraction(const Rational& value) { return value.get_str(); }

} // namespace

void amount(OStream& out, std::string_view name, const Rational& value, bounds::Rounding rounding) {
  out.attributeObject(asRef(name), [&] {
    out.attribute("exact", fraction(value));
    out.attribute("decimal", bounds::decimal(value, decimalDigits, rounding));
  });
}

void spot(OStream& out, const Spot& at) {
  out.attributeObject("at", [&] {
    jsonText(out, "file", at.file);
    out.attribute("line", at.at.line);
    out.attribute("column", at.at.column);
  });
}

void ground(OStream& out, const Ground& row) {
  out.attribute("kind", asRef(kindName(row.kind)));
  jsonText(out, "name", row.name);
  jsonText(out, "text", row.text);
  if (!row.because.empty())
    jsonText(out, "because", row.because);
  if (row.spot)
    spot(out, *row.spot);
}

void reach(OStream& out, const Reach& row) {
  ground(out, row.ground);
  amount(out, "declared", row.declared, bounds::Rounding::Up);
  if (row.extent.largest)
    amount(out, "largest", *row.extent.largest, bounds::Rounding::Down);
  out.attribute("any", row.extent.isFree);
}

} // namespace tikc::explain
