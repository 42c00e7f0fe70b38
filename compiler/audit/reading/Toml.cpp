#include "audit/reading/Reading.h"
#include "support/Rational.h"

#include <fmt/format.h>
#include <llvm/ADT/StringExtras.h>

#include <optional>
#include <utility>

namespace tikc::audit {
namespace {

constexpr std::size_t mostTomlName = 1024;
constexpr std::size_t mostTomlNested = 64; // arrays and inline tables in one another

/// Reads the keys of a TOML file and their values. Stops at the first fault, after which nothing is
/// reliable.
class TomlReader {
public:
  TomlReader(const Snippet& text, FoundParts& out) : source_(text), text_(text.text), out_(out) {}

  /// Returns the place of a fault and what was expected there; empty without a fault.
  std::optional<std::pair<Span, std::string>> run() {
    while (!fault_ && skipLines())
      if (text_[at_] == '[')
        readHeader();
      else
        readEntry(table_, 0);
    return std::move(fault_);
  }

private:
  struct Key {
    std::string name; // in full
    Span span;
  };

  bool isAtEnd() const { return at_ >= text_.size(); }
  char here() const { return isAtEnd() ? '\0' : text_[at_]; }
  bool isHere(std::string_view what) const { return text_.compare(at_, what.size(), what) == 0; }

  void expected(std::string what) {
    if (!fault_)
      fault_.emplace(source_.span(std::min(at_, text_.size()), std::min(at_ + 1, text_.size())),
                     "expected " + std::move(what));
  }

  void skipSpaces() {
    while (here() == ' ' || here() == '\t')
      ++at_;
  }
  void skipComment() {
    if (here() == '#')
      at_ = std::min(text_.find('\n', at_), text_.size());
  }
  /// Skips to the next text; returns whether there is any.
  bool skipLines() {
    for (;; ++at_) {
      skipSpaces();
      skipComment();
      if (here() != '\n' && here() != '\r')
        return !isAtEnd();
    }
  }
  void endLine() {
    skipSpaces();
    skipComment();
    if (!isAtEnd() && here() != '\n' && here() != '\r')
      expected("the end of the line");
  }

  /// `[table]`, or one of several `[[table]]`.
  void readHeader() {
    const bool isOfMany = isHere("[[");
    at_ += isOfMany ? 2 : 1;
    const Key key = readKey({});
    if (!isHere(isOfMany ? "]]" : "]"))
      return expected(isOfMany ? "`]]`" : "`]`");
    at_ += isOfMany ? 2 : 1;
    table_ = key.name;
    endLine();
  }

  void readEntry(const std::string& table, std::size_t depth) {
    const Key key = readKey(table);
    if (fault_)
      return;
    if (here() != '=')
      return expected("`=`");
    ++at_;
    readValue(key, depth);
    if (depth == 0 && !fault_)
      endLine();
  }

  /// Bare and quoted words, separated by dots.
  Key readKey(const std::string& table) {
    Key out{table, {}};
    skipSpaces();
    const std::size_t begin = at_;
    for (;;) {
      skipSpaces();
      std::string word;
      if (here() == '"' || here() == '\'') {
        word = readString().text;
      } else {
        while (llvm::isAlnum(here()) || here() == '_' || here() == '-')
          word += text_[at_++];
        if (word.empty()) {
          expected("a key");
          return out;
        }
      }
      out.name += (out.name.empty() ? "" : ".") + word;
      out.span = source_.span(begin, at_);
      skipSpaces();
      if (out.name.size() > mostTomlName) {
        expected(fmt::format("keys of at most {} bytes", mostTomlName));
        return out;
      }
      if (here() != '.')
        return out;
      ++at_;
    }
  }

  void add(Snippet& to, char c, std::size_t from) {
    to.text += c;
    to.at.push_back(source_.offset(from));
  }

  /// A text in quotes, of one kind or three of it.
  Snippet readString() {
    Snippet out{{}, source_.file, {}, 0};
    const std::string quote(1, here());
    const bool isLong = isHere(quote + quote + quote);
    const std::string end = isLong ? quote + quote + quote : quote;
    at_ += end.size();
    if (isLong && here() == '\n')
      ++at_;
    while (!isHere(end) || (isLong && isHere(end + quote))) { // up to two quotes may be before it
      if (isAtEnd() || (!isLong && here() == '\n')) {
        expected(fmt::format("a closing {}", end));
        break;
      }
      if (quote == "\"" && here() == '\\')
        readEscape(out);
      else
        add(out, here(), at_), ++at_;
    }
    out.at.push_back(source_.offset(std::min(at_, text_.size())));
    at_ = std::min(at_ + end.size(), text_.size());
    return out;
  }

