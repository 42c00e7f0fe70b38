#include "bounds/facts/Evaluate.h"
#include "driver/Commands.h"
#include "explain/LemmaText.h"
#include "support/Files.h"
#include "support/Json.h"
#include "support/Names.h"
#include "support/StringRef.h"
#include "support/Utf8.h"
#include "support/Wrap.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace tikc::driver {

using bounds::Lemma;
using bounds::NamedValue;
using bounds::Real;
using bounds::Rounding;

namespace {

constexpr unsigned leastBits = 64, mostBits = 4096;
constexpr unsigned endDigits = 45;   // of an end, in JSON
constexpr unsigned shownDigits = 30; // of an end, for people
constexpr unsigned surestDigits = 20;

/// As nearestName compares: without regard to the case of letters.
std::string folded(std::string_view id) {
  std::string out = asRef(id).lower();
  std::replace(out.begin(), out.end(), '-', '_');
  return out;
}

llvm::Expected<const Lemma*> findLemma(std::string_view wanted) {
  std::vector<std::string> ids;
  for (const Lemma* lemma : bounds::allLemmas()) {
    ids.push_back(folded(lemma->id));
    if (ids.back() == folded(wanted))
      return lemma;
  }
  std::string message = fmt::format("unknown lemma {}", utf8::ticked(wanted));
  std::vector<std::string_view> names(ids.begin(), ids.end());
  if (auto near = nearestName(wanted, names)) {
    auto at = std::find(names.begin(), names.end(), *near) - names.begin();
    message +=
        fmt::format("; did you mean `{}`?", bounds::allLemmas()[static_cast<std::size_t>(at)]->id);
  }
  return usageError(message + " (`tikc bound` lists them)");
}

llvm::Expected<unsigned> readPrecision(const Invocation& invocation) {
  std::string text = invocation.get("--precision");
  unsigned bits = 0;
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), bits);
  if (error != std::errc() || end != text.data() + text.size() || bits < leastBits ||
      bits > mostBits)
    return usageError(
        fmt::format("invalid value {2} for --precision; expected a whole number from {0} to {1}",
                    leastBits, mostBits, utf8::ticked(text)));
  return bits;
}

llvm::Expected<std::vector<NamedValue>> readInputs(const Lemma& lemma,
                                                   const std::vector<std::string>& words) {
  std::vector<NamedValue> out;
  for (const std::string& word : words) {
    auto equals = word.find('=');
    if (equals == std::string::npos || equals == 0)
      return usageError(
          fmt::format("invalid argument {}; expected NAME=VALUE (see `tikc bound {}`)",
                      utf8::ticked(word), lemma.id));
    out.push_back({word.substr(0, equals), word.substr(equals + 1)});
  }
  return out;
}

// ---- pages ----

/// "tikc bound L-MARKOV mean=… t=…"
std::string usageOf(const Lemma& lemma) {
  std::string out = fmt::format("tikc bound {}", lemma.id);
  for (const bounds::Parameter& row : lemma.parameters())
    out += fmt::format(" {}=…", row.name);
  return out;
}

std::string page(const Lemma& lemma) {
  std::string out = fmt::format("{}\n\n{}\n", lemma.id, wrapped(lemma.statement, 0, 0));
  for (const explain::LemmaPart& part : explain::partsOf(lemma))
    out += fmt::format("\n{}:\n  {}\n", part.title, wrapped(part.text, 2, 2));
  auto uses = explain::usesOf(lemma);
  out += uses.empty() ? "" : "\nIn derivations:\n";
  for (const std::string& use : uses)
    out += fmt::format("  - {}\n", wrapped(use, 4, 4));
  auto parameters = lemma.parameters();
  if (parameters.empty())
    return out + "\nIts inputs are lists of numbers, which this command cannot evaluate.\n";
  out += "\nParameters:\n";
  for (const bounds::Parameter& row : parameters)
    out += fmt::format("  {:<8}  {}; {}\n", row.name, row.meaning, domainText(row.domain));
  return out + fmt::format("\nUsage: {}\n", usageOf(lemma));
}

std::string lemmaListing() {
  std::string out;
  for (const bounds::Section& section : bounds::sections()) {
    if (section.lemmas.empty())
      continue;
    out += fmt::format("{}{}\n", out.empty() ? "" : "\n", section.title);
    for (const Lemma* lemma : section.lemmas) {
      constexpr std::size_t column = 22;
      out += fmt::format("  {:<18}  ", lemma->id) +
             wrapped(lemma->statement, column, std::max(column, lemma->id.size() + 4)) + '\n';
    }
  }
  return out;
}

// ---- values ----

/// Digits that both ends share, cut off rather than rounded; empty where not even one is certain.
std::string certainDigits(const Real& value) {
  Rational low = value.lower(), high = value.upper();
  if (sgn(low) != sgn(high) || low == 0)
    return {};
  Rounding inward = low > 0 ? Rounding::Down : Rounding::Up;
  for (unsigned digits = surestDigits; digits > 0; --digits) {
    std::string text = decimal(low, digits, inward);
    if (text == decimal(high, digits, inward))
      return text;
  }
  return {};
}

