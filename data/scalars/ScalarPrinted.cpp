#include "data/scalars/ScalarBuilder.h"

#include <fmt/format.h>
#include <llvm/ADT/StringExtras.h>
#include <llvm/ADT/StringRef.h>

#include <cmath>
#include <limits>
#include <optional>

/// What llama-perplexity prints of two kernels, after whatever else it said:
///
///     ====== KL divergence statistics ======
///     Mean    KLD:   0.001393 ±   0.000013
///     99.9%   KLD:   0.031416
///     Same top p: 97.674 ± 0.040 %
namespace tikc::data {
namespace {

constexpr llvm::StringRef plusMinus = "±";
constexpr llvm::StringRef statistics = "====== KL divergence statistics ======";

/// "99.9% KLD" of "99.9%   KLD".
std::string withSingleBlanks(llvm::StringRef text) {
  std::string out;
  for (char each : text.trim())
    if (each != ' ' || out.back() != ' ')
      out += each;
  return out;
}

struct Printed {
  double value = 0;
  double off = 0; // half of its last digit
};

/// "0.001393", "97.674%": what is printed as a percentage is a share.
std::optional<Printed> printedNumber(llvm::StringRef text, bool isPercentage) {
  Printed out;
  if (text.equals_insensitive("nan") || text.equals_insensitive("-nan"))
    return Printed{std::numeric_limits<double>::quiet_NaN(), 0};
  if (!llvm::to_float(text, out.value))
    return std::nullopt;
  const auto point = text.find('.');
  const double digits =
      point == llvm::StringRef::npos ? 0 : static_cast<double>(text.size() - point - 1);
  out.off = std::pow(10, -digits) / 2;
  if (isPercentage) {
    out.value /= 100;
    out.off /= 100;
  }
  return out;
}

void readLine(llvm::StringRef line, std::uint64_t number, ScalarBuilder& into) {
  const auto [name, rest] = line.rsplit(':');
  auto [value, error] = rest.split(plusMinus);
  const bool isPercentage = rest.rtrim().ends_with("%");
  const std::string wanted = withSingleBlanks(name);
  if (wanted.empty())
    return;
  const auto read = printedNumber(value.trim(" %"), isPercentage);
  if (!read)
    return;
  into.add(wanted, std::nullopt, read->value, number, read->off);
}

} // namespace

bool isPrinted(Records lines) {
  while (const auto record = lines.next())
    if (const llvm::StringRef line = record->text;
        line.contains(statistics) || (line.contains("KL Divergence") && line.contains("PPL(base)")))
      return true;
  return false;
}

std::string readScalarPrinted(Records lines, ScalarBuilder& into) {
  bool isInStatistics = false, isComplete = false;
  into.beginRecord();
  while (const auto record = lines.next()) {
    if (!record->fault.empty())
      return fmt::format("line {}: {}", record->line, record->fault);
    const llvm::StringRef line = record->text;
    isComplete = isComplete || line.contains(statistics);
    if (line.starts_with("======"))
      isInStatistics = true; // earlier figures are about a part of the text
    else if (isInStatistics && line.contains(':') && record->isOpen) // digits may be missing
      return fmt::format("line {}: the line does not end; the file is truncated or still being "
                         "written",
                         record->line);
    else if (isInStatistics && line.contains(':'))
      readLine(line.rtrim('\r'), record->line, into);
  }
  if (std::string fault = lines.fault(); !fault.empty() || isComplete)
    return fault;
  return "the log ends before its KL divergence statistics; the file is truncated or still being "
         "written";
}

} // namespace tikc::data
