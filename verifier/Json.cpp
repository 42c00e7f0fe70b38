#include "verifier/Json.h"

#include <set>

namespace verify {

class JsonReader {
public:
  explicit JsonReader(std::string_view text) : text_(text) {}

  Json whole() {
    Json out = value(0);
    space();
    if (at_ != text_.size())
      fail("something follows the JSON value");
    return out;
  }

private:
  [[noreturn]] void fail(std::string_view why) const {
    throw Rejected{"not JSON at byte " + std::to_string(at_) + ": " + std::string(why)};
  }
  char peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }
  void space() {
    while (at_ < text_.size() && std::string_view(" \t\r\n").find(peek()) != std::string_view::npos)
      ++at_;
  }
  bool take(char c) {
    if (at_ >= text_.size() || peek() != c)
      return false;
    ++at_;
    return true;
  }
  void expect(std::string_view word) {
    if (text_.substr(at_, word.size()) != word)
      fail("a value is expected");
    at_ += word.size();
  }
  bool digits() {
    std::size_t from = at_;
    while (peek() >= '0' && peek() <= '9')
      ++at_;
    return at_ != from;
  }

  Json value(int depth) {
    if (depth > 64)
      fail("nested too deeply");
    space();
    Json out;
    char c = peek();
    if (c == '{') {
      object(out, depth);
    } else if (c == '[') {
      list(out, depth);
    } else if (c == '"') {
      out.kind_ = Json::Kind::Text;
      out.text_ = string();
    } else if (c == '-' || (c >= '0' && c <= '9')) {
      out.kind_ = Json::Kind::Number;
      out.text_ = number();
    } else if (c == 'n') {
      expect("null");
    } else {
      expect(c == 't' ? "true" : "false");
      out.kind_ = Json::Kind::Boolean;
    }
    return out;
  }

  void object(Json& out, int depth) {
    out.kind_ = Json::Kind::Object;
    std::set<std::string> keys;
    take('{');
    space();
    if (take('}'))
      return;
    do {
      space();
      std::string key = string();
      if (!keys.insert(key).second)
        fail("the key " + key + " stands twice");
      space();
      if (!take(':'))
        fail("':' is expected");
      out.members_.emplace_back(std::move(key), value(depth + 1));
      space();
    } while (take(','));
    if (!take('}'))
      fail("'}' is expected");
  }

  void list(Json& out, int depth) {
    out.kind_ = Json::Kind::List;
    take('[');
    space();
    if (take(']'))
      return;
    do {
      out.items_.push_back(value(depth + 1));
      space();
    } while (take(','));
    if (!take(']'))
      fail("']' is expected");
  }

  std::string number() {
    std::size_t from = at_;
    take('-');
    if (!take('0') && !digits())
      fail("a digit is expected");
    if (take('.') && !digits())
      fail("a digit is expected");
    if (take('e') || take('E')) {
      if (!take('+'))
        take('-');
      if (!digits())
        fail("a digit is expected");
    }
    return std::string(text_.substr(from, at_ - from));
  }

  std::string string() {
    if (!take('"'))
      fail("a text is expected");
    std::string out;
    while (!take('"')) {
      if (at_ >= text_.size() || static_cast<unsigned char>(peek()) < 0x20)
        fail("a text does not end");
      char c = text_[at_++];
      if (c == '\\')
        escape(out);
      else
        out += c;
    }
    return out;
  }

  unsigned hex4() {
    unsigned out = 0;
    for (int i = 0; i < 4; ++i, ++at_) {
      auto digit = std::string_view("0123456789abcdef").find(static_cast<char>(peek() | 0x20));
      if (digit == std::string_view::npos)
        fail("four hexadecimal digits are expected");
      out = out << 4 | static_cast<unsigned>(digit);
    }
    return out;
  }

  void escape(std::string& out) {
    constexpr std::string_view names = "\"\\/bfnrt", meanings = "\"\\/\b\f\n\r\t";
    char c = peek();
    ++at_;
    if (auto plain = names.find(c); c != '\0' && plain != std::string_view::npos) {
      out += meanings[plain];
      return;
    }
    if (c != 'u')
      fail("an unknown escape");
    unsigned code = hex4();
    if (code >= 0xd800 && code < 0xdc00) {
      expect("\\u");
      unsigned second = hex4();
      if (second < 0xdc00 || second > 0xdfff)
        fail("half a character");
      code = 0x10000 + ((code - 0xd800) << 10) + (second - 0xdc00);
    } else if (code >= 0xdc00 && code < 0xe000) {
      fail("half a character");
    }
    auto put = [&](unsigned byte) { out += static_cast<char>(byte); };
    if (code < 0x80)
      return put(code);
    if (code < 0x800) {
      put(0xc0 | code >> 6);
    } else {
      if (code < 0x10000) {
        put(0xe0 | code >> 12);
      } else {
        put(0xf0 | code >> 18);
        put(0x80 | (code >> 12 & 0x3f));
      }
      put(0x80 | (code >> 6 & 0x3f));
    }
    put(0x80 | (code & 0x3f));
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

Json Json::parse(std::string_view text) { return JsonReader(text).whole(); }

const std::string& Json::text() const {
  if (kind_ != Kind::Text)
    throw Rejected{"a text is expected in the certificate"};
  return text_;
}

std::int64_t Json::count() const {
  bool plain = kind_ == Kind::Number && text_.size() <= 9 &&
               text_.find_first_not_of("0123456789") == std::string::npos;
  if (!plain)
    throw Rejected{"a whole number below 10^9 is expected in the certificate"};
  return std::stoll(text_);
}

Rational parseRational(std::string_view rest) {
  auto digits = [](std::string_view part) {
    constexpr std::size_t most = 10'000;
    if (part.empty() || part.size() > most ||
        part.find_first_not_of("0123456789") != std::string_view::npos)
      throw Rejected{"a number is neither p nor p/q, or has more than 10,000 digits"};
    return Integer::parse(part);
  };
  bool isNegative = !rest.empty() && rest.front() == '-';
  rest.remove_prefix(isNegative ? 1 : 0);
  std::size_t slash = rest.find('/');
  Integer top = digits(rest.substr(0, slash));
  Integer bottom = slash == std::string_view::npos ? Integer(1) : digits(rest.substr(slash + 1));
  if (bottom.isZero())
    throw Rejected{"a number has the denominator 0"};
  return {isNegative ? -top : top, bottom};
}

const std::vector<Json>& Json::list() const {
  if (kind_ != Kind::List)
    throw Rejected{"a list is expected in the certificate"};
  return items_;
}

const std::vector<std::pair<std::string, Json>>& Json::members() const {
  if (kind_ != Kind::Object)
    throw Rejected{"an object is expected in the certificate"};
  return members_;
}

const Json* Json::find(std::string_view key) const {
  for (const auto& [name, value] : members())
    if (name == key)
      return &value;
  return nullptr;
}

const Json& Json::operator[](std::string_view key) const {
  if (const Json* found = find(key))
    return *found;
  throw Rejected{"the certificate lacks \"" + std::string(key) + "\""};
}

} // namespace verify
