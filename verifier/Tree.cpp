#include "verifier/Tree.h"

#include <algorithm>
#include <utility>

namespace verify {
namespace {

bool isAny(char c, std::string_view set) { return set.find(c) != std::string_view::npos; }

class Reader {
public:
  Reader(std::string_view text, std::size_t file) : text_(text), file_(file) {}

  Tree documents() {
    Tree out;
    for (skip(); !isAtEnd(); skip()) {
      bool isMarked = column() == 0 && text_.substr(at_, 3) == "---";
      expect(isMarked || out.items.empty(), "an entry of the document, or '---'");
      at_ += isMarked ? 3 : 0;
      skip();
      out.items.push_back(block(0, 0));
      expect(out.items.back().kind == '{', "a map");
    }
    return out;
  }

private:
  void expect(bool condition, std::string_view what) const {
    if (!condition)
      throw Rejection{"a file cannot be read at byte " + std::to_string(at_) + ": " +
                      std::string(what) + " is expected"};
  }

  bool isAtEnd() const { return at_ >= text_.size(); }
  char peek(std::size_t ahead = 0) const {
    return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\n';
  }
  bool isBlank(std::size_t ahead) const { return isAny(peek(ahead), " \n\r"); }
  bool isComment() const { return peek() == '#' && (at_ == 0 || isAny(text_[at_ - 1], " \r\n")); }
  bool isDash() const { return peek() == '-' && isBlank(1); }
  std::size_t column() const { return at_ - (text_.substr(0, at_).rfind('\n') + 1); }

  bool take(char c) {
    bool found = !isAtEnd() && text_[at_] == c;
    at_ += found ? 1 : 0;
    return found;
  }

  /// Over blanks, and over comments.
  void skip() {
    while (!isAtEnd() && (isBlank(0) || isComment()))
      at_ = isComment() ? std::min(text_.find('\n', at_), text_.size()) : at_ + 1;
  }

  /// A key, and moves behind its colon; else does not move.
  bool key(Tree& out) {
    const std::size_t start = out.at = at_;
    const bool isQuoted = isAny(peek(), "\"'");
    out.key = isQuoted ? quoted() : "";
    while (!isQuoted && (isNameCharacter(peek()) || isAny(peek(), "-.")))
      out.key += text_[at_++];
    bool isKey = at_ > start && !isAtEnd() && peek() == ':' && (isQuoted || isBlank(1));
    at_ = isKey ? at_ + 1 : start;
    return isKey;
  }

  void add(Tree& to, const Tree& key, Tree item) const {
    expect(to.kind == '[' || (to.items.size() < 1000 && to.find(key.key) == nullptr),
           "another key, or a smaller map");
    item.key = key.key;
    item.at = key.at;
    item.file = file_;
    to.items.push_back(std::move(item));
  }

  /// What is nobody's but the author's, and may be anything that YAML has.
  static bool isFree(const Tree& name) { return name.key.starts_with("x-"); }

  /// To the next line that begins no deeper than the key, but for the items of its list.
  void passBlock(std::size_t margin) {
    bool isInside = true;
    while (isInside) {
      at_ = std::min(text_.find('\n', at_), text_.size());
      at_ = std::min(text_.find_first_not_of(" \r\n", at_), text_.size());
      isInside =
          !isAtEnd() && (column() > margin || isComment() || (column() == margin && isDash()));
    }
  }

  /// To the comma or the bracket that ends it.
  void passFlow() {
    bool isStart = true; // of a scalar, where a quote is one
    for (int depth = 0; depth > 0 || !isAny(peek(), ",}]");) {
      expect(!isAtEnd() && depth < 32, "a closing bracket, and less nesting");
      const char c = peek();
      if (isComment())
        skip();
      else if (isStart && isAny(c, "\"'"))
        quoted();
      else
        ++at_;
      depth += isAny(c, "{[") ? 1 : isAny(c, "}]") ? -1 : 0;
      isStart = isAny(c, "{[,: \r\n");
    }
  }

  /// A list or a map by indentation, beyond that of its parent, or a scalar.
  Tree block(std::size_t parent, int depth) {
    expect(depth < 32, "less nesting");
    const std::size_t margin = column();
    Tree out, name;
    if (isDash()) {
      for (out.kind = '['; column() == margin && isDash(); skip()) {
        ++at_;
        add(out, name, nested(margin, true, depth + 1));
      }
    } else if (key(name)) {
      out.kind = '{';
      do {
        if (isFree(name))
          passBlock(margin);
        else
          add(out, Tree(name), nested(margin, false, depth + 1));
        skip();
      } while (column() == margin && key(name));
    } else {
      out = value(parent, depth);
    }
    return out;
  }

  /// What follows a dash or a key's colon.
  Tree nested(std::size_t margin, bool isItem, int depth) {
    const std::size_t from = at_;
    skip();
    const bool isNewLine = text_.substr(from, at_ - from).find('\n') != std::string_view::npos;
    if (!isNewLine && !isAtEnd())
      return isItem ? block(margin, depth) : value(margin, depth);
    bool isDeeper = column() > margin || (column() == margin && isDash() && !isItem);
    return isDeeper && !isAtEnd() ? block(margin, depth) : Tree();
  }

  Tree value(std::size_t margin, int depth) {
    expect(depth < 32 && !isAtEnd(), "a value, and less nesting");
    const char first = peek();
    if (isAny(first, "{["))
      return flow(depth);
    if (isAny(first, "\"'"))
      return {'"', "", quoted(), 0, 0, {}};
    return {'a', "", isAny(first, "|>") && !isInFlow_ ? literal(margin) : plain(margin), 0, 0, {}};
  }

