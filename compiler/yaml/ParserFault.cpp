#include "yaml/ParserFault.h"

#include "model/Keys.h"

#include "support/Utf8.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

namespace tikc::yaml {

using utf8::ticked;

namespace {

class FaultReport {
public:
  FaultReport(std::uint32_t offset, const Source& source, FileId file, const DocumentText& document,
              diag::Sink& sink)
      : source_(source), text_(source.text), file_(file), tokens_(document.tokens), sink_(sink),
        offset_(std::min(offset, document.feedEnd)) {
    auto it =
        std::lower_bound(tokens_.begin(), tokens_.end(), offset_,
                         [](const Token& token, std::uint32_t at) { return token.begin < at; });
    at_ = static_cast<std::size_t>(it - tokens_.begin());
    lineStart_ = source.lines.lineStart(source.lines.lineIndex(offset_));
    if (text_.starts_with(utf8::byteOrderMark))
      lineStart_ = std::max<std::uint32_t>(lineStart_, 3);
  }

  void explain(std::string_view complaint) {
    if (complaint == "illegal map value")
      return colon();
    if (complaint == "illegal block entry")
      return dash();
    if (complaint == "end of map not found" || complaint == "end of sequence not found")
      return structure();
    if (complaint == "end of map flow not found" || complaint == "end of sequence flow not found")
      return bracket();
    plain(fmt::format("invalid YAML: {}", complaint));
  }

private:
  const Token* here() const { return at_ < tokens_.size() ? &tokens_[at_] : nullptr; }
  Span span(std::uint32_t begin, std::uint32_t end) const { return {file_, begin, end}; }
  Span spanHere() const {
    if (const Token* token = here())
      return span(token->begin, token->end);
    return span(offset_, offset_);
  }
  std::string_view textOf(const Token& token) const {
    return text_.substr(token.begin, token.end - token.begin);
  }
  std::uint32_t column(const Token& token) const {
    std::uint32_t start = source_.lines.lineStart(source_.lines.lineIndex(token.begin));
    return token.begin - start;
  }
  bool sameLine(const Token& token) const { return token.begin >= lineStart_; }
  bool isFirst(std::size_t i) const {
    return i == 0 ||
           source_.lines.lineIndex(tokens_[i - 1].end) < source_.lines.lineIndex(tokens_[i].begin);
  }
  bool firstOnLine(std::size_t i) const { return i == 0 || tokens_[i - 1].end <= lineStart_; }

  void plain(const std::string& what) { sink_.report<diag::SyntaxError>(spanHere(), what); }

  /// `a: b: c`, or a `:` after something that cannot be a key.
  void colon() {
    std::size_t key = at_;
    while (key > 0 && sameLine(tokens_[key - 1]) && tokens_[key - 1].kind != YamlTokenKind::Colon)
      --key;
    bool inValue = key > 0 && key < at_ && sameLine(tokens_[key - 1]);
    if (inValue && key > 1 &&
        ((opensBracket(tokens_[key - 2]) && missingSpace(tokens_[key - 2])) ||
         reportMissingColon({file_, tokens_[key - 2].begin, tokens_[key - 2].end},
                            textOf(tokens_[key - 2]), sink_)))
      return;
    if (inValue && tokens_[key].style == Style::Plain &&
        tokens_[key].kind == YamlTokenKind::Scalar) {
      std::uint32_t begin = tokens_[key].begin;
      std::uint32_t end = endOfText(begin);
      // What reads as a key may have been meant as one.
      bool isProse = !isIdentifier(text_.substr(begin, offset_ - begin));
      sink_
          .report<diag::ColonInValue>(span(offset_, offset_ + 1),
                                      ticked(text_.substr(begin, end - begin)))
          .withLabel("this `:` looks like the end of another key")
          .fix("quote the value",
               {{span(begin, end), singleQuoted(text_.substr(begin, end - begin))}}, isProse);
      return;
    }
    if (at_ > 0 && tokens_[at_ - 1].folded && tokens_[at_ - 1].style == Style::Plain &&
        tokens_[at_ - 1].end > lineStart_)
      return isEntry(at_ - 1) && missingSpace(tokens_[at_ - 1]) ? void()
                                                                : continued(tokens_[at_ - 1]);
    if (at_ > 1 && tokens_[at_ - 2].kind == YamlTokenKind::Scalar && !tokens_[at_ - 2].key &&
        isEntry(at_ - 2))
      return loneWord(tokens_[at_ - 2]);
    if (at_ > 0 && offset_ - tokens_[at_ - 1].begin > 1024)
      return plain("key too long: expected at most 1024 characters");
    plain("unexpected `:`: expected a key before it");
  }