  /// Other characters than these are in no name or number that matters, and stay as written.
  void readEscape(Snippet& out) {
    const char next = at_ + 1 < text_.size() ? text_[at_ + 1] : '\0';
    constexpr std::string_view written = "btnfr\"\\", meant = "\b\t\n\f\r\"\\";
    if (const std::size_t which = written.find(next); which != std::string_view::npos) {
      add(out, meant[which], at_);
      at_ += 2;
    } else if (next == '\n' || next == ' ' || next == '\t' || next == '\r') {
      ++at_;
      while (here() == '\n' || here() == ' ' || here() == '\t' || here() == '\r')
        ++at_;
    } else {
      add(out, here(), at_++);
    }
  }

  void readValue(const Key& key, std::size_t depth) {
    skipSpaces();
    if (depth > mostTomlNested)
      return expected(fmt::format("at most {} nested arrays and tables", mostTomlNested));
    if (here() == '{')
      return readInlineTable(key, depth);
    if (here() == '[')
      return readArray(key, depth);
    const std::optional<Snippet> value = readScalar();
    if (!value)
      return;
    addSetting(key, settingOf(nameOf(key), *value));
    readTextValue(*value, out_);
  }

  Snippet nameOf(const Key& key) const { return {key.name, source_.file, {}, 0}; }
  void addSetting(const Key& key, SetValue set) {
    set.nameSpan = key.span; // the full name is in no one place
    out_.settings.push_back(std::move(set));
  }

  std::optional<Snippet> readScalar() {
    if (here() == '"' || here() == '\'')
      return readString();
    const std::size_t begin = at_;
    auto skipWord = [&] {
      while (!isAtEnd() && std::string_view(",]}# \t\n\r").find(here()) == std::string_view::npos)
        ++at_;
    };
    skipWord();
    if (at_ - begin == 10 && here() == ' ' && text_.find(':', at_) == at_ + 3) { // a date's time
      ++at_;
      skipWord();
    }
    if (begin == at_) {
      expected("a value");
      return std::nullopt;
    }
    return numberIn(source_.part(begin, at_));
  }

  /// A number as other formats write it: without underscores, and not in hexadecimal.
  Snippet numberIn(const Snippet& word) const {
    if (word.text.find_first_not_of("0123456789abcdefABCDEFxo_+-.") != std::string::npos ||
        word.text.find_first_of("0123456789") == std::string::npos)
      return word;
    Snippet out{{}, source_.file, {}, 0};
    for (std::size_t i = 0; i < word.text.size(); ++i)
      if (word.text[i] != '_') {
        out.text += word.text[i];
        out.at.push_back(word.offset(i));
      }
    out.at.push_back(word.offset(word.text.size()));
    std::uint64_t value = 0;
    const llvm::StringRef digits(out.text);
    if (digits.size() > 2 && digits[0] == '0' && llvm::isAlpha(digits[1]) &&
        !digits.getAsInteger(0, value)) {
      out.text = std::to_string(value);
      out.at.assign(out.text.size(), word.offset(0));
      out.at.push_back(word.offset(word.text.size()));
    }
    return out;
  }

  void readInlineTable(const Key& key, std::size_t depth) {
    ++at_;
    for (;;) {
      skipLines(); // as TOML 1.1 allows
      if (here() == '}')
        break;
      readEntry(key.name, depth + 1);
      if (fault_)
        return;
      skipLines();
      if (here() != ',' && here() != '}')
        return expected("`,` or `}`");
      if (here() == ',')
        ++at_;
    }
    ++at_;
  }

  void readArray(const Key& key, std::size_t depth) {
    ++at_;
    std::vector<Snippet> items;
    for (;;) {
      skipLines();
      if (here() == ']')
        break;
      if (here() == '[' || here() == '{') {
        readValue(key, depth + 1);
      } else if (auto item = readScalar()) {
        readTextValue(*item, out_);
        items.push_back(std::move(*item));
      }
      if (fault_)
        return;
      skipLines();
      if (here() != ',' && here() != ']')
        return expected("`,` or `]`");
      if (here() == ',')
        ++at_;
    }
    ++at_;
    if (isRange(key.name) && items.size() == 2 && parseDecimal(items[0].text) &&
        parseDecimal(items[1].text))
      addSetting(key, pairOf(nameOf(key), items[0], items[1]));
    readWords(items, out_);
  }

  const Snippet& source_;
  const std::string& text_;
  FoundParts& out_;
  std::size_t at_ = 0;
  std::string table_; // that entries are in
  std::optional<std::pair<Span, std::string>> fault_;
};

} // namespace

void readTomlFile(const Snippet& text, diag::Sink& sink, FoundParts& out) {
  if (const auto fault = TomlReader(text, out).run())
    sink.report<diag::GateNotUnderstood>(fault->first, fault->second);
}

} // namespace tikc::audit