  /// In braces or brackets.
  Tree flow(int depth) {
    const bool isOutermost = !isInFlow_;
    isInFlow_ = true;
    Tree out;
    out.kind = text_[at_++];
    const char close = out.kind == '{' ? '}' : ']';
    bool isFirst = true;
    for (skip(); !take(close); skip()) {
      expect(std::exchange(isFirst, false) || take(','), "','");
      skip();
      Tree name;
      expect(out.kind == '[' || key(name), "a key");
      if (isFree(name)) {
        passFlow();
        continue;
      }
      skip();
      add(out, name, value(0, depth + 1));
    }
    isInFlow_ = !isOutermost;
    return out;
  }

  /// Lines become one: the texts that are read here do not depend on line breaks.
  std::string plain(std::size_t margin) {
    std::string out;
    expect(!isAny(peek(), "&*!|>%@`?,]}#"), "a value");
    while (!isAtEnd() && !isComment() && !(isInFlow_ && isAny(peek(), ",[]{}"))) {
      expect(peek() != '\t' && (peek() != ':' || !isBlank(1)), "no tab, and no ':'");
      if (peek() == '\n' && !goesOn(margin, false))
        break;
      out += isBlank(0) ? ' ' : peek();
      ++at_;
    }
    out.erase(out.find_last_not_of(' ') + 1);
    expect(!out.empty(), "a value");
    return out;
  }

  /// After '|' or '>': all lines that are blank, or indented beyond the margin.
  std::string literal(std::size_t margin) {
    std::string out;
    at_ = std::min(text_.find('\n', at_), text_.size());
    for (; !isAtEnd() && (peek() != '\n' || goesOn(margin, true)); ++at_)
      out += isBlank(0) ? ' ' : peek();
    return out;
  }

  /// Moves to the end of the last blank line, if the text after it belongs to the same scalar.
  bool goesOn(std::size_t margin, bool isLiteral) {
    const std::size_t start = at_;
    at_ = std::min(text_.find_first_not_of(" \r\n", at_), text_.size());
    bool belongs = !isAtEnd() && (isLiteral || !isComment()) && (isInFlow_ || column() > margin);
    at_ = belongs ? at_ - 1 : start;
    return belongs;
  }

  std::string quoted() {
    std::string out;
    const char quote = text_[at_++];
    for (; !isAtEnd() && (peek() != quote || (quote == '\'' && peek(1) == quote)); ++at_) {
      expect(static_cast<unsigned char>(peek()) >= 0x20 || isBlank(0), "no control character");
      take(quote);
      out += isBlank(0) ? ' ' : peek() == '\\' && quote == '"' ? escaped() : peek();
    }
    expect(take(quote), "the closing quote");
    return out;
  }

  /// By name, or as \u00 and two digits. Of other escapes the backslash stays, so that no text has
  /// a meaning which contains one.
  char escaped() {
    constexpr std::string_view names = "\"\\/bfnrt", meanings = "\"\\/\b\f\n\r\t",
                               digits = "0123456789abcdef";
    const std::string_view rest = text_.substr(++at_, 5);
    expect(!rest.empty(), "an escape");
    if (std::size_t known = names.find(rest[0]); known < names.size())
      return meanings[known];
    if (rest.size() < 5 || !rest.starts_with("u00") || rest[3] > '7' || !isAny(rest[3], digits) ||
        !isAny(rest[4], digits))
      return '\\';
    at_ += 4;
    return static_cast<char>(digits.find(rest[3]) * 16 + digits.find(rest[4]));
  }

  std::string_view text_;
  std::size_t at_ = 0, file_;
  bool isInFlow_ = false;
};

} // namespace

Tree parseYaml(std::string_view text, std::size_t file) { return Reader(text, file).documents(); }

const Tree* Tree::find(std::string_view name) const {
  auto found =
      std::find_if(items.begin(), items.end(), [&](const Tree& item) { return item.key == name; });
  return kind != '{' || found == items.end() ? nullptr : &*found;
}

const Tree& Tree::operator[](std::string_view name) const {
  const Tree* found = find(name);
  require(found != nullptr, "a member is missing");
  return *found;
}

const std::string& Tree::quoted() const {
  require(kind == '"', "a text is expected");
  return text;
}

const std::vector<Tree>& Tree::list() const {
  require(kind == '[', "a list is expected");
  return items;
}

std::int64_t Tree::count() const {
  require(kind == 'a' && isDigits(text) && text.size() <= 9, "a whole number is expected");
  return Integer::parse(text).small();
}

namespace {

Number fraction(Tokens& in) {
  const bool isNegative = in.take("-");
  Number out = in.number();
  if (in.take("/"))
    out = out / in.number();
  return isNegative ? -out : out;
}

} // namespace

Number Tree::number() const {
  Tokens in(quoted());
  Number out = fraction(in);
  if (in.take("log"))
    out = out * log(fraction(in));
  in.expect("");
  return out;
}

std::string Tree::print() const {
  std::string out = text;
  for (const Tree& item : items)
    out += (out.empty() ? "" : ", ") + (kind == '{' ? item.key + ": " : "") + item.print();
  return kind == '[' ? "[" + out + "]" : kind == '{' ? "{ " + out + " }" : out;
}

} // namespace verify