  /// A line that reads on the value above it, though it was meant as an entry.
  void continued(const Token& scalar) {
    std::uint32_t begin = lineStart_;
    while (begin < scalar.end && (text_[begin] == ' ' || text_[begin] == '\t'))
      ++begin;
    // Within a section it may as well be this line that is too far right.
    auto moved = movedLeft(begin - lineStart_, at_);
    if (moved && column(tokens_[*moved]) == 0)
      return outOfLine(*moved, begin - lineStart_, source_.lines.lineIndex(begin));
    auto& found = sink_.report<diag::Indentation>(
        span(begin, scalar.end), fmt::format("{} continues the value above it",
                                             ticked(text_.substr(begin, scalar.end - begin))));
    found.relatedTo(span(scalar.begin, scalar.begin), "the value begins here");
    found.note("entries of one map or list start in the same column");
  }

  void dash() {
    if (!firstOnLine(at_))
      return plain("a list with dashes must start on its own line");
    plain("a list item cannot start here");
  }

  void structure() {
    const Token* token = here();
    if (!token)
      return plain("unexpected end of the text");
    if (!firstOnLine(at_))
      return plain(fmt::format("unexpected {} after the end of a value", ticked(textOf(*token))));
    if (token->kind == YamlTokenKind::Scalar && !token->key)
      return loneWord(*token);
    if (const Token* dash = onlyDashAbove(column(*token)); dash && token->key)
      return dashInMap(*dash, *token);
    if (auto moved = movedLeft(column(*token), at_))
      return outOfLine(*moved, column(*token), source_.lines.lineIndex(token->begin));
    sink_
        .report<diag::Indentation>(spanHere(),
                                   fmt::format("{} starts in column {}, but nothing around it does",
                                               ticked(textOf(*token)), column(*token) + 1))
        .note("entries of one map or list start in the same column");
  }

  /// The dash of a list of one item that ends where an entry of a map begins.
  const Token* onlyDashAbove(std::uint32_t wanted) const {
    const Token* out = nullptr;
    for (std::size_t i = at_; i-- > 0;) {
      if (!isFirst(i) || column(tokens_[i]) > wanted)
        continue;
      if (column(tokens_[i]) < wanted)
        break;
      if (tokens_[i].kind != YamlTokenKind::Dash || out)
        return nullptr;
      out = &tokens_[i];
    }
    return out;
  }

  void dashInMap(const Token& dash, const Token& entry) {
    const Token& item = *(&dash + 1);
    sink_
        .report<diag::Indentation>(
            span(dash.begin, dash.end),
            fmt::format("this dash begins a list, but {} below is an entry of a map",
                        ticked(textOf(entry))))
        .unsafeFix("remove the dash", {{span(dash.begin, item.begin), ""}});
  }

  /// The entry above that stands to the left of its neighbours, which are in the wanted column.
  std::optional<std::size_t> movedLeft(std::uint32_t wanted, std::size_t from) const {
    auto above = [&](std::size_t i) {
      while (i-- > 0)
        if (isFirst(i) && column(tokens_[i]) <= wanted)
          return i;
      return tokens_.size();
    };
    std::size_t moved = above(from);
    std::size_t before = moved < tokens_.size() ? above(moved) : moved;
    bool isOut = before < tokens_.size() && tokens_[moved].key && column(tokens_[moved]) < wanted &&
                 column(tokens_[before]) == wanted;
    if (!isOut)
      return std::nullopt;
    bool isSection =
        column(tokens_[moved]) == 0 && model::findKey(model::Map::Top, textOf(tokens_[moved]));
    return isSection ? std::nullopt : std::optional(moved);
  }

