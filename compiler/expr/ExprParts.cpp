#include "expr/ExprParts.h"

namespace tikc::expr {
namespace {

using Part = std::pair<std::size_t, std::size_t>;

bool beginsTail(TokenKind kind) {
  return kind == TokenKind::On || kind == TokenKind::Over || kind == TokenKind::With ||
         kind == TokenKind::For;
}
bool joins(TokenKind kind) { return kind == TokenKind::And || kind == TokenKind::Or; }

class Parts {
public:
  explicit Parts(const ExprText& expr) : expr_(expr) {}

  std::vector<Part> gather() {
    std::size_t count = expr_.tokens.empty() ? 0 : expr_.tokens.size() - 1;
    for (std::size_t i = 0; i < count; ++i) {
      add(i, i);
      if (expr_.kind(i) == TokenKind::Number)
        quantity(i);
    }
    if (count > 0)
      brackets(count);
    return std::move(out_);
  }

private:
  void add(std::size_t first, std::size_t last) {
    if (first <= last)
      out_.emplace_back(first, last);
  }

  void quantity(std::size_t number) {
    std::size_t last = number;
    if (expr_.kind(last + 1) == TokenKind::Name || expr_.kind(last + 1) == TokenKind::Percent)
      ++last;
    if (expr_.kind(last + 1) == TokenKind::Per && expr_.kind(last + 2) == TokenKind::Name)
      last += 2;
    bool isNegative = number > 0 && expr_.kind(number - 1) == TokenKind::Minus;
    add(isNegative ? number - 1 : number, last);
  }

  /// A stretch between brackets or commas, or the whole text.
  struct Stretch {
    std::size_t opener; // the bracket before it; unused for the whole text
    std::size_t begin;  // of all of it
    std::size_t argument, comparison, tail;
  };

  void endTail(const Stretch& at, std::size_t end) {
    if (at.tail > at.comparison) // the first one has no tail before it
      add(at.tail, end - 1);
  }
  void endComparison(const Stretch& at, std::size_t end) {
    endTail(at, end);
    if (end > at.comparison)
      add(at.comparison, end - 1);
  }
  void endArgument(const Stretch& at, std::size_t end) {
    endComparison(at, end);
    if (end > at.argument)
      add(at.argument, end - 1);
  }

  void close(const Stretch& at, std::size_t end) {
    endArgument(at, end);
    if (end > at.begin)
      add(at.begin, end - 1);
  }

  /// Each token is seen once, whatever is nested or left open.
  void brackets(std::size_t count) {
    std::vector<Stretch> open{{0, 0, 0, 0, 0}};
    for (std::size_t i = 0; i < count; ++i) {
      Stretch& at = open.back();
      TokenKind kind = expr_.kind(i);
      if (isOpener(kind)) {
        open.push_back({i, i + 1, i + 1, i + 1, i + 1});
      } else if (isCloser(kind) && open.size() > 1) {
        Stretch inner = at;
        open.pop_back();
        close(inner, i);
        add(inner.opener, i);
        if (inner.opener > 0 && expr_.kind(inner.opener - 1) == TokenKind::Name)
          add(inner.opener - 1, i);
      } else if (kind == TokenKind::Comma && open.size() > 1) {
        endArgument(at, i);
        at.argument = at.comparison = at.tail = i + 1;
      } else if (joins(kind)) {
        endComparison(at, i);
        at.comparison = at.tail = i + 1;
      } else if (beginsTail(kind)) {
        if (at.tail == at.comparison && i > at.comparison)
          add(at.comparison, i - 1);
        endTail(at, i);
        at.tail = i;
      }
    }
    for (; !open.empty(); open.pop_back())
      close(open.back(), count);
  }

  const ExprText& expr_;
  std::vector<Part> out_;
};

} // namespace

std::vector<Part> partsOf(const ExprText& expr) { return Parts(expr).gather(); }

} // namespace tikc::expr
