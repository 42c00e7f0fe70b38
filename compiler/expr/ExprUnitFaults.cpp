#include "expr/ExprFaults.h"
#include "model/Amount.h"
#include "support/Names.h"
#include "support/Utf8.h"

#include <llvm/ADT/StringRef.h>

#include <algorithm>

namespace tikc::expr {
namespace {

using utf8::ticked;

struct Alias {
  std::string_view written, symbol;
  bool isSure = true;
};

// Other tools' spellings, in lower case. Whether `m` is minutes, and `kb` 1,024 bytes, nobody
// knows.
constexpr Alias aliases[] = {{"sec", "s"},
                             {"secs", "s"},
                             {"second", "s"},
                             {"seconds", "s"},
                             {"m", "min", false},
                             {"mins", "min"},
                             {"minute", "min"},
                             {"minutes", "min"},
                             {"hr", "h"},
                             {"hrs", "h"},
                             {"hour", "h"},
                             {"hours", "h"},
                             {"day", "d"},
                             {"days", "d"},
                             {"msec", "ms"},
                             {"msecs", "ms"},
                             {"millis", "ms"},
                             {"millisecond", "ms"},
                             {"milliseconds", "ms"},
                             {"usec", "us"},
                             {"usecs", "us"},
                             {"microsecond", "us"},
                             {"microseconds", "us"},
                             {"nsec", "ns"},
                             {"nanosecond", "ns"},
                             {"nanoseconds", "ns"},
                             {"nats", "nat"},
                             {"bits", "bit"},
                             {"percent", "%"},
                             {"pct", "%"},
                             {"token", "tokens"},
                             {"tok", "tokens"},
                             {"toks", "tokens"},
                             {"row", "tokens", false}, // a window counts a row as one
                             {"rows", "tokens", false},
                             {"seq", "sequences"},
                             {"seqs", "sequences"},
                             {"sequence", "sequences"},
                             {"response", "sequences"},
                             {"responses", "sequences"},
                             {"req", "requests"},
                             {"reqs", "requests"},
                             {"request", "requests"},
                             {"window", "windows"},
                             {"byte", "B"},
                             {"bytes", "B"},
                             {"kb", "KiB", false},
                             {"kib", "KiB"},
                             {"mb", "MiB", false},
                             {"mib", "MiB"},
                             {"gb", "GiB", false},
                             {"gib", "GiB"}};

std::string lower(llvm::StringRef text) { return text.lower(); }

struct MeantUnit {
  std::string_view symbol;
  bool isSure;
};

std::optional<MeantUnit> meantUnit(std::string_view written, bool isRate) {
  std::string folded = lower(written);
  for (const Alias& row : aliases)
    if (row.written == folded)
      return MeantUnit{row.symbol, row.isSure};
  std::vector<std::string_view> symbols;
  for (const model::UnitInfo& row : model::units()) {
    if (row.unit == model::Unit::None || (isRate && row.dimension != model::Dimension::Time))
      continue;
    // In the other case, b is a bit, and Ms a megasecond.
    if (lower(row.symbol) == folded)
      return MeantUnit{row.symbol, folded.size() > 2};
    symbols.push_back(row.symbol);
  }
  // Among symbols of one or two letters everything is near.
  auto nearest = written.size() > 3 ? nearestName(written, symbols) : std::nullopt;
  return nearest && nearest->size() > 2 ? std::optional(MeantUnit{*nearest, false}) : std::nullopt;
}

/// 5k and 2M: the digits written out, where the number is whole.
std::optional<std::string> writtenOut(std::string_view digits, std::string_view suffix) {
  std::size_t zeros = suffix == "k" || suffix == "K" ? 3
                      : suffix == "M"                ? 6
                      : suffix == "G"                ? 9
                                                     : 0;
  if (zeros == 0 || digits.find_first_not_of("0123456789") != std::string_view::npos)
    return std::nullopt;
  return groupThousands(std::string(digits) + std::string(zeros, '0'));
}

} // namespace

void reportUnknownUnit(const ExprText& expr, std::size_t unit, ExprReport& report) {
  const ExprToken& token = expr.tokens[unit];
  std::string_view text = expr.of(unit);
  bool isRate = unit > 0 && expr.kind(unit - 1) == TokenKind::Per;

  if (TokenKind word = keywordIgnoringCase(text); word != TokenKind::End) {
    auto& finding = report.at<diag::ForeignWord>(token, ticked(text), ticked(keyword(word)));
    report.fix(finding, "write it in lower case",
               {{token.begin, token.end, std::string(keyword(word))}});
    return;
  }
  if (!isRate && expr.touchesNext(unit - 1))
    if (auto digits = writtenOut(expr.of(unit - 1), text)) {
      auto& finding = report.at<diag::UnknownUnit>(token, ticked(text),
                                                   ": expected a number written out in full");
      // 4k tokens are often 4096, and 5M may be five minutes.
      report.fix(finding, "write `" + *digits + "`",
                 {{expr.tokens[unit - 1].begin, token.end, *digits}}, false);
      return;
    }
  auto meant = meantUnit(text, isRate);
  auto isTime = [](std::string_view symbol) {
    auto known = model::findUnit(symbol);
    return known && model::info(*known).dimension == model::Dimension::Time;
  };
  if (isRate && meant && !isTime(meant->symbol)) { // 0.1 nat per token
    auto& finding = report.at<diag::UnknownUnit>(
        token, ticked(text), "; a rate is per time, and the metric says what one observation is");
    report.fixIfItReads(finding, "remove it", {{expr.tokens[unit - 2].end, token.end, ""}}, false);
    return;
  }
  if (isRate && expr.entry == ExprEntry::Requirement && (text == "step" || text == "steps")) {
    auto& finding = report.at<diag::UnknownUnit>(
        token, ticked(text), "; a window such as `over 1 step` judges each training step");
    report.fixIfItReads(finding, "write `over 1 step`",
                        {{expr.tokens[unit - 1].begin, token.end, "over 1 step"}}, false);
    return;
  }
  bool isOfTrigger = unit > 1 && expr.kind(unit - 2) == TokenKind::For;
  if (isOfTrigger && meant && isTime(meant->symbol)) {
    report.at<diag::UnknownUnit>(token, ticked(text), "; `for` counts windows, such as `2 windows`")
        .note("the `window` of a promotion stage says how long a window lasts");
    return;
  }
  auto& finding = report.at<diag::UnknownUnit>(
      token, ticked(text),
      !meant          ? ""
      : meant->isSure ? ": expected " + ticked(meant->symbol)
                      : "; did you mean " + ticked(meant->symbol) + "?");
  if (meant) {
    report.fix(finding, "write `" + std::string(meant->symbol) + "`",
               {{token.begin, token.end, std::string(meant->symbol)}}, meant->isSure);
    return;
  }
  std::string known;
  for (const model::UnitInfo& row : model::units())
    if (row.unit != model::Unit::None && (!isRate || row.dimension == model::Dimension::Time))
      known += (known.empty() ? "" : " ") + std::string(row.symbol);
  finding.note("units: " + known);
}

} // namespace tikc::expr