  /// Every line of the entry moves as far as its key.
  void outOfLine(std::size_t entry, std::uint32_t to, std::uint32_t endLine) {
    const Token& key = tokens_[entry];
    std::uint32_t from = column(key);
    std::vector<diag::Edit> edits;
    for (std::uint32_t line = source_.lines.lineIndex(key.begin); line < endLine; ++line) {
      std::uint32_t start = source_.lines.lineStart(line);
      if (!source_.lines.lineText(text_, line).empty())
        edits.push_back({span(start, start), std::string(to - from, ' ')});
    }
    sink_
        .report<diag::Indentation>(
            span(key.begin, key.end),
            fmt::format("wrong indentation: {} starts in column {}, but its neighbours start in "
                        "column {}",
                        ticked(textOf(key)), from + 1, to + 1))
        .fix("indent it like its neighbours", std::move(edits));
  }

  /// Whether the token stands where a key would, not behind a `:` or a `-`.
  bool isEntry(std::size_t i) const {
    return i == 0 || (tokens_[i - 1].kind != YamlTokenKind::Colon &&
                      tokens_[i - 1].kind != YamlTokenKind::Dash);
  }

  void loneWord(const Token& token) {
    if (token.style != Style::Plain || !missingSpace(token))
      sink_.report<diag::SyntaxError>(
          span(token.begin, token.end),
          fmt::format("{} is neither a `key: value` nor part of the value above it",
                      ticked(textOf(token))));
  }

  /// `pair:{ train`
  bool opensBracket(const Token& token) const {
    std::string_view word = textOf(token);
    auto colon = word.find(':');
    return colon < word.size() - 1 && (word[colon + 1] == '{' || word[colon + 1] == '[');
  }

  bool missingSpace(const Token& token) {
    std::string_view word = textOf(token);
    auto colon = word.find(':');
    if (colon == std::string_view::npos || colon == 0 || word.find_first_of(" \t\r\n") < colon)
      return false;
    std::uint32_t at = token.begin + static_cast<std::uint32_t>(colon);
    sink_.report<diag::MissingSpace>(span(at, at + 1))
        .fix("insert a space", {{span(at + 1, at + 1), " "}});
    return true;
  }

  void bracket() {
    const Token* token = here();
    if (!token)
      return plain("unexpected end of the text: the bracket is not closed");
    Span place = spanHere();
    if (token->kind == YamlTokenKind::Colon && at_ > 0 && tokens_[at_ - 1].style == Style::Plain) {
      // `a: 1 b: 2`: the comma is missing before the last word of what reads as one value.
      const Token& value = tokens_[at_ - 1];
      auto gap = textOf(value).find_last_of(" \t\r\n");
      place = span(value.begin + static_cast<std::uint32_t>(gap + 1), value.end);
    }
    sink_.report<diag::SyntaxError>(place,
                                    fmt::format("expected `,` or a closing bracket before {}",
                                                ticked(text_.substr(place.begin, place.size()))));
  }

  std::uint32_t endOfText(std::uint32_t begin) const {
    auto end = static_cast<std::uint32_t>(std::min(text_.find('\n', begin), text_.size()));
    auto comment = text_.substr(0, end).find(" #", begin);
    if (comment != std::string_view::npos)
      end = static_cast<std::uint32_t>(comment);
    while (end > begin &&
           (text_[end - 1] == ' ' || text_[end - 1] == '\t' || text_[end - 1] == '\r'))
      --end;
    return end;
  }

  const Source& source_;
  std::string_view text_;
  FileId file_;
  const std::vector<Token>& tokens_;
  diag::Sink& sink_;
  std::uint32_t offset_;
  std::uint32_t lineStart_ = 0;
  std::size_t at_ = 0;
};

} // namespace

bool reportMissingColon(const Span& key, std::string_view text, diag::Sink& sink) {
  auto bracket = text.find_first_of("{[");
  std::string_view name = text.substr(0, std::min(bracket, text.size()));
  name = name.substr(0, name.find_last_not_of(' ') + 1);
  if (bracket == std::string_view::npos || !isIdentifier(name))
    return false;
  auto at = key.begin + static_cast<std::uint32_t>(name.size());
  sink.report<diag::SyntaxError>(Span{key.file, key.begin, at},
                                 fmt::format("missing `:` after {}", ticked(name)))
      .fix("insert `:`", {{Span{key.file, at, at}, bracket == name.size() ? ": " : ":"}});
  return true;
}

void reportParserFault(std::string_view complaint, std::uint32_t offset, const Source& source,
                       FileId file, const DocumentText& document, diag::Sink& sink) {
  FaultReport(offset, source, file, document, sink).explain(complaint);
}

} // namespace tikc::yaml
