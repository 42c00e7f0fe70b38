#include "audit/reading/PythonExpr.h"

#include "support/Utf8.h"

#include <fmt/format.h>

#include <algorithm>
#include <initializer_list>
#include <optional>
#include <utility>

namespace tikc::audit {
namespace {

/// By descent, from what binds least to what binds most. Once there is a fault, all return at once.
class PythonParser {
public:
  PythonParser(std::span<const PythonToken> tokens, std::size_t depth)
      : tokens_(tokens), depth_(depth) {}

  PythonExpr either() { return chain(PythonExprKind::Or, "or", &PythonParser::both); }
  std::size_t used() const { return at_; }
  std::optional<PythonFault>& fault() { return fault_; }

private:
  using Rule = PythonExpr (PythonParser::*)();

  const PythonToken& peek() const { return tokens_[std::min(at_, tokens_.size() - 1)]; }
  bool take(std::string_view written) {
    if (fault_ || !peek().is(written))
      return false;
    ++at_;
    return true;
  }
  void expect(std::string_view written) {
    if (take(written))
      return;
    if (peek().kind == PythonTokenKind::Name)
      fail(fmt::format("tikc does not read {} here", utf8::ticked(peek().text)));
    else
      fail(fmt::format("missing `{}`", written));
  }
  void fail(std::string why) {
    if (!fault_)
      fault_ = PythonFault{peek().from, std::max(peek().to, peek().from), std::move(why)};
  }
  static PythonExpr over(PythonExprKind kind, std::string text, PythonExpr first,
                         PythonExpr second) {
    PythonExpr out{kind, std::move(text), {}, {}, first.from, second.to};
    out.parts.push_back(std::move(first));
    out.parts.push_back(std::move(second));
    return out;
  }

  /// Whether one more level may be entered, which leave() ends.
  bool enter() {
    if (++level_ > depth_)
      fail(fmt::format("nested more than {} levels deep", depth_));
    return !fault_;
  }
  void leave() { --level_; }

  PythonExpr chain(PythonExprKind kind, std::string_view word, Rule inner) {
    PythonExpr first = (this->*inner)();
    if (fault_ || !peek().is(word))
      return first;
    PythonExpr out{kind, std::string(word), {}, {}, first.from, first.to};
    out.parts.push_back(std::move(first));
    while (take(word)) {
      out.parts.push_back((this->*inner)());
      out.to = out.parts.back().to;
    }
    return out;
  }
  PythonExpr both() { return chain(PythonExprKind::And, "and", &PythonParser::negated); }

  PythonExpr negated() {
    if (!peek().is("not"))
      return compared();
    return prefixed(PythonExprKind::Not, &PythonParser::negated);
  }

  PythonExpr prefixed(PythonExprKind kind, Rule inner) {
    PythonExpr out{kind, peek().text, {}, {}, peek().from, peek().to};
    ++at_;
    if (!enter())
      return out;
    out.parts.push_back((this->*inner)());
    out.to = out.parts.back().to;
    leave();
    return out;
  }

  std::optional<std::string> comparison() {
    for (std::string_view each : {"<=", ">=", "==", "!=", "<", ">", "in", "is"})
      if (take(each))
        return std::string(each) + (each == "is" && take("not") ? " not" : "");
    if (peek().is("not") && at_ + 1 < tokens_.size() && tokens_[at_ + 1].is("in")) {
      at_ += 2;
      return "not in";
    }
    return std::nullopt;
  }

  PythonExpr compared() {
    PythonExpr first = sum();
    auto with = fault_ ? std::nullopt : comparison();
    if (!with)
      return first;
    PythonExpr out{PythonExprKind::Compare, {}, {}, {}, first.from, first.to};
    out.parts.push_back(std::move(first));
    while (with) {
      out.operators.push_back(*with);
      out.parts.push_back(sum());
      out.to = out.parts.back().to;
      with = fault_ ? std::nullopt : comparison();
    }
    return out;
  }

  PythonExpr binary(std::initializer_list<std::string_view> words, Rule inner) {
    PythonExpr out = (this->*inner)();
    bool goesOn = true;
    while (goesOn && !fault_) {
      goesOn = false;
      for (std::string_view each : words)
        if (take(each)) {
          out = over(PythonExprKind::Binary, std::string(each), std::move(out), (this->*inner)());
          goesOn = checkWidth(out);
          break;
        }
    }
    return out;
  }
  /// Long sums lean to the left, as deep as they are long, so walking them needs the limit, too.
  bool checkWidth(const PythonExpr& expr) {
    std::size_t deep = 0;
    for (const PythonExpr* each = &expr; !each->parts.empty(); each = &each->parts.front())
      if (++deep > depth_) {
        fail(fmt::format("nested more than {} levels deep", depth_));
        return false;
      }
    return true;
  }
  PythonExpr sum() { return binary({"+", "-"}, &PythonParser::product); }
  PythonExpr product() { return binary({"*", "/", "//", "%", "@"}, &PythonParser::sign); }

