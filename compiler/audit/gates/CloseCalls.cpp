#include "audit/gates/Gate.h"

#include <llvm/ADT/StringRef.h>

#include <algorithm>
#include <iterator>

namespace tikc::audit {
namespace {

struct CloseCall {
  std::string_view name, rtol, atol;
  bool isNanClose, isPositional;
};
constexpr CloseCall closeCalls[] = {
#define CLOSE_CALL(name, rtol, atol, nan, positional) {name, rtol, atol, nan, positional},
#include "audit/gates/CloseCalls.def"
};

/// By what people call them.
bool isOfLogProbs(std::string_view text) {
  const llvm::StringRef name(text.data(), text.size());
  return name.contains_insensitive("logp") || name.contains_insensitive("log_prob");
}

/// Whether an expression is a mask by its name, so that a product with it keeps tokens as they are.
bool isMask(const PythonExpr& expr) {
  switch (expr.kind) {
  case PythonExprKind::Name:
    return llvm::StringRef(expr.text).contains_insensitive("mask");
  case PythonExprKind::Member:
    return llvm::StringRef(expr.text).contains_insensitive("mask") || isMask(expr.parts[0]);
  case PythonExprKind::Subscript:
  case PythonExprKind::Call:
    return isMask(expr.parts[0]);
  default:
    return false;
  }
}

/// Whether an expression is an array of log-probs, token by token: a name, or what only changes its
/// type, place or shape.
bool isArray(const PythonExpr& expr) {
  static constexpr std::string_view keepsTokens[] = {
      "float", "double", "half",  "to",     "cpu",     "cuda",      "detach",    "numpy",
      "clone", "astype", "type",  "view",   "reshape", "ravel",     "flatten",   "squeeze",
      "stack", "cat",    "array", "tensor", "asarray", "unsqueeze", "contiguous"};
  switch (expr.kind) {
  case PythonExprKind::Name:
    return true;
  case PythonExprKind::Member:
    return expr.text != "shape" && expr.text != "dtype" && expr.text != "grad" &&
           isArray(expr.parts[0]);
  case PythonExprKind::Subscript:
    return isArray(expr.parts[0]) || expr.parts[0].kind == PythonExprKind::Name;
  case PythonExprKind::Call: {
    const PythonExpr& called = expr.parts[0];
    const bool isKept = std::find(std::begin(keepsTokens), std::end(keepsTokens), called.text) !=
                        std::end(keepsTokens);
    if (called.kind == PythonExprKind::Member && isArray(called.parts[0]))
      return isKept ? true : isOfLogProbs(called.text);
    return isOfLogProbs(called.text) || (isKept && expr.parts.size() > 1 && isArray(expr.parts[1]));
  }
  case PythonExprKind::Binary: // logprobs * mask
    return expr.text == "*" && ((isArray(expr.parts[0]) && isMask(expr.parts[1])) ||
                                (isArray(expr.parts[1]) && isMask(expr.parts[0])));
  case PythonExprKind::List:
    return std::all_of(expr.parts.begin(), expr.parts.end(), isArray);
  default:
    return false;
  }
}

} // namespace

void addCloseness(const JudgingText& text, const PythonExpr& call, const Limits& limits,
                  Gates& out) {
  if (call.kind != PythonExprKind::Call || !isOfLogProbs(text.text.text))
    return;
  const std::string& name = call.parts[0].text;
  auto row = std::find_if(std::begin(closeCalls), std::end(closeCalls),
                          [&](const CloseCall& each) { return name.ends_with(each.name); });
  if (row == std::end(closeCalls))
    return;
  if (text.isInverted) {
    out.misread.push_back({text.text.whole(), "tikc understands only checks that pass if the "
                                              "log-probs are close here"});
    return;
  }
  for (std::size_t i = 1; i < std::min<std::size_t>(call.parts.size(), 3); ++i)
    if (const PythonExpr& part = call.parts[i];
        part.kind != PythonExprKind::Keyword && !isArray(part)) {
      out.misread.push_back({text.text.span(part.from, part.to),
                             "tikc understands only arrays of tokens' log-probs here"});
      return;
    }
  if (call.parts.size() > 2) {
    auto textOf = [&](const PythonExpr& part) {
      return std::string_view(text.text.text).substr(part.from, part.to - part.from);
    };
    if (textOf(call.parts[1]) == textOf(call.parts[2])) {
      out.misread.push_back({text.text.whole(), "it compares an array with itself"});
      return;
    }
  }
  Closeness closeness{text.text.text,           text.text.whole(),        text.text.whole(),
                      *parseDecimal(row->rtol), *parseDecimal(row->atol), row->isNanClose};
  for (std::size_t i = 1; i < call.parts.size(); ++i) {
    const PythonExpr& part = call.parts[i];
    const bool isNamed = part.kind == PythonExprKind::Keyword;
    const bool isRtol = isNamed ? part.text == "rtol" : row->isPositional && i == 3;
    const bool isAtol = isNamed ? part.text == "atol" : row->isPositional && i == 4;
    const PythonExpr& value = isNamed ? part.parts[0] : part;
    if (isNamed && part.text == "equal_nan")
      closeness.isNanClose = value.isName("True");
    if (!isRtol && !isAtol)
      continue;
    const auto number = numberOf(value, limits);
    if (!number || *number < 0) {
      out.misread.push_back(
          {text.text.span(value.from, value.to), "tikc understands only a literal tolerance here"});
      return;
    }
    (isRtol ? closeness.rtol : closeness.atol) = *number;
    if (isRtol)
      closeness.rtolPlace = text.text.span(part.from, part.to);
  }
  out.close.push_back(std::move(closeness));
}

} // namespace tikc::audit
