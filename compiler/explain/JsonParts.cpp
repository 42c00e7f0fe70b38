#include "explain/JsonParts.h"

#include "explain/Words.h"

#include <llvm/Support/raw_ostream.h>

namespace tikc::explain {

using llvm::json::OStream;

namespace {

constexpr unsigned decimalDigits = 20;

/// p/q, whatever the number; printRational would write a decimal where one exists.
std::string fraction(const Rational& value) { return value.get_str(); }

} // namespace

std::string jsonText(llvm::function_ref<void(OStream&)> body) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  OStream out(stream, 2);
  body(out);
  out.flush();
  stream << '\n';
  return stream.str();
}

void words(OStream& out, std::string_view name, std::string_view text) {
  out.attribute(asRef(name), llvm::json::fixUTF8(asRef(text)));
}

void amount(OStream& out, std::string_view name, const Rational& value, bounds::Rounding rounding) {
  out.attributeObject(asRef(name), [&] {
    out.attribute("exact", fraction(value));
    out.attribute("decimal", bounds::decimal(value, decimalDigits, rounding));
  });
}

void spot(OStream& out, const Spot& at) {
  out.attributeObject("at", [&] {
    words(out, "file", at.file);
    out.attribute("line", at.at.line);
    out.attribute("column", at.at.column);
  });
}

void ground(OStream& out, const Ground& row) {
  out.attribute("kind", asRef(kindName(row.kind)));
  words(out, "name", row.name);
  words(out, "text", row.text);
  if (!row.because.empty())
    words(out, "because", row.because);
  if (row.spot)
    spot(out, *row.spot);
}

void texts(OStream& out, std::string_view name, const std::vector<std::string>& rows) {
  out.attributeArray(asRef(name), [&] {
    for (const std::string& row : rows)
      out.value(llvm::json::fixUTF8(row));
  });
}

void reach(OStream& out, const Reach& row) {
  ground(out, row.ground);
  amount(out, "declared", row.declared, bounds::Rounding::Up);
  if (row.extent.largest)
    amount(out, "largest", *row.extent.largest, bounds::Rounding::Down);
  out.attribute("any", row.extent.isFree);
}

} // namespace tikc::explain
