#include "yaml/Decode.h"

#include "support/Utf8.h"

#include <algorithm>

namespace tikc::yaml {
namespace {

class Decoder {
public:
  Decoder(std::string_view text, const RawScalar& scalar, ScalarMap* map)
      : text_(text), scalar_(scalar), map_(map) {}

  std::string run() {
    std::uint32_t rawEnd = scalar_.end;
    switch (scalar_.style) {
    case Style::Empty:
      break;
    case Style::Plain:
      flow(scalar_.begin, scalar_.end, '\0');
      break;
    case Style::SingleQuoted:
      flow(scalar_.begin + 1, --rawEnd, '\'');
      break;
    case Style::DoubleQuoted:
      flow(scalar_.begin + 1, --rawEnd, '"');
      break;
    case Style::Literal:
    case Style::Folded:
      block();
      break;
    }
    if (map_)
      map_->finish(static_cast<std::uint32_t>(out_.size()), rawEnd);
    return std::move(out_);
  }

private:
  bool blank(std::uint32_t i) const { return text_[i] == ' ' || text_[i] == '\t'; }
  bool lineBreak(std::uint32_t i) const {
    return text_[i] == '\n' || (text_[i] == '\r' && i + 1 < text_.size() && text_[i + 1] == '\n');
  }
  std::uint32_t breakSize(std::uint32_t i) const { return text_[i] == '\r' ? 2 : 1; }

  void copy(std::uint32_t begin, std::uint32_t end) {
    if (begin == end)
      return;
    if (map_)
      map_->copy(static_cast<std::uint32_t>(out_.size()), begin);
    out_ += text_.substr(begin, end - begin);
  }
  void put(std::string_view decoded, std::uint32_t raw, std::uint32_t rawSize) {
    if (map_)
      map_->add({static_cast<std::uint32_t>(out_.size()), raw, rawSize, false});
    out_ += decoded;
  }
  void newline(std::uint32_t at) { put("\n", at, breakSize(at)); }

  /// Plain and quoted scalars: line breaks fold, and so do the blanks around them.
  void flow(std::uint32_t i, std::uint32_t end, char quote) {
    std::uint32_t begin = i;
    while (i < end) {
      if (blank(i)) {
        std::uint32_t blanks = i;
        while (i < end && blank(i))
          ++i;
        if (i < end && lineBreak(i)) {
          copy(begin, blanks);
          i = begin = fold(blanks, i, end);
        }
      } else if (lineBreak(i)) {
        copy(begin, i);
        i = begin = fold(i, i, end);
      } else if (quote == '\'' && text_[i] == '\'') {
        copy(begin, i);
        put("'", i, 2);
        i = begin = i + 2;
      } else if (quote == '"' && text_[i] == '\\') {
        copy(begin, i);
        i = begin = escape(i, end);
      } else {
        ++i;
      }
    }
    copy(begin, end);
  }

  /// One break is a space, further ones are themselves. `from` is where the blanks before the break
  /// began. Returns where the next line's text begins.
  std::uint32_t fold(std::uint32_t from, std::uint32_t at, std::uint32_t end) {
    std::uint32_t next = emptyLines(at + breakSize(at), end);
    if (folds_ == 0)
      put(" ", from, next - from);
    return next;
  }

  std::uint32_t emptyLines(std::uint32_t i, std::uint32_t end) {
    folds_ = 0;
    for (;;) {
      while (i < end && blank(i))
        ++i;
      if (i >= end || !lineBreak(i))
        return i;
      newline(i);
      ++folds_;
      i += breakSize(i);
    }
  }

  std::uint32_t escape(std::uint32_t i, std::uint32_t end) {
    char c = text_[i + 1];
    if (lineBreak(i + 1))
      return emptyLines(i + 1 + breakSize(i + 1), end);
    std::uint32_t digits = c == 'x' ? 2 : c == 'u' ? 4 : c == 'U' ? 8 : 0;
    if (digits != 0) {
      char32_t value = 0;
      for (char digit : text_.substr(i + 2, digits))
        value = value << 4 |
                static_cast<char32_t>(digit <= '9' ? digit - '0' : (digit | 0x20) - 'a' + 10);
      std::string character;
      utf8::append(character, value);
      put(character, i, digits + 2);
      return i + 2 + digits;
    }
    put(simpleEscape(c), i, 2);
    return i + 2;
  }

