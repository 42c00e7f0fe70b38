#include "bounds/facts/Evaluate.h"

#include "support/Check.h"
#include "support/Names.h"
#include "support/Utf8.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace tikc::bounds {
namespace {

template <typename... T> llvm::Error fault(fmt::format_string<T...> format, T&&... arguments) {
  return llvm::createStringError(llvm::inconvertibleErrorCode(),
                                 fmt::format(format, std::forward<T>(arguments)...));
}

std::optional<Rational> readNumber(std::string_view text) {
  if (text.ends_with('%')) {
    auto percent = parseDecimal(text.substr(0, text.size() - 1));
    return percent ? std::optional(Rational(*percent / 100)) : std::nullopt;
  }
  auto slash = text.find('/');
  auto numerator = parseDecimal(text.substr(0, slash));
  if (slash == std::string_view::npos || !numerator)
    return numerator;
  auto denominator = parseDecimal(text.substr(slash + 1));
  if (!denominator || *denominator == 0)
    return std::nullopt;
  return Rational(*numerator / *denominator);
}

struct FormatRow {
  std::string_view name;
  unsigned precision;
};
constexpr FormatRow formatRows[] = {{"fp64", 53},    {"fp32", 24}, {"tf32", 11},    {"fp16", 11},
                                    {"bf16", 8},     {"e4m3", 4},  {"fp8_e4m3", 4}, {"e5m2", 3},
                                    {"fp8_e5m2", 3}, {"e2m1", 2}};

std::vector<std::string_view> formatNames() {
  std::vector<std::string_view> out;
  for (const FormatRow& row : formatRows)
    out.push_back(row.name);
  return out;
}

llvm::Error unknownParameter(const Lemma& lemma, std::string_view name) {
  std::vector<std::string_view> names;
  for (const Parameter& parameter : lemma.parameters())
    names.push_back(parameter.name);
  std::string message = fmt::format("{} has no parameter {}", lemma.id, utf8::ticked(name));
  if (auto near = nearestName(name, names))
    return fault("{}; did you mean `{}`?", message, *near);
  return fault("{}; it takes {}", message, fmt::join(names, ", "));
}

llvm::Error notOne(const Parameter& parameter, std::string_view value) {
  return fault("{} is {}: {} is not one", parameter.name,
               parameter.domain == Domain::Format
                   ? fmt::format("a number format ({})", joinAlternatives(formatNames()))
                   : "a number such as 0.25, 1e-4, 1% or 1/3",
               utf8::ticked(value));
}

bool isIn(Domain domain, const Real& value) {
  bool whole = value.isExact() && value.lower().get_den() == 1;
  switch (domain) {
  case Domain::Any:
  case Domain::Format:
    return true;
  case Domain::NonNegative:
    return isAtMost(0, value);
  case Domain::Positive:
    return isLess(0, value);
  case Domain::AtLeastOne:
    return isAtMost(1, value);
  case Domain::Share:
    return isAtMost(0, value) && isAtMost(value, 1);
  case Domain::OpenShare:
    return isLess(0, value) && isLess(value, 1);
  case Domain::Count:
    return whole && isAtMost(1, value);
  case Domain::Whole:
    return whole && isAtMost(0, value);
  }
  TIKC_CHECK(false, "each domain has its case");
}

} // namespace

std::string_view domainText(Domain domain) {
  switch (domain) {
  case Domain::Any:
    return "any number";
  case Domain::NonNegative:
    return "at least 0";
  case Domain::Positive:
    return "above 0";
  case Domain::AtLeastOne:
    return "at least 1";
  case Domain::Share:
    return "from 0 to 1";
  case Domain::OpenShare:
    return "above 0 and below 1";
  case Domain::Count:
    return "a whole number, at least 1";
  case Domain::Whole:
    return "a whole number, at least 0";
  case Domain::Format:
    return "a number format, such as bf16";
  }
  TIKC_CHECK(false, "each domain has its case");
}

std::optional<Rational> unitRoundoff(std::string_view format) {
  for (const FormatRow& row : formatRows)
    if (row.name == format)
      return Rational(1, mpz_class(1) << row.precision);
  return std::nullopt;
}

bool areInDomain(const Lemma& lemma, Arguments values) {
  for (std::size_t i = 0; i < values.size(); ++i)
    if (!isIn(lemma.parameters()[i].domain, values[i]))
      return false;
  return true;
}

llvm::Expected<Real> evaluate(const Lemma& lemma, const std::vector<NamedValue>& inputs,
                              unsigned bits) {
  auto parameters = lemma.parameters();
  if (!lemma.evaluate)
    return fault("{} takes lists of numbers: there is nothing to evaluate", lemma.id);
  std::vector<std::optional<Real>> values(parameters.size());
  for (const NamedValue& input : inputs) {
    auto row = std::find_if(parameters.begin(), parameters.end(), [&](const Parameter& parameter) {
      return parameter.name == input.name;
    });
    if (row == parameters.end())
      return unknownParameter(lemma, input.name);
    auto& value = values[static_cast<std::size_t>(row - parameters.begin())];
    if (value)
      return fault("{} is given twice", input.name);
    auto number =
        row->domain == Domain::Format ? unitRoundoff(input.value) : readNumber(input.value);
    if (!number)
      return notOne(*row, input.value);
    if (!isIn(row->domain, Real(*number, bits)))
      return fault("{} must be {}, found {}", row->name, domainText(row->domain),
                   utf8::ticked(input.value));
    value = Real(*number, bits);
  }
  std::vector<Real> arguments;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (!values[i])
      return fault("{} needs {}: {}", lemma.id, parameters[i].name, parameters[i].meaning);
    arguments.push_back(*values[i]);
  }
  Result result = lemma.evaluate(arguments);
  if (!result)
    return fault("{} does not apply to these numbers: {}", lemma.id, lemma.hypotheses);
  if (!result->isUsable())
    return fault("{} has no finite value at these numbers", lemma.id);
  return *result;
}

} // namespace tikc::bounds
