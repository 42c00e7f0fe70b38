#include "sema/Types.h"

#include <fmt/format.h>

#include <algorithm>

namespace tikc::sema {

using namespace model;
using model::FieldInfo;
using model::Measured;
using utf8::ticked;

namespace {

class PredicateTyper {
public:
  PredicateTyper(FileContext& context, const Symbols& symbols)
      : context_(context), symbols_(symbols) {}

  bool type(const Expr& expr) {
    switch (expr.kind) {
    case Expr::Kind::And:
    case Expr::Kind::Or:
    case Expr::Kind::Not: {
      bool good = true;
      for (const Expr& part : expr.arguments)
        good &= type(part);
      return good;
    }
    case Expr::Kind::Compare:
      return compare(expr);
    case Expr::Kind::In:
      return membership(expr);
    default:
      return wrong(expr, "a comparison such as prompt_tokens >= 8192");
    }
  }

private:
  bool wrong(const Expr& expr, std::string_view wanted) {
    context_.sink.report<diag::WrongArgument>(expr.span, wanted,
                                              ticked(context_.sources.text(expr.span)));
    return false;
  }

  bool compare(const Expr& expr) {
    const Expr& subject = expr.arguments[0];
    const Expr& value = expr.arguments[1];
    bool ordering = expr.comparator != Comparator::Equal && expr.comparator != Comparator::NotEqual;
    if (subject.kind != Expr::Kind::Name)
      return wrong(subject, "a request field or a label on the left");
    if (const Label* label = symbols_.label(subject.text)) {
      if (ordering) {
        context_.sink.report<diag::TextIsUnordered>(expr.nameSpan, ticked(subject.text));
        return false;
      }
      return labelValue(value, *label);
    }
    const FieldInfo* field = model::findField(subject.text);
    if (!field)
      return unknownField(subject);
    if (field->dimension != Measured::Text)
      return number(value, *field);
    if (ordering) {
      context_.sink.report<diag::TextIsUnordered>(expr.nameSpan, ticked(subject.text));
      return false;
    }
    return value.kind == Expr::Kind::String || wantText(value);
  }

  bool membership(const Expr& expr) {
    const Expr& subject = expr.arguments[0];
    const Expr& set = expr.arguments[1];
    if (subject.kind != Expr::Kind::Name)
      return wrong(subject, "a request field or a label on the left");
    const Label* label = symbols_.label(subject.text);
    const FieldInfo* field = model::findField(subject.text);
    if (!label && !field)
      return unknownField(subject);
    bool good = true;
    for (Expr value : set.arguments) {
      // Within braces a bare name can only be a value, so that quotes are not asked for.
      if (value.kind == Expr::Kind::Name)
        value.kind = Expr::Kind::String;
      if (label)
        good &= labelValue(value, *label);
      else if (field->dimension == Measured::Text)
        good &= value.kind == Expr::Kind::String || wantText(value);
      else
        good &= number(value, *field);
    }
    return good;
  }

  bool unknownField(const Expr& subject) {
    reportUnknown<diag::UnknownField>(context_, subject.text, subject.nameSpan,
                                      symbols_.fieldNames());
    return false;
  }

  bool wantText(const Expr& value) {
    auto& found = context_.sink.report<diag::WrongArgument>(
        value.span, "a quoted text", ticked(context_.sources.text(value.span)));
    if (value.kind == Expr::Kind::Name)
      found.fix("quote it", {{value.span.start(), "\""}, {value.span.finish(), "\""}});
    return false;
  }

  bool labelValue(const Expr& value, const Label& label) {
    if (value.kind != Expr::Kind::String)
      return wantText(value);
    if (label.values.empty()) // the list itself is at fault
      return false;
    std::vector<std::string_view> known;
    for (const Text& text : label.values)
      known.push_back(text.value);
    if (std::find(known.begin(), known.end(), value.text) != known.end())
      return true;
    auto& found = context_.sink.report<diag::UnknownLabelValue>(value.span, ticked(value.text),
                                                                ticked(label.name.text));
    found.relatedTo(label.name.span, "its values are declared here");
    if (auto near = nearestName(value.text, known)) {
      Expr meant = value;
      meant.text = *near;
      found.withLabel("did you mean " + ticked(*near) + "?")
          .fix("write " + utf8::printable(*near), {{value.span, model::print(meant)}},
               likeness(value.text, *near, known) == Likeness::Spelling);
    }
    return false;
  }

  bool number(const Expr& value, const FieldInfo& field) {
    if (value.kind != Expr::Kind::Quantity)
      return wrong(value, fmt::format("a number for `{}`", field.symbol));
    if (!checkUnit(context_, value.quantity, field.dimension, ticked(field.symbol)))
      return false;
    ValueRange domain = model::domainOf(field.range);
    Rational bound = value.quantity.scaled();
    bool outside = (domain.low && bound < *domain.low) || (domain.high && bound > *domain.high);
    bool fractional = field.whole && bound.get_den() != 1;
    if (!outside && !fractional)
      return true;
    context_.sink.report<diag::ValueOutOfRange>(value.span, ticked(field.symbol),
                                                ticked(context_.sources.text(value.span)),
                                                fractional ? "a whole number" : rangeOf(domain));
    return false;
  }

  /// In the base unit of the field, as `WrittenRange` is.
  static std::string rangeOf(const ValueRange& domain) {
    auto text = [](const Rational& bound) { return printRational(bound); };
    if (!domain.high)
      return "at least " + text(*domain.low);
    return domain.low ? fmt::format("from {} to {}", text(*domain.low), text(*domain.high))
                      : "at most " + text(*domain.high);
  }

  FileContext& context_;
  const Symbols& symbols_;
};

} // namespace

bool typePredicate(FileContext& context, const Symbols& symbols, const Expr& predicate) {
  return PredicateTyper(context, symbols).type(predicate);
}

} // namespace tikc::sema
