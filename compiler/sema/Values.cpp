#include "sema/Values.h"

#include "support/Check.h"
#include "support/Names.h"
#include "support/Utf8.h"

#include <fmt/format.h>

#include <algorithm>

namespace tikc::sema {

using model::Amount;
using model::Dimension;
using model::Measured;
using model::Unit;
using utf8::ticked;

namespace {

std::string_view unitsFor(Measured measured) {
  switch (measured) {
  case Measured::None:
    return "a plain number or %";
  case Measured::Information:
    return "nat or bit; a bare number is in nats";
  case Measured::Time:
    return "ns, us, ms, s, min, h or d";
  case Measured::Tokens:
    return "tokens, or a bare number";
  case Measured::Requests:
    return "requests, or a bare number";
  case Measured::TokenRate:
    return "tokens per s";
  case Measured::Text:
    return "a text";
  }
  TIKC_CHECK(false, "each dimension has its case");
}

bool isCounted(Dimension dimension) {
  return dimension == Dimension::Tokens || dimension == Dimension::Sequences ||
         dimension == Dimension::Requests || dimension == Dimension::Windows ||
         dimension == Dimension::Steps;
}

bool fits(const Amount& quantity, Measured measured) {
  bool bare = quantity.unit == Unit::None;
  if (measured == Measured::TokenRate)
    return quantity.per && (bare || quantity.unit == Unit::Tokens);
  if (quantity.per)
    return false;
  switch (measured) {
  case Measured::None:
    return quantity.dimension() == Dimension::None;
  case Measured::Information:
    return bare || quantity.dimension() == Dimension::Information;
  case Measured::Time:
    return quantity.dimension() == Dimension::Time;
  case Measured::Tokens:
    return bare || quantity.dimension() == Dimension::Tokens;
  case Measured::Requests:
    return bare || quantity.dimension() == Dimension::Requests;
  default:
    return false;
  }
}

} // namespace

Rational valueOf(const Amount& quantity) {
  if (quantity.unit != Unit::Bit)
    return quantity.scaled();
  // Rounded up as the tables have it, so that one bit is the end of a range that ends there.
  static const Rational ln2("6931471805599454/10000000000000000");
  return quantity.scaled() * ln2;
}

bool checkUnit(FileContext& context, const Amount& quantity, Measured measured,
               std::string_view subject) {
  if (fits(quantity, measured))
    return true;
  auto& found = context.sink.report<diag::UnitMismatch>(
      quantity.span, subject, ticked(context.sources.text(quantity.span)));
  found.note(fmt::format("units here: {}", unitsFor(measured)));
  if (measured == Measured::Time && quantity.unit == Unit::None && !quantity.per)
    for (std::string_view unit : {"ms", "s"})
      found.unsafeFix(fmt::format("write {}", unit),
                      {{quantity.numberSpan.finish(), fmt::format(" {}", unit)}});
  return false;
}

bool checkShare(FileContext& context, const Amount& quantity, bool zeroAllowed,
                std::string_view subject) {
  if (!checkUnit(context, quantity, Measured::None, subject))
    return false;
  Rational value = quantity.scaled();
  if (value <= 1 && (value > 0 || (zeroAllowed && value == 0)))
    return true;
  auto& found = context.sink.report<diag::ShareOutOfRange>(
      quantity.span, subject, ticked(context.sources.text(quantity.span)));
  if (quantity.unit == Unit::None && value > 1 && value <= 100)
    found.withLabel("missing percent sign?").unsafeFix("add %", {{quantity.span.finish(), "%"}});
  return false;
}

bool checkLevel(FileContext& context, const Amount& confidence) {
  if (!checkShare(context, confidence, false, "a confidence"))
    return false;
  if (confidence.scaled() < 1)
    return true;
  context.sink
      .report<diag::ShareOutOfRange>(confidence.span, "a confidence",
                                     ticked(context.sources.text(confidence.span)))
      .note("no finite sample gives certainty; write 99% or 99.9%");
  return false;
}

bool checkAmount(FileContext& context, const Amount& quantity,
                 std::initializer_list<Dimension> dimensions, std::string_view subject) {
  std::string written = ticked(context.sources.text(quantity.span));
  bool known =
      std::find(dimensions.begin(), dimensions.end(), quantity.dimension()) != dimensions.end();
  if (!known || quantity.per) {
    std::vector<std::string_view> names;
    for (Dimension dimension : dimensions)
      names.push_back(model::dimensionName(dimension));
    auto& found = context.sink.report<diag::UnitMismatch>(quantity.span, subject, written);
    found.note("expected: " + joinAlternatives(names));
    // Of times a bare number does not say which unit.
    const bool isBare = quantity.unit == Unit::None && !quantity.per && names.size() == 1;
    if (isBare && *dimensions.begin() != Dimension::Time)
      found.unsafeFix(fmt::format("write `{} {}`", written.substr(1, written.size() - 2), names[0]),
                      {{quantity.numberSpan.finish(), fmt::format(" {}", names[0])}});
    if (*dimensions.begin() == Dimension::Windows && quantity.dimension() == Dimension::Time)
      found.note("rules count windows; the `window` of a promotion stage says how long one lasts");
    return false;
  }
  Rational value = quantity.scaled();
  bool whole = !isCounted(quantity.dimension()) || value.get_den() == 1;
  bool fits = quantity.dimension() != Dimension::Windows || value <= mostNumbered;
  if (value > 0 && whole && fits)
    return true;
  context.sink.report<diag::AmountOutOfRange>(quantity.span, subject, written,
                                              !whole ? "a whole number"
                                              : fits ? "a positive amount"
                                                     : fmt::format("at most {}", mostNumbered));
  return false;
}

void reportReversed(FileContext& context, const Span& low, const Span& high, bool isEqual) {
  auto& found =
      context.sink.report<diag::ReversedRange>(join(low, high), isEqual ? "equals" : "is above");
  if (!isEqual)
    found.unsafeFix("swap the ends", {{low, std::string(context.sources.text(high))},
                                      {high, std::string(context.sources.text(low))}});
}

} // namespace tikc::sema