/// A finite decimal that is short enough to write down; empty where there is none.
std::string exactDecimal(const Real& value, unsigned digits) {
  std::string text = value.isExact() ? printRational(value.lower()) : "/";
  return text.find('/') == std::string::npos && text.size() <= digits ? text : std::string();
}

std::string end(const Real& value, Rounding side, unsigned digits) {
  std::string exact = exactDecimal(value, digits);
  bool isLower = side == Rounding::Down;
  return exact.empty() ? decimal(isLower ? value.lower() : value.upper(), digits, side) : exact;
}

std::string valueText(const Real& value) {
  if (value.isExact() && printRational(value.lower()).size() <= shownDigits)
    return fmt::format("= {}, exactly", printRational(value.lower()));
  std::string digits = certainDigits(value);
  if (digits.empty())
    return "is between these bounds";
  auto exponent = std::min(digits.find('e'), digits.size());
  return fmt::format("= {}…{}", digits.substr(0, exponent), digits.substr(exponent));
}

std::string answer(const Lemma& lemma, const std::vector<NamedValue>& inputs, const Real& value) {
  std::string text;
  for (const NamedValue& input : inputs)
    text += fmt::format("{}{} = {}", text.empty() ? "" : ", ", input.name, input.value);
  std::string out = fmt::format("{}({}) {}\n\n  {}\n", lemma.id, text, valueText(value),
                                wrapped(lemma.formula, 2, 2));
  if (exactDecimal(value, shownDigits).empty())
    out +=
        fmt::format("\n  at least  {}\n  at most   {}\n", end(value, Rounding::Down, shownDigits),
                    end(value, Rounding::Up, shownDigits));
  return out;
}

// ---- JSON ----

void jsonPage(llvm::json::OStream& out, const Lemma& lemma) {
  out.object([&] {
    out.attribute("lemma", asRef(lemma.id));
    out.attribute("statement", asRef(lemma.statement));
    for (const explain::LemmaPart& part : explain::partsOf(lemma))
      out.attribute(asRef(part.title).lower(), part.text);
    out.attributeArray("uses", [&] {
      for (const std::string& use : explain::usesOf(lemma))
        out.value(use);
    });
    out.attributeArray("parameters", [&] {
      for (const bounds::Parameter& row : lemma.parameters())
        out.object([&] {
          out.attribute("name", asRef(row.name));
          out.attribute("domain", asRef(domainText(row.domain)));
          out.attribute("meaning", asRef(row.meaning));
        });
    });
  });
}

void jsonAnswer(llvm::json::OStream& out, const Lemma& lemma, const std::vector<NamedValue>& inputs,
                const Real& value) {
  out.object([&] {
    out.attribute("lemma", asRef(lemma.id));
    out.attributeObject("inputs", [&] {
      for (const NamedValue& input : inputs)
        out.attribute(input.name, input.value);
    });
    out.attribute("lower", end(value, Rounding::Down, endDigits));
    out.attribute("upper", end(value, Rounding::Up, endDigits));
  });
}

llvm::Expected<std::string> evaluated(const Lemma& lemma, const Invocation& invocation,
                                      unsigned bits) {
  auto inputs = readInputs(lemma, {invocation.arguments.begin() + 1, invocation.arguments.end()});
  if (!inputs)
    return inputs.takeError();
  auto value = bounds::evaluate(lemma, *inputs, bits);
  if (!value)
    return usageError(llvm::toString(value.takeError()));
  if (invocation.get("--format") == "json")
    return writeJson([&](auto& out) { jsonAnswer(out, lemma, *inputs, *value); });
  return answer(lemma, *inputs, *value);
}

} // namespace

llvm::Expected<int> runBound(const Invocation& invocation) {
  auto bits = readPrecision(invocation);
  if (!bits)
    return bits.takeError();
  bool isJson = invocation.get("--format") == "json";
  std::string text;
  if (invocation.arguments.empty()) {
    text = isJson ? writeJson([](auto& out) {
      out.array([&] {
        for (const Lemma* lemma : bounds::allLemmas())
          jsonPage(out, *lemma);
      });
    })
                  : lemmaListing();
  } else if (invocation.has("--list")) {
    return usageError("--list cannot be combined with a lemma");
  } else {
    auto lemma = findLemma(invocation.arguments.front());
    if (!lemma)
      return lemma.takeError();
    bool wantsPage = invocation.arguments.size() == 1 || invocation.has("--help");
    if (!wantsPage) {
      auto answer = evaluated(**lemma, invocation, *bits);
      if (!answer)
        return answer.takeError();
      text = std::move(*answer);
    } else
      text = isJson ? writeJson([&](auto& out) { jsonPage(out, **lemma); }) : page(**lemma);
  }
  if (auto error = writeStandardOutput(text))
    return error;
  return Clean;
}

} // namespace tikc::driver
