#include "data/text/Json.h"

#include "support/Utf8.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstring>

namespace tikc::data {

std::string_view nameOf(JsonKind kind) {
  switch (kind) {
  case JsonKind::Object:
    return "an object";
  case JsonKind::List:
    return "a list";
  case JsonKind::Text:
    return "text";
  case JsonKind::Number:
    return "a number";
  case JsonKind::True:
  case JsonKind::False:
    return "a truth value";
  case JsonKind::Null:
    return "null";
  case JsonKind::Other:
    return "invalid JSON";
  case JsonKind::End:
    return "the end";
  }
  return {};
}

JsonKind JsonCursor::kind() {
  while (at_ < text_.size() &&
         (text_[at_] == ' ' || text_[at_] == '\n' || text_[at_] == '\t' || text_[at_] == '\r'))
    ++at_;
  if (failed() || isDone())
    return JsonKind::End;
  switch (text_[at_]) {
  case '{':
    return JsonKind::Object;
  case '[':
    return JsonKind::List;
  case '"':
    return JsonKind::Text;
  case 't':
    return JsonKind::True;
  case 'f':
    return JsonKind::False;
  case 'n':
    return text_.substr(at_, 3) == "nan" ? JsonKind::Number : JsonKind::Null;
  case 'N':
  case 'I':
  case 'i':
  case '+':
  case '-':
    return JsonKind::Number;
  default:
    return text_[at_] >= '0' && text_[at_] <= '9' ? JsonKind::Number : JsonKind::Other;
  }
}

void JsonCursor::fail(std::string message, std::size_t at) {
  if (failed())
    return;
  fault_ = std::move(message);
  faultAt_ = at;
}

void JsonCursor::expected(std::string_view what) {
  const JsonKind found = kind();
  if (found == JsonKind::End)
    return fail(fmt::format("expected {}, found the end of the text", what), at_);
  // The kind is that of the first letter, which other words have as well.
  const std::size_t begin = at_;
  const std::string_view text = word();
  at_ = begin;
  const bool isWord = found == JsonKind::True    ? text == "true"
                      : found == JsonKind::False ? text == "false"
                      : found == JsonKind::Null  ? text == "null"
                                                 : found != JsonKind::Other || text.empty();
  fail(fmt::format("expected {}, found {}", what,
                   isWord ? std::string(nameOf(found)) : utf8::ticked(text)),
       at_);
}

bool JsonCursor::enter(JsonKind wanted) {
  if (kind() != wanted)
    return expected(nameOf(wanted)), false;
  if (++depth_ > nestingDepth_)
    return fail(fmt::format("it is nested deeper than {}", nestingDepth_), at_), false;
  ++at_;
  return true;
}

bool JsonCursor::more(JsonKind container, bool& isFirst) {
  const char close = container == JsonKind::Object ? '}' : ']';
  kind();
  if (failed())
    return false;
  if (!isDone() && text_[at_] == close) {
    ++at_;
    --depth_;
    return false;
  }
  if (!isFirst) {
    if (isDone() || text_[at_] != ',')
      return expected(container == JsonKind::Object ? "a comma or }" : "a comma or ]"), false;
    ++at_;
  }
  isFirst = false;
  return true;
}

std::string_view JsonCursor::key() {
  if (kind() != JsonKind::Text)
    return expected("a key in quotes"), std::string_view();
  const std::string_view found = string();
  kind();
  if (isDone() || text_[at_] != ':')
    return expected("a colon"), std::string_view();
  ++at_;
  return found;
}

std::string_view JsonCursor::string() {
  if (kind() != JsonKind::Text)
    return expected("text"), std::string_view();
  const std::size_t begin = at_ + 1;
  skipString();
  if (failed())
    return {};
  const std::string_view written = text_.substr(begin, at_ - begin - 1);
  hadHalfPair_ = false;
  if (written.find('\\') == std::string_view::npos)
    return written;
  unescape(written);
  return scratch_;
}

void JsonCursor::skipString() {
  const std::size_t begin = at_++;
  for (;;) {
    const void* const quote = std::memchr(text_.data() + at_, '"', text_.size() - at_);
    if (quote == nullptr)
      return fail("unterminated text", begin);
    const auto end = static_cast<std::size_t>(static_cast<const char*>(quote) - text_.data());
    std::size_t slashes = 0;
    while (end - slashes > begin + 1 && text_[end - slashes - 1] == '\\')
      ++slashes;
    at_ = end + 1;
    if (slashes % 2 == 0)
      return checkString(begin + 1);
  }
}

void JsonCursor::checkString(std::size_t begin) {
  const std::string_view written = text_.substr(begin, at_ - 1 - begin);
  bool isPlain = true;
  for (const char each : written)
    isPlain = isPlain && static_cast<signed char>(each) >= ' ';
  if (isPlain)
    return;
  const auto control = std::find_if(written.begin(), written.end(), [](char each) {
    return static_cast<unsigned char>(each) < ' ';
  });
  if (control != written.end())
    return fail("control character in a text; JSON requires an escape",
                begin + static_cast<std::size_t>(control - written.begin()));
  if (const auto invalid = utf8::firstInvalid(written))
    fail("invalid UTF-8 in a text", begin + *invalid);
}

void JsonCursor::unescape(std::string_view written) {
  scratch_.clear();
  for (std::size_t at = 0; at < written.size() && !failed();)
    if (written[at] != '\\')
      scratch_ += written[at++];
    else
      unescapeOne(written, at);
}

void JsonCursor::unescapeOne(std::string_view written, std::size_t& at) {
  constexpr std::string_view names = "\"\\/bfnrt", meant = "\"\\/\b\f\n\r\t";
  const char name = written[at + 1];
  if (const std::size_t found = names.find(name); found != std::string_view::npos) {
    scratch_ += meant[found];
    at += 2;
    return;
  }
  auto unit = [&](std::size_t from) -> std::uint32_t {
    std::uint32_t value = 0;
    if (written.substr(from, 2) != "\\u" || from + 6 > written.size())
      return ~0u;
    const char* const end = written.data() + from + 6;
    const auto read = std::from_chars(written.data() + from + 2, end, value, 16);
    return read.ptr == end ? value : ~0u;
  };
  std::uint32_t value = unit(at);
  if (value == ~0u)
    return fail("invalid escape", at_);
  at += 6;
  if (value >= 0xd800 && value < 0xdc00)
    if (const std::uint32_t low = unit(at); low >= 0xdc00 && low < 0xe000) {
      value = 0x10000 + ((value - 0xd800) << 10) + (low - 0xdc00);
      at += 6;
    }
  const bool isHalf = value >= 0xd800 && value < 0xe000;
  hadHalfPair_ = hadHalfPair_ || isHalf;
  utf8::append(scratch_, isHalf ? 0xfffd : char32_t{value});
}

void JsonCursor::skip() {
  // Its own stack: what is nested deep must cost no stack of the program.
  std::string open;
  const std::size_t outer = depth_;
  do {
    const JsonKind found = kind();
    if (found == JsonKind::End)
      return expected("a value");
    if (found == JsonKind::Object || found == JsonKind::List) {
      if (!enter(found))
        return;
      open += found == JsonKind::Object ? '}' : ']';
      kind();
      if (!isDone() && text_[at_] != open.back()) {
        if (found == JsonKind::Object)
          key();
        continue;
      }
    } else if (found == JsonKind::Text) {
      skipString();
    } else {
      skipScalar();
    }
    while (!open.empty() && !failed()) {
      const JsonKind container = open.back() == '}' ? JsonKind::Object : JsonKind::List;
      bool isFirst = false;
      kind();
      if (more(container, isFirst)) {
        if (container == JsonKind::Object)
          key();
        break;
      }
      open.pop_back();
    }
  } while (!open.empty() && !failed());
  depth_ = outer;
}

void JsonCursor::finish() {
  if (kind() != JsonKind::End)
    fail("unexpected text after the record", at_);
}

} // namespace tikc::data
