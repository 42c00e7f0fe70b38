#include "audit/reading/PythonExpr.h"
#include "audit/reading/Reading.h"
#include "support/Utf8.h"

#include <algorithm>
#include <utility>

namespace tikc::audit {
namespace {

constexpr std::size_t mostTokens = 4'000'000;
// How many tokens are looked at: longer expressions are not read, and longer types are of no
// number.
constexpr std::size_t mostOfStatement = 1024, mostOfType = 32, mostOfSuite = 4096;

bool opens(const PythonToken& token) { return token.is("(") || token.is("[") || token.is("{"); }
bool closes(const PythonToken& token) { return token.is(")") || token.is("]") || token.is("}"); }

bool isCloseCall(std::string_view name) {
  return name.ends_with("allclose") || name == "assert_close";
}

/// Looks through the tokens of a source for what judges and what sets.
class PythonWalk {
public:
  PythonWalk(const Snippet& text, const std::vector<PythonToken>& tokens, FoundParts& out)
      : text_(text), tokens_(tokens), out_(out) {
    std::size_t at = 0, begin = 0, indent = 0;
    for (const PythonToken& token : tokens) {
      for (; at < token.from; ++at)
        if (text.text[at] == '\n' || text.text[at] == '\r')
          begin = at + 1;
      indent = std::min(text.text.find_first_not_of(" \t", begin), token.from) - begin;
      indents_.push_back(indent);
    }
  }

  void run() {
    bool startsLine = true;
    for (std::size_t i = 0; i + 1 < tokens_.size(); ++i) {
      const PythonToken& token = tokens_[i];
      if (startsLine && (token.is("assert") || token.is("if") || token.is("elif")))
        check(i);
      if (token.kind == PythonTokenKind::String || token.kind == PythonTokenKind::Formatted)
        string(i);
      if (token.kind == PythonTokenKind::Name)
        name(i);
      startsLine = token.kind == PythonTokenKind::NewLine || token.is(":") || token.is(";");
    }
  }

private:
  const PythonToken& at(std::size_t i) const { return tokens_[std::min(i, tokens_.size() - 1)]; }

  /// Where brackets are as deep as at `from` again, and the token is one of the ends.
  std::size_t endOf(std::size_t from, std::string_view first, std::string_view second,
                    std::size_t most) const {
    std::size_t depth = 0;
    const std::size_t last = std::min(tokens_.size() - 1, from + most);
    for (std::size_t i = from; i < last; ++i) {
      const PythonToken& token = tokens_[i];
      if (depth == 0 &&
          (token.is(first) || token.is(second) || token.kind == PythonTokenKind::NewLine ||
           token.kind == PythonTokenKind::End || closes(token)))
        return i;
      depth += opens(token);
      depth -= closes(token);
    }
    return last;
  }

  void check(std::size_t i) {
    const bool isAssertion = tokens_[i].is("assert");
    const std::size_t end =
        endOf(i + 1, isAssertion ? "," : ":", isAssertion ? ";" : ":", mostOfStatement);
    bool hasKey = false; // what judges no logged figure is no gate
    for (std::size_t k = i + 1; k + 2 < end; ++k)
      hasKey |= at(k).is("[") && at(k + 1).kind == PythonTokenKind::String && at(k + 2).is("]");
    if (!hasKey)
      return;
    // `if good: … else: raise …` asks for what is good.
    const bool asksForGood = isAssertion || (tokens_[i].is("if") && failsOnlyInElse(i, end));
    out_.asked.push_back({asksForGood ? JudgingText::How::Assertion : JudgingText::How::Alarm,
                          text_.part(at(i + 1).from, at(end - 1).to),
                          {}});
  }

  /// The end of the suite after a colon: the next line that is indented no further than `outer`.
  std::size_t endOfSuite(std::size_t colon, std::size_t outer) const {
    const std::size_t last = std::min(tokens_.size() - 1, colon + mostOfSuite);
    std::size_t i = colon + 1;
    while (i < last && !(startsLine(i) && indents_[i] <= outer))
      ++i;
    return i;
  }
  bool startsLine(std::size_t i) const {
    return i > 0 && at(i - 1).kind == PythonTokenKind::NewLine &&
           at(i).kind != PythonTokenKind::NewLine;
  }

  /// Whether a statement ends the program or the test as a failure.
  bool isFailure(std::size_t i) const {
    if (at(i).is("raise"))
      return true;
    if (at(i).is("assert"))
      return at(i + 1).is("False") || at(i + 1).text == "0";
    while (at(i + 1).is(".") && at(i + 2).kind == PythonTokenKind::Name)
      i += 2;
    const bool isExit = at(i).is("exit") || at(i).is("_exit");
    const bool isSuccess = at(i + 2).is(")") || at(i + 2).text == "0";
    return at(i + 1).is("(") && (at(i).is("fail") || (isExit && !isSuccess));
  }

  /// Whether one of a suite's own statements is a failure.
  bool fails(std::size_t colon, std::size_t end) const {
    std::size_t first = colon + 1;
    while (first < end && at(first).kind == PythonTokenKind::NewLine)
      ++first;
    const std::size_t level = indents_[std::min(first, tokens_.size() - 1)];
    for (std::size_t i = first; i < end; ++i)
      if ((i == first || at(i - 1).is(";") || (startsLine(i) && indents_[i] == level)) &&
          isFailure(i))
        return true;
    return false;
  }

  /// `if good: … else: raise …`
  bool failsOnlyInElse(std::size_t statement, std::size_t colon) const {
    const std::size_t outer = indents_[statement], end = endOfSuite(colon, outer);
    if (!at(end).is("else") || indents_[end] != outer || !at(end + 1).is(":"))
      return false;
    return !fails(colon, end) && fails(end + 1, endOfSuite(end + 1, outer));
  }

