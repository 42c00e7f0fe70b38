#include "verifier/Json.h"

#include <algorithm>

namespace verify {

class JsonReader {
public:
  explicit JsonReader(std::string_view text) : text_(text) {}

  Json whole() {
    Json out = value(0);
    expect(peek() == 0 && at_ == text_.size(), "the end");
    return out;
  }

private:
  void expect(bool condition, const char* what) const {
    require(condition, "not JSON at byte " + std::to_string(at_) + ": " + what + " is expected");
  }

  /// The next character that is no blank; 0 at the end.
  char peek() {
    at_ = std::min(text_.find_first_not_of(" \t\r\n", at_), text_.size());
    return at_ < text_.size() ? text_[at_] : '\0';
  }

  bool take(char c) {
    bool found = peek() == c && at_ < text_.size();
    at_ += found ? 1 : 0;
    return found;
  }

  Json value(int depth) {
    expect(depth < 32, "less nesting");
    Json out;
    if (char first = peek(); first == '"') {
      out.kind_ = first;
      out.text_ = string();
    } else if (first == '{' || first == '[') {
      out.kind_ = text_[at_++];
      const char close = first == '{' ? '}' : ']';
      while (!take(close)) {
        expect(out.items_.empty() || take(','), "','");
        if (first == '{')
          key(out);
        out.items_.push_back(value(depth + 1));
      }
    } else {
      std::size_t end = std::min(text_.find_first_of(",]} \t\r\n", at_), text_.size());
      out.text_ = text_.substr(at_, end - at_);
      bool isNumber =
          !out.text_.empty() && std::all_of(out.text_.begin(), out.text_.end(), isDigit);
      expect((isNumber && (out.text_ == "0" || out.text_[0] != '0')) || out.text_ == "null",
             "a value");
      at_ = end;
    }
    return out;
  }

  void key(Json& to) {
    expect(to.keys_.size() < 100 && peek() == '"', "a key");
    to.keys_.push_back(string());
    expect(std::count(to.keys_.begin(), to.keys_.end(), to.keys_.back()) == 1, "another key");
    expect(take(':'), "':'");
  }

  std::string string() {
    std::string out;
    for (++at_; at_ < text_.size() && text_[at_] != '"'; ++at_) {
      expect(static_cast<unsigned char>(text_[at_]) >= 0x20, "no control character");
      out += text_[at_] == '\\' ? escaped() : text_[at_];
    }
    expect(take('"'), "'\"'");
    return out;
  }

  /// By name, or as \u00 and two digits: characters beyond ASCII are written as they are.
  char escaped() {
    constexpr std::string_view names = "\"\\/bfnrt", meanings = "\"\\/\b\f\n\r\t",
                               digits = "0123456789abcdef";
    std::string_view rest = text_.substr(++at_, 5);
    if (std::size_t known = names.find(rest.substr(0, 1)); known < names.size() && !rest.empty())
      return meanings[known];
    expect(rest.size() == 5 && rest.starts_with("u00") && rest[3] < '8', "a known escape");
    std::size_t high = digits.find(rest[3]), low = digits.find(rest[4]);
    expect(high < 8 && low < 16, "two digits");
    at_ += 4;
    return static_cast<char>(high * 16 + low);
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

Json Json::parse(std::string_view text) { return JsonReader(text).whole(); }

const std::string& Json::text() const {
  require(kind_ == '"', "a text is expected");
  return text_;
}

std::int64_t Json::count() const {
  require(kind_ == 0 && text_ != "null" && text_.size() <= 9, "a whole number is expected");
  return Integer::parse(text_).small();
}

Number Json::number() const {
  std::string_view bottom = text(), top = take(bottom, "/");
  const bool isNegative = top.starts_with('-');
  top.remove_prefix(isNegative ? 1 : 0);
  if (text_.find('/') == std::string::npos)
    bottom = "1";
  for (std::string_view digits : {top, bottom})
    require(!digits.empty() && digits.size() <= 10'000 &&
                std::all_of(digits.begin(), digits.end(), isDigit),
            "a number is neither p nor p/q");
  Integer dividend = Integer::parse(top), divisor = Integer::parse(bottom);
  require(divisor.sign() > 0, "a number is divided by 0");
  return {isNegative ? -dividend : dividend, divisor};
}

const std::vector<Json>& Json::list() const {
  require(kind_ == '[', "a list is expected");
  return items_;
}

const Json* Json::find(std::string_view key) const {
  auto found = std::find(keys_.begin(), keys_.end(), key);
  return found == keys_.end() ? nullptr : &items_[static_cast<std::size_t>(found - keys_.begin())];
}

const Json& Json::operator[](std::string_view key) const {
  const Json* found = find(key);
  require(found != nullptr, "\"" + std::string(key) + "\" is missing");
  return *found;
}

} // namespace verify
