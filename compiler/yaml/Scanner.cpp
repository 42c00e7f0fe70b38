#include "yaml/Scanner.h"

#include "support/Names.h"
#include "support/Utf8.h"

#include <fmt/format.h>

namespace tikc::yaml {

using utf8::ticked;

std::string singleQuoted(std::string_view text) {
  std::string out = "'";
  for (char c : text) {
    out += c;
    if (c == '\'')
      out += c;
  }
  return out + "'";
}

Scanner::Scanner(FileId file, FeedText& feed, const Limits& limits, diag::Sink& sink,
                 std::vector<Comment>& comments)
    : file_(file), feed_(feed), limits_(limits), sink_(sink), comments_(comments),
      size_(static_cast<std::uint32_t>(feed.view().size())),
      pos_(feed.view().starts_with(utf8::byteOrderMark) ? 3 : 0), lineStart_(pos_) {}

bool Scanner::next(DocumentText& document) {
  document = {};
  document.begin = documents_ == 0 ? 0 : pos_;
  document_ = &document;
  flows_.clear();
  indents_.assign(1, {-1, false});
  anchors_.clear();
  counts_ = {};
  faults_ = 0;
  stop_ = false;
  if (!preamble())
    return false;
  if (++documents_ > limits_.documents) {
    sink_.report<diag::TooManyDocuments>(span(pos_, lineEnd(pos_)), limits_.documents);
    return false;
  }

  document.feedBegin = lineStart_;
  if (explicit_)
    pos_ += 3;
  while (!stop_ && skipToToken())
    token();
  document.feedEnd = pos_;
  if (stop_) {
    document.cut = true;
    pos_ = lineStart_ = findMarker(pos_);
  } else if (inFlow()) {
    reportUnclosed(flows_.size() - 1);
    document.recovered = true;
  }
  document.end = pos_;
  document.untouched = faults_ == 0 && feed_.untouched();
  return true;
}

/// Reads what stands between documents. False when no document follows.
bool Scanner::preamble() {
  explicit_ = false;
  bool first = documents_ == 0;
  bool directed = false;
  for (;;) {
    if (pos_ == lineStart_ && atMarker(pos_)) {
      markers_.push_back(span(pos_, pos_ + 3));
      explicit_ = at(pos_) == '-';
      if (explicit_)
        return true;
      first = true;
      pos_ += 3;
      continue;
    }
    while (blank(pos_))
      ++pos_;
    if (pos_ >= size_)
      return false;
    if (lineBreak(pos_)) {
      pos_ = lineStart_ = afterBreak(pos_);
    } else if (at(pos_) == '#') {
      comment();
    } else if (at(pos_) == '%' && pos_ == lineStart_ && first) {
      directive(lineEnd(pos_));
      directed = true;
    } else {
      if (directed)
        reportUnmarked();
      return true;
    }
  }
}

void Scanner::directive(std::uint32_t end) {
  std::uint32_t stop = trimmed(pos_, end);
  markers_.push_back(span(pos_, stop));
  std::string_view words = slice(pos_, stop);
  bool version =
      words.starts_with("%YAML") && (words.size() == 5 || words[5] == ' ' || words[5] == '\t');
  auto number = version ? words.substr(std::min(words.find_first_not_of(" \t", 5), words.size()))
                        : std::string_view{};
  if (auto hash = number.find(" #"); hash != std::string_view::npos)
    number = number.substr(0, hash);
  while (number.ends_with(' '))
    number.remove_suffix(1);
  if (number != "1.2") {
    auto& found = sink_.report<diag::Directive>(span(pos_, stop), ticked(words));
    std::uint32_t next = lineBreak(end) && end < size_ ? afterBreak(end) : end;
    found.fix("remove the line", {{span(pos_, next), ""}});
  }
  pos_ = end;
}

/// What follows a directive without a mark is YAML to some readers alone.
void Scanner::reportUnmarked() {
  bool hasReturns = text().substr(0, pos_).find('\r') != std::string_view::npos;
  sink_
      .report<diag::SyntaxError>(span(pos_, trimmed(pos_, lineEnd(pos_))),
                                 "missing `---`: a document with a directive begins with this line")
      .fix("insert the line `---`",
           {{span(lineStart_, lineStart_), hasReturns ? "---\r\n" : "---\n"}});
}

bool Scanner::atMarker(std::uint32_t at) const {
  std::string_view rest = text().substr(at, 3);
  return (rest == "---" || rest == "...") && blankOrBreak(at + 3);
}

std::uint32_t Scanner::findMarker(std::uint32_t from) const {
  for (std::uint32_t line = lineEnd(from); line < size_; line = lineEnd(line)) {
    line = afterBreak(line);
    if (atMarker(line))
      return line;
  }
  return size_;
}

std::uint32_t Scanner::lineEnd(std::uint32_t at) const {
  auto found = text().find('\n', at);
  if (found == std::string_view::npos)
    return size_;
  auto end = static_cast<std::uint32_t>(found);
  return end > at && text()[end - 1] == '\r' ? end - 1 : end;
}

std::uint32_t Scanner::afterBreak(std::uint32_t at) const {
  if (at >= size_)
    return size_;
  return at + (text()[at] == '\r' ? 2 : 1);
}

std::uint32_t Scanner::trimmed(std::uint32_t begin, std::uint32_t end) const {
  while (end > begin && blank(end - 1))
    --end;
  return end;
}

bool Scanner::keyPosition() const {
  if (document_->tokens.empty())
    return true;
  const Token& last = document_->tokens.back();
  return last.kind == YamlTokenKind::Dash || last.end <= lineStart_;
}

std::uint32_t Scanner::restOfValue(std::uint32_t from) const {
  bool flow = inFlow();
  bool key = flow || keyPosition();
  std::uint32_t end = from;
  for (; !lineBreak(end); ++end) {
    char c = at(end);
    if (c == '#' && end > from && blank(end - 1))
      break;
    if (key && c == ':' && blankOrBreak(end + 1))
      break;
    if (flow && (c == ',' || c == ']' || c == '}'))
      break;
  }
  return trimmed(from, end);
}

bool Scanner::skipToToken() {
  for (;;) {
    while (blank(pos_))
      ++pos_;
    if (pos_ >= size_)
      return false;
    if (lineBreak(pos_)) {
      pos_ = lineStart_ = afterBreak(pos_);
      if (atMarker(pos_))
        return false;
    } else if (at(pos_) == '#') {
      comment();
    } else {
      return true;
    }
  }
}

bool Scanner::firstOnLine(std::uint32_t at) const {
  std::uint32_t i = lineStart_;
  while (i < at && blank(i))
    ++i;
  return i == at;
}

void Scanner::comment() {
  std::uint32_t end = lineEnd(pos_);
  bool own = firstOnLine(pos_);
  if (!own && !blank(pos_ - 1))
    fault<diag::SyntaxError>(pos_, pos_ + 1, "missing space before the `#` of a comment")
        .fix("insert a space", {{span(pos_, pos_), " "}});
  comments_.push_back({span(pos_, end), own});
  pos_ = end;
}

void Scanner::tabs(std::uint32_t begin, std::uint32_t end) {
  std::string_view blanks = slice(begin, end);
  if (blanks.find('\t') == std::string_view::npos)
    return;
  std::string spaces;
  for (char c : blanks)
    spaces += c == '\t' ? "  " : " ";
  auto& found = fault<diag::TabIndentation>(begin, end);
  // A fix as long as a hostile line would double its cost.
  if (blanks.size() <= 200)
    found.unsafeFix("indent with spaces", {{span(begin, end), spaces}});
  for (std::uint32_t i = begin; i < end; ++i)
    if (at(i) == '\t')
      feed_.set(i, ' ');
  document_->recovered = true;
}

void Scanner::popIndents() {
  std::int64_t here = column(pos_);
  bool dash = at(pos_) == '-' && blankOrBreak(pos_ + 1);
  while (indents_.back().column > here ||
         (indents_.back().column == here && indents_.back().sequence && !dash))
    indents_.pop_back();
}

void Scanner::pushIndent(std::int64_t column, bool sequence) {
  const Indent& top = indents_.back();
  if (column > top.column || (column == top.column && sequence && !top.sequence))
    indents_.push_back({column, sequence});
}

/// Takes the token and goes on behind it.
void Scanner::add(const Token& token) {
  // The file's bytes bound the tokens, but not tightly enough for what a token costs the YAML
  // parser.
  if (++counts_[static_cast<std::size_t>(token.kind)] > limits_.nodes) {
    sink_.report<diag::TooManyNodes>(span(token.begin, token.end), limits_.nodes);
    return stopAt(token.begin);
  }
  document_->tokens.push_back(token);
  pos_ = token.end;
}

void Scanner::add(YamlTokenKind kind, std::uint32_t begin, std::uint32_t end, bool invalid) {
  Token token;
  token.begin = begin;
  token.end = end;
  token.kind = kind;
  token.invalid = invalid;
  add(token);
}

void Scanner::stopAt(std::uint32_t at) {
  while (!document_->tokens.empty() && document_->tokens.back().begin >= at)
    document_->tokens.pop_back();
  pos_ = at;
  stop_ = true;
}

} // namespace tikc::yaml
