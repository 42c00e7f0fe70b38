#include "audit/reading/PythonTokens.h"

#include <llvm/ADT/StringExtras.h>

#include <algorithm>

namespace tikc::audit {
namespace {

bool startsName(char c) {
  return llvm::isAlpha(c) || c == '_' || (static_cast<unsigned char>(c) & 0x80) != 0;
}
bool isOfName(char c) { return startsName(c) || llvm::isDigit(c); }

/// The longest first.
constexpr std::string_view operators[] = {
    "**=", "//=", "<<=", ">>=", "...", "**", "//", "<=", ">=", "==", "!=", "->", "+=", "-=",
    "*=",  "/=",  ":=",  "<<",  ">>",  "+",  "-",  "*",  "/",  "%",  "<",  ">",  "=",  "(",
    ")",   "[",   "]",   "{",   "}",   ",",  ":",  ".",  ";",  "@",  "&",  "|",  "^",  "~"};

class PythonLexer {
public:
  PythonLexer(std::string_view text, bool mayHaveVariables)
      : text_(text), mayHaveVariables_(mayHaveVariables) {}

  PythonToken next() {
    if (skipBlanks())
      return token(PythonTokenKind::NewLine, at_ - 1, at_);
    if (at_ == text_.size())
      return token(PythonTokenKind::End, at_, at_);
    const char c = text_[at_];
    if (llvm::isDigit(c) || (c == '.' && at_ + 1 < text_.size() && llvm::isDigit(text_[at_ + 1])))
      return number();
    if (c == '"' || c == '\'')
      return string(at_, false, false);
    if (startsName(c))
      return name();
    if (c == '$' && mayHaveVariables_)
      return variable();
    for (std::string_view each : operators)
      if (text_.substr(at_).starts_with(each))
        return operatorOf(each.size());
    return token(PythonTokenKind::Wrong, at_, at_ + 1);
  }

private:
  /// Whether a line ended that ends a statement.
  bool skipBlanks() {
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (c == '#') {
        at_ = std::min(text_.find('\n', at_), text_.size());
      } else if (c == '\\' && text_.substr(at_).starts_with("\\\n")) {
        at_ += 2;
      } else if (c == '\n') {
        ++at_;
        if (depth_ == 0)
          return true;
      } else if (c == ' ' || c == '\t' || c == '\r' || c == '\f') {
        ++at_;
      } else {
        break;
      }
    }
    return false;
  }

  PythonToken token(PythonTokenKind kind, std::size_t from, std::size_t to) {
    PythonToken out{kind, std::string(text_.substr(from, to - from)), from, to, from, to, true};
    at_ = to;
    return out;
  }

  PythonToken number() {
    std::size_t end = at_;
    while (end < text_.size() &&
           (isOfName(text_[end]) || text_[end] == '.' ||
            ((text_[end] == '+' || text_[end] == '-') && llvm::toLower(text_[end - 1]) == 'e')))
      ++end;
    return token(PythonTokenKind::Number, at_, end);
  }

  PythonToken name() {
    std::size_t end = at_;
    while (end < text_.size() && isOfName(text_[end]))
      ++end;
    std::string_view word = text_.substr(at_, end - at_);
    const bool isPrefix = word.size() <= 2 && end < text_.size() &&
                          (text_[end] == '"' || text_[end] == '\'') &&
                          word.find_first_not_of("rRbBuUfF") == std::string_view::npos;
    if (!isPrefix)
      return token(PythonTokenKind::Name, at_, end);
    const bool isFormatted = word.find_first_of("fF") != std::string_view::npos;
    const bool isRaw = word.find_first_of("rR") != std::string_view::npos;
    const std::size_t from = at_;
    at_ = end;
    return string(from, isFormatted, isRaw);
  }

  PythonToken variable() {
    std::size_t end = at_ + 1;
    if (end < text_.size() && text_[end] == '{') {
      end = std::min(text_.find('}', end), text_.size() - 1) + 1;
    } else {
      while (end < text_.size() && isOfName(text_[end]))
        ++end;
    }
    return token(PythonTokenKind::Variable, at_, end);
  }

  PythonToken operatorOf(std::size_t size) {
    const char c = text_[at_];
    if (c == '(' || c == '[' || c == '{')
      ++depth_;
    if ((c == ')' || c == ']' || c == '}') && depth_ > 0)
      --depth_;
    return token(PythonTokenKind::Operator, at_, at_ + size);
  }

  PythonToken string(std::size_t from, bool isFormatted, bool isRaw) {
    const char quote = text_[at_];
    const std::string triple(3, quote);
    const bool isTriple = text_.substr(at_).starts_with(triple);
    const std::size_t width = isTriple ? 3 : 1;
    PythonToken out{isFormatted ? PythonTokenKind::Formatted : PythonTokenKind::String,
                    {},
                    from,
                    0,
                    at_ + width,
                    0,
                    true};
    std::size_t i = at_ + width;
    for (; i < text_.size(); ++i) {
      if (isTriple ? text_.substr(i).starts_with(triple) : text_[i] == quote)
        break;
      if (text_[i] == '\n' && !isTriple)
        break; // not closed
      if (text_[i] == '\\' && i + 1 < text_.size()) {
        out.isRaw = false;
        ++i;
        if (isRaw)
          out.text += '\\';
      }
      out.text += text_[i];
    }
    const bool isClosed = i < text_.size() && text_[i] == quote;
    out.innerTo = i;
    out.to = isClosed ? i + width : i;
    if (!isClosed)
      out.kind = PythonTokenKind::Wrong;
    at_ = out.to;
    return out;
  }

  std::string_view text_;
  bool mayHaveVariables_;
  std::size_t at_ = 0;
  std::size_t depth_ = 0;
};

} // namespace

std::vector<PythonToken> pythonTokens(std::string_view text, bool mayHaveVariables,
                                      std::size_t most) {
  PythonLexer lexer(text, mayHaveVariables);
  std::vector<PythonToken> out;
  do {
    out.push_back(lexer.next());
    if (out.size() > most)
      out.back() = {PythonTokenKind::Wrong, {}, out.back().from, out.back().to, 0, 0, true};
  } while (out.back().kind != PythonTokenKind::End && out.size() <= most);
  return out;
}

} // namespace tikc::audit