  static std::string_view simpleEscape(const char& c) {
    switch (c) {
    case '0':
      return {"\0", 1};
    case 'a':
      return "\a";
    case 'b':
      return "\b";
    case 't':
      return "\t";
    case 'n':
      return "\n";
    case 'v':
      return "\v";
    case 'f':
      return "\f";
    case 'r':
      return "\r";
    case 'e':
      return "\x1B";
    case 'N':
      return "\xC2\x85";
    case '_':
      return "\xC2\xA0";
    case 'L':
      return "\xE2\x80\xA8";
    case 'P':
      return "\xE2\x80\xA9";
    default:
      return {&c, 1};
    }
  }

  std::uint32_t lineEnd(std::uint32_t i) const {
    auto end = static_cast<std::uint32_t>(std::min(text_.find('\n', i), text_.size()));
    return end < text_.size() && end > i && text_[end - 1] == '\r' ? end - 1 : end;
  }
  std::uint32_t nextLine(std::uint32_t end) const {
    return end < text_.size() ? end + breakSize(end) : static_cast<std::uint32_t>(text_.size());
  }

  void block() {
    bool some = false;
    bool spacedBefore = false;
    bool detects = header().find_first_of("123456789") == std::string_view::npos;
    std::uint32_t line = nextLine(lineEnd(scalar_.begin));
    for (; line < scalar_.end; line = nextLine(lineEnd(line))) {
      std::uint32_t end = lineEnd(line);
      std::uint32_t begin = line;
      while (begin < end && begin - line < scalar_.indent && text_[begin] == ' ')
        ++begin;
      // Before the first text, blanks are part of it only where the header says how wide the
      // indentation is.
      bool margin = begin - line < scalar_.indent || (!some && detects);
      bool empty = begin == end || (margin && allBlank(begin, end));
      if (!empty) {
        bool spaced = blank(begin);
        blockBreaks(begin, some, spaced || spacedBefore);
        copy(begin, end);
        some = true;
        spacedBefore = spaced;
      }
      if (end < text_.size())
        breaks_.push_back(end);
    }
    chomp(line, some);
  }

  bool allBlank(std::uint32_t begin, std::uint32_t end) const {
    return std::all_of(text_.begin() + begin, text_.begin() + end,
                       [](char c) { return c == ' ' || c == '\t'; });
  }

  /// Writes the line breaks that stand between the last text and the one at `next`.
  void blockBreaks(std::uint32_t next, bool some, bool spaced) {
    bool folds = scalar_.style == Style::Folded && some && !spaced;
    if (folds && breaks_.size() == 1)
      put(" ", breaks_[0], next - breaks_[0]);
    else
      for (std::size_t i = folds ? 1 : 0; i < breaks_.size(); ++i)
        newline(breaks_[i]);
    breaks_.clear();
  }

  std::string_view header() const {
    std::string_view header = text_.substr(scalar_.begin + 1, 2);
    return header.substr(0, header.find_first_not_of("+-123456789"));
  }

  /// `+` keeps every line break at the end, `-` none, and neither one.
  void chomp(std::uint32_t line, bool some) {
    if (header().find('-') != std::string_view::npos)
      return;
    if (header().find('+') == std::string_view::npos) {
      if (some && !breaks_.empty())
        newline(breaks_[0]);
      return;
    }
    for (std::uint32_t end;
         line < text_.size() && (end = lineEnd(line)) < text_.size() && allBlank(line, end);
         line = nextLine(end))
      breaks_.push_back(end);
    for (std::uint32_t at : breaks_)
      newline(at);
  }

  std::string_view text_;
  const RawScalar& scalar_;
  ScalarMap* map_;
  std::string out_;
  std::uint32_t folds_ = 0;
  std::vector<std::uint32_t> breaks_;
};

} // namespace

std::string decode(std::string_view text, const RawScalar& scalar, ScalarMap* map) {
  return Decoder(text, scalar, map).run();
}

} // namespace tikc::yaml