  /// Where the statement of a token begins. A colon in brackets begins none.
  std::size_t beginOfStatement(std::size_t i) const {
    std::int64_t depth = 0;
    for (std::size_t steps = 0; i > 0 && steps < mostOfStatement; --i, ++steps) {
      const PythonToken& before = at(i - 1);
      depth += closes(before);
      depth -= opens(before);
      if (before.kind == PythonTokenKind::NewLine || before.is(";") ||
          (depth <= 0 && before.is(":")))
        break;
    }
    return i;
  }

  /// Whether what a call of allclose() says is asked for: it is not negated in an assertion,
  /// negated in a condition, or what a condition with a failing `else` asks for; and compared with
  /// nothing.
  bool isInverted(std::size_t call, std::size_t end) const {
    if (at(call).text.starts_with("assert_"))
      return false;
    std::size_t first = call;
    while (first >= 2 && at(first - 1).is(".") && at(first - 2).kind == PythonTokenKind::Name)
      first -= 2;
    std::size_t after = end + 1;
    while (first > 0 && at(first - 1).is("(") && at(after).is(")")) {
      --first;
      ++after;
    }
    if (at(after).is("==") || at(after).is("!=") || at(after).is("is") || at(after).is("or"))
      return true;
    const bool isNegated = first > 0 && at(first - 1).is("not");
    const std::size_t begin = beginOfStatement(first);
    const bool isIf = at(begin).is("if");
    bool isCondition = isIf || at(begin).is("elif") || at(begin).is("while");
    if (isIf && failsOnlyInElse(begin, endOf(begin + 1, ":", ":", mostOfStatement)))
      isCondition = false;
    return isNegated != isCondition;
  }

  /// What launchers put together: `"--tis-clip 2.0 "`, and expressions for check_metrics.py.
  void string(std::size_t i) {
    const PythonToken& token = tokens_[i];
    const Snippet inner = text_.part(token.inner, token.innerTo);
    if (token.kind == PythonTokenKind::String && isExpression(token.text)) {
      out_.asked.push_back(
          {JudgingText::How::Expression, inner, {}}); // with escapes it is not read
    } else if (token.text.find("--") != std::string::npos ||
               token.text.find('=') != std::string::npos) {
      readShell(inner, out_);
    }
    if (token.kind == PythonTokenKind::String && (at(i + 1).is(":") || isKeyed(i)))
      set(inner, at(i + 1).is(":") ? i + 2 : i + 3, inner);
  }
  /// `config["name"] = value`
  bool isKeyed(std::size_t i) const {
    return i > 0 && at(i - 1).is("[") && at(i + 1).is("]") && at(i + 2).is("=");
  }

  void name(std::size_t i) {
    const PythonToken& token = tokens_[i];
    const Snippet whole = text_.part(token.from, token.to);
    if (i > 0 && at(i - 1).is("|")) // of a type
      return;
    if (at(i + 1).is("=")) {
      set(whole, i + 2, whole);
    } else if (at(i + 1).is(":")) { // name: type = value
      const std::size_t equals = endOf(i + 2, "=", ",", mostOfType);
      if (at(equals).is("="))
        set(whole, equals + 1, whole);
    } else if (at(i + 1).is("(") && isCloseCall(token.text)) {
      const std::size_t end = endOf(i + 2, ")", ")", mostOfStatement);
      out_.asked.push_back({JudgingText::How::Closeness,
                            text_.part(token.from, at(end).to),
                            {},
                            isInverted(i, end)});
    }
  }

  /// Only what is one literal is known.
  void set(const Snippet& name, std::size_t from, const Snippet& place) {
    const PythonToken& value = at(from);
    const PythonToken& after = at(from + 1);
    const bool isSigned = value.is("-") && after.kind == PythonTokenKind::Number;
    const bool ends = after.is(",") || closes(after) || after.kind == PythonTokenKind::NewLine ||
                      after.kind == PythonTokenKind::End || after.is(";");
    const bool isLiteral = (value.kind == PythonTokenKind::String && value.isRaw) ||
                           value.kind == PythonTokenKind::Number || value.is("True") ||
                           value.is("False") || value.is("None");
    SetValue out{name.text, value.text, place.whole(), text_.part(value.from, value.to).whole(),
                 isLiteral && ends};
    if (isSigned) {
      out.value = "-" + after.text;
      out.valueSpan = text_.part(value.from, after.to).whole();
      out.isKnown = true;
    }
    out_.settings.push_back(std::move(out));
  }

  const Snippet& text_;
  const std::vector<PythonToken>& tokens_;
  std::vector<std::size_t> indents_; // of the line that each token is in
  FoundParts& out_;
};

} // namespace

void readPythonFile(const Snippet& text, diag::Sink& sink, FoundParts& out) {
  const std::vector<PythonToken> tokens = pythonTokens(text.text, false, mostTokens);
  std::size_t open = 0, last = 0;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    if (opens(tokens[i]) && open++ == 0)
      last = i;
    open -= open > 0 && closes(tokens[i]);
  }
  if (open > 0 || tokens.back().kind != PythonTokenKind::End) {
    const PythonToken& from = open > 0 ? tokens[last] : tokens.back();
    sink.report<diag::GateNotUnderstood>(text.span(from.from, from.to),
                                         open > 0 ? "this bracket is never closed"
                                                  : "the file is too long, and tikc stops reading "
                                                    "here");
  }
  PythonWalk(text, tokens, out).run();
}

} // namespace tikc::audit