  PythonExpr sign() {
    if (peek().is("-") || peek().is("+"))
      return prefixed(PythonExprKind::Unary, &PythonParser::sign);
    PythonExpr base = trailed();
    if (!take("**"))
      return base;
    if (!enter())
      return base;
    PythonExpr out = over(PythonExprKind::Binary, "**", std::move(base), sign());
    leave();
    return out;
  }

  PythonExpr trailed() {
    PythonExpr out = atom();
    while (!fault_) {
      if (take("(")) {
        out = arguments(std::move(out));
      } else if (take("[")) {
        out = subscript(std::move(out));
      } else if (take(".")) {
        PythonExpr member{PythonExprKind::Member, peek().text, {}, {}, out.from, peek().to};
        if (peek().kind != PythonTokenKind::Name)
          fail("missing name");
        ++at_;
        member.parts.push_back(std::move(out));
        out = std::move(member);
      } else {
        break;
      }
      checkWidth(out);
    }
    return out;
  }

  PythonExpr arguments(PythonExpr called) {
    PythonExpr out{PythonExprKind::Call, {}, {}, {}, called.from, called.to};
    out.parts.push_back(std::move(called));
    if (!enter())
      return out;
    while (!fault_ && !peek().is(")")) {
      if (peek().kind == PythonTokenKind::Name && at_ + 1 < tokens_.size() &&
          tokens_[at_ + 1].is("=")) {
        PythonExpr named{PythonExprKind::Keyword, peek().text, {}, {}, peek().from, peek().to};
        at_ += 2;
        named.parts.push_back(either());
        named.to = named.parts.back().to;
        out.parts.push_back(std::move(named));
      } else {
        out.parts.push_back(either());
      }
      if (!take(","))
        break;
    }
    out.to = peek().to;
    expect(")");
    leave();
    return out;
  }

  PythonExpr subscript(PythonExpr expr) {
    if (!enter())
      return expr;
    PythonExpr out = over(PythonExprKind::Subscript, {}, std::move(expr), either());
    out.to = peek().to;
    expect("]");
    leave();
    return out;
  }

  PythonExpr bracketed(std::string_view close) {
    PythonExpr out{PythonExprKind::List, {}, {}, {}, peek().from, peek().to};
    ++at_;
    if (!enter())
      return out;
    bool isOne = close == ")";
    while (!fault_ && !peek().is(close)) {
      out.parts.push_back(either());
      if (!take(","))
        break;
      isOne = false;
    }
    out.to = peek().to;
    expect(close);
    leave();
    if (isOne && out.parts.size() == 1) {
      PythonExpr inner = std::move(out.parts.front());
      return inner;
    }
    return out;
  }

  PythonExpr atom() {
    const PythonToken& token = peek();
    PythonExpr out{PythonExprKind::Name, token.text, {}, {}, token.from, token.to};
    switch (token.kind) {
    case PythonTokenKind::Number:
      out.kind = PythonExprKind::Number;
      break;
    case PythonTokenKind::String:
      out.kind = PythonExprKind::String;
      break;
    case PythonTokenKind::Formatted:
      out.kind = PythonExprKind::Formatted;
      break;
    case PythonTokenKind::Variable:
      out.kind = PythonExprKind::Variable;
      break;
    case PythonTokenKind::Name:
      if (isWord(token.text))
        fail(fmt::format("tikc does not read {} here", utf8::ticked(token.text)));
      break;
    case PythonTokenKind::Operator:
      if (token.is("("))
        return bracketed(")");
      if (token.is("["))
        return bracketed("]");
      fail(fmt::format("tikc does not read {} here", utf8::ticked(token.text)));
      break;
    default:
      fail(token.kind == PythonTokenKind::Wrong ? "this is not Python" : "missing value");
    }
    ++at_;
    return out;
  }

  /// What begins something else than a value.
  static bool isWord(std::string_view name) {
    for (std::string_view each :
         {"and", "or", "in", "is", "if", "else", "for", "lambda", "await", "yield", "not"})
      if (name == each)
        return true;
    return false;
  }

  std::span<const PythonToken> tokens_;
  std::size_t depth_, at_ = 0, level_ = 0;
  std::optional<PythonFault> fault_;
};

} // namespace

std::variant<PythonExpr, PythonFault> readPython(std::span<const PythonToken> tokens,
                                                 std::size_t depth, std::size_t& used) {
  static const PythonToken end;
  PythonParser parser(tokens.empty() ? std::span(&end, 1) : tokens, depth);
  PythonExpr out = parser.either();
  used = std::min(parser.used(), tokens.size());
  if (parser.fault())
    return *std::move(parser.fault());
  return out;
}

} // namespace tikc::audit
