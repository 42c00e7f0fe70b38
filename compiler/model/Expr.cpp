#include "model/Expr.h"

#include <array>

namespace tikc::model {
namespace {

/// How tightly the printed form holds together; a part that binds less than its place asks for goes
/// into brackets.
enum class Binding : std::uint8_t { Or, And, Not, Operand };

Binding bindingOf(Expr::Kind kind) {
  switch (kind) {
  case Expr::Kind::Or:
    return Binding::Or;
  case Expr::Kind::And:
    return Binding::And;
  case Expr::Kind::Compare:
  case Expr::Kind::In:
  case Expr::Kind::For:
  case Expr::Kind::Not:
    return Binding::Not;
  default:
    return Binding::Operand;
  }
}

std::string quotedText(std::string_view text) {
  std::string out = "\"";
  for (char c : text) {
    if (c == '\n' || c == '\t') {
      out += c == '\n' ? "\\n" : "\\t";
      continue;
    }
    if (c == '"' || c == '\\')
      out += '\\';
    out += c;
  }
  return out + '"';
}

void printTo(std::string& out, const Expr& expr);

void printIn(std::string& out, const Expr& expr, Binding least) {
  bool brackets = bindingOf(expr.kind) < least;
  if (brackets)
    out += '(';
  printTo(out, expr);
  if (brackets)
    out += ')';
}

void printList(std::string& out, const std::vector<Expr>& list) {
  for (std::size_t i = 0; i < list.size(); ++i) {
    if (i > 0)
      out += ", ";
    if (!list[i].keyword.text.empty())
      out += list[i].keyword.text + "=";
    printTo(out, list[i]);
  }
}

/// A part of the same kind keeps its brackets: (a and b) and c has two levels.
void printJoined(std::string& out, const Expr& expr, std::string_view word, Binding least) {
  for (std::size_t i = 0; i < expr.arguments.size(); ++i) {
    if (i > 0)
      out.append(" ").append(word).append(" ");
    printIn(out, expr.arguments[i], least);
  }
}

void printTo(std::string& out, const Expr& expr) {
  switch (expr.kind) {
  case Expr::Kind::Name:
    out += expr.text;
    return;
  case Expr::Kind::Call:
    out += expr.text + "(";
    printList(out, expr.arguments);
    out += ')';
    return;
  case Expr::Kind::Quantity:
    out += print(expr.quantity);
    return;
  case Expr::Kind::String:
    out += quotedText(expr.text);
    return;
  case Expr::Kind::Set:
    out += '{';
    printList(out, expr.arguments);
    out += '}';
    return;
  case Expr::Kind::Compare:
    printTo(out, expr.arguments[0]);
    out.append(" ").append(symbol(expr.comparator)).append(" ");
    printTo(out, expr.arguments[1]);
    return;
  case Expr::Kind::In:
  case Expr::Kind::For:
    printTo(out, expr.arguments[0]);
    out += expr.kind == Expr::Kind::In ? " in " : " for ";
    printTo(out, expr.arguments[1]);
    return;
  case Expr::Kind::Not:
    out += "not ";
    printIn(out, expr.arguments[0], Binding::Not);
    return;
  case Expr::Kind::And:
    printJoined(out, expr, "and", Binding::Not);
    return;
  case Expr::Kind::Or:
    printJoined(out, expr, "or", Binding::And);
    return;
  }
}

/// `on slices` is what holds where nothing is said; but where the last of several comparisons says
/// something else, it has to be said.
enum class EachSlice : std::uint8_t { Silent, Said };

void printScope(std::string& out, const Scope& scope, EachSlice each) {
  if (scope.kind == Scope::Kind::EachSlice && each == EachSlice::Silent)
    return;
  out += " on ";
  if (scope.kind != Scope::Kind::Named)
    out += scope.kind == Scope::Kind::All ? "all" : "slices";
  for (std::size_t i = 0; i < scope.slices.size(); ++i)
    out += (i > 0 ? ", " : "") + scope.slices[i].text;
}

std::string printComparison(const Comparison& comparison, EachSlice each) {
  std::string out = print(comparison.subject);
  if (comparison.upper)
    out += " in [" + print(comparison.bound) + ", " + print(*comparison.upper) + "]";
  else
    out.append(" ")
        .append(symbol(comparison.comparator))
        .append(" ")
        .append(print(comparison.bound));
  printScope(out, comparison.scope, each);
  if (comparison.over)
    out += " over " + print(*comparison.over);
  if (comparison.confidence)
    out += " with confidence " + print(*comparison.confidence);
  return out;
}

} // namespace

bool meets(const Rational& value, Comparator comparator, const Rational& limit) {
  switch (comparator) {
  case Comparator::LessEqual:
    return value <= limit;
  case Comparator::Less:
    return value < limit;
  case Comparator::GreaterEqual:
    return value >= limit;
  case Comparator::Greater:
    return value > limit;
  case Comparator::Equal:
    return value == limit;
  case Comparator::NotEqual:
    return value != limit;
  }
  return true;
}

std::string_view symbol(Comparator comparator) {
  static constexpr std::array<std::string_view, 6> symbols = {"<=", "<", ">=", ">", "==", "!="};
  return symbols[static_cast<std::size_t>(comparator)];
}

std::string print(const Expr& expr) {
  std::string out;
  printTo(out, expr);
  return out;
}

std::string print(const Comparison& comparison) {
  return printComparison(comparison, EachSlice::Silent);
}

std::string print(const Requirement& requirement) {
  std::string out;
  bool isLastEach = requirement.comparisons.empty() ||
                    requirement.comparisons.back().scope.kind == Scope::Kind::EachSlice;
  for (const Comparison& comparison : requirement.comparisons)
    out += (out.empty() ? "" : " and ") +
           printComparison(comparison, isLastEach ? EachSlice::Silent : EachSlice::Said);
  return out;
}

} // namespace tikc::model
