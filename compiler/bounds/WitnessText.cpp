#include "bounds/Witness.h"

#include <fmt/format.h>

namespace tikc::bounds {
namespace {

constexpr unsigned shownDigits = 5;

std::string shown(const Rational& value) {
  return decimal(value, shownDigits, value < 0 ? Rounding::Up : Rounding::Down);
}

std::string list(const std::vector<Rational>& values) {
  std::vector<std::string> texts;
  texts.reserve(values.size());
  for (const Rational& value : values)
    texts.push_back(shown(value));
  return fmt::format("({})", fmt::join(texts, ", "));
}

std::string describeKind(const Witness& witness, const Witness::Kind& kind) {
  unsigned long tokens = 0;
  bool single = true;
  for (unsigned long copies : witness.copies) {
    tokens += copies;
    single = single && copies == 1;
  }
  std::string who = kind.weight == 1
                        ? std::string("every context has")
                        : fmt::format("{} % of contexts have", shown(kind.weight * 100));
  std::string sizes =
      single ? std::string() : fmt::format(", {} of them", fmt::join(witness.copies, " and "));
  return fmt::format(
      "{} {} tokens{} with trainer logits {} and inference logits {}, and masks the rest", who,
      tokens, sizes, list(kind.train), list(kind.infer));
}

} // namespace

std::vector<std::string> describe(const Witness& witness) {
  std::vector<std::string> out;
  for (const Witness::Kind& kind : witness.kinds)
    if (kind.weight > 0)
      out.push_back("counterexample: " + describeKind(witness, kind));
  if (witness.steps > 1)
    out.push_back(fmt::format("a response is {} such tokens, drawn independently", witness.steps));
  for (std::size_t i = 0; i < witness.rows.size(); ++i) {
    const Witness::Row& row = witness.rows[i];
    bool isClaim = i + 1 == witness.rows.size();
    out.push_back(fmt::format("{} is {} there, {} {}", row.what, print(row.value, shownDigits),
                              isClaim ? "not" : "as it must be:", row.asked));
  }
  return out;
}

} // namespace tikc::bounds
