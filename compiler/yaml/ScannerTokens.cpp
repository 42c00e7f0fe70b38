#include "support/Names.h"
#include "support/Utf8.h"
#include "yaml/Scanner.h"

#include <fmt/format.h>

#include <algorithm>

namespace tikc::yaml {

using utf8::ticked;

void Scanner::token() {
  if (inFlow() && escapesFlow()) {
    reportUnclosed(0);
    collapse(flows_.front().token, document_->tokens.back().end);
    document_->recovered = true;
    if (stop_)
      return;
  }
  if (!inFlow()) {
    if (firstOnLine(pos_))
      tabs(lineStart_, pos_);
    popIndents();
  }
  char c = at(pos_);
  if (indicator(c))
    return;
  if (c == '"' || c == '\'')
    quoted(c);
  else if ((c == '|' || c == '>') && !inFlow())
    blockScalar();
  else if (c == '|' || c == '>' || c == '%' || c == '@' || c == '`')
    reserved();
  else
    plain();
}

bool Scanner::indicator(char c) {
  bool last = blankOrBreak(pos_ + 1);
  switch (c) {
  case '[':
  case '{':
    return flowOpen(), true;
  case ']':
  case '}':
    return flowClose(), true;
  case ',':
    return comma(), true;
  case '&':
    return anchor(), true;
  case '*':
    return alias(), true;
  case '!':
    return tag(), true;
  case '-':
    if (!last)
      return false;
    if (!inFlow()) {
      if (!document_->tokens.empty() && document_->tokens.back().begin >= lineStart_)
        tabs(document_->tokens.back().end, pos_);
      pushIndent(column(pos_), true);
    }
    add(YamlTokenKind::Dash, pos_, pos_ + 1);
    return true;
  case '?':
    if (!last)
      return false;
    return explicitKey(), true;
  case ':': {
    bool json =
        !document_->tokens.empty() && (document_->tokens.back().kind == YamlTokenKind::FlowClose ||
                                       document_->tokens.back().style == Style::SingleQuoted ||
                                       document_->tokens.back().style == Style::DoubleQuoted);
    char next = at(pos_ + 1);
    if (!last && !(inFlow() && (json || next == ',' || next == ']' || next == '}')))
      return false;
    return colon(), true;
  }
  default:
    return false;
  }
}

std::uint32_t Scanner::nameEnd(std::uint32_t from) const {
  while (!blankOrBreak(from) && std::string_view(",[]{}").find(at(from)) == std::string_view::npos)
    ++from;
  return from;
}

void Scanner::anchor() {
  std::uint32_t end = nameEnd(pos_ + 1);
  if (end == pos_ + 1)
    return reserved();
  anchors_.insert(slice(pos_ + 1, end));
  add(YamlTokenKind::Anchor, pos_, end);
}

void Scanner::alias() {
  std::uint32_t end = nameEnd(pos_ + 1);
  if (end == pos_ + 1)
    return reserved();
  std::string_view name = slice(pos_ + 1, end);
  if (anchors_.contains(name))
    return add(YamlTokenKind::Alias, pos_, end);

  std::uint32_t whole = std::max(restOfValue(pos_), end);
  auto& found = fault<diag::UnknownAlias>(pos_, end, ticked(name));
  std::vector<std::string_view> known;
  if (whole == end && anchors_.size() <= 100)
    known.assign(anchors_.begin(), anchors_.end());
  if (!found.offerNearest(span(pos_ + 1, end), name, known)) {
    found.note("quote a text that begins with `*`");
    if (!feed_.damaged(pos_, whole))
      found.unsafeFix("quote it", {{span(pos_, whole), singleQuoted(slice(pos_, whole))}});
  }
  feed_.paint(pos_, whole, 'x');
  add(YamlTokenKind::Scalar, pos_, whole, true);
}

/// Tags are reported. To the parser they become anchors of the same length: both may start a key
/// and both may stand before an empty value, so the structure stays as written.
void Scanner::tag() {
  std::uint32_t end = pos_ + 1;
  if (at(end) == '<')
    while (!blankOrBreak(end) && at(end - 1) != '>')
      ++end;
  else
    end = nameEnd(end);
  std::uint32_t after = end;
  while (blank(after))
    ++after;
  // A tag may have said that a number is a text.
  fault<diag::TagNotSupported>(pos_, end, ticked(slice(pos_, end)))
      .unsafeFix("remove the tag", {{span(pos_, after), ""}});

  bool besideAnchor =
      at(after) == '&' || at(after) == '!' ||
      (!document_->tokens.empty() && document_->tokens.back().kind == YamlTokenKind::Anchor);
  if (end - pos_ == 1 || besideAnchor) {
    feed_.paint(pos_, end, ' ');
    document_->recovered = true;
    pos_ = end;
  } else {
    feed_.paint(pos_, pos_ + 1, '&');
    feed_.paint(pos_ + 1, end, 't');
    add(YamlTokenKind::Anchor, pos_, end, true);
  }
}

void Scanner::flowOpen() {
  if (flows_.size() >= limits_.nestingDepth) {
    fault<diag::NestingTooDeep>(pos_, pos_ + 1, limits_.nestingDepth);
    return stopAt(pos_);
  }
  flows_.push_back({static_cast<std::uint32_t>(document_->tokens.size()), at(pos_)});
  add(YamlTokenKind::FlowOpen, pos_, pos_ + 1);
}

void Scanner::flowClose() {
  char c = at(pos_);
  auto matches = [&](const Flow& flow) { return (flow.open == '[') == (c == ']'); };
  if (!inFlow()) {
    fault<diag::SyntaxError>(pos_, pos_ + 1, fmt::format("unmatched `{}`: no bracket is open", c))
        .unsafeFix("remove it", {{span(pos_, pos_ + 1), ""}});
    feed_.paint(pos_, pos_ + 1, ' ');
    document_->recovered = true;
    ++pos_;
    return;
  }
  if (!matches(flows_.back())) {
    std::size_t outer = flows_.size();
    while (outer > 0 && !matches(flows_[outer - 1]))
      --outer;
    reportUnclosed(outer > 0 ? outer : flows_.size() - 1);
    document_->recovered = true;
    if (outer > 0)
      collapse(flows_[outer].token, document_->tokens.back().end);
    else
      feed_.set(pos_, c == ']' ? '}' : ']');
    if (stop_)
      return;
  }
  flows_.pop_back();
  add(YamlTokenKind::FlowClose, pos_, pos_ + 1);
}

/// Whether this line cannot belong to the flow collection: it starts no deeper than the block
/// around it.
bool Scanner::escapesFlow() const {
  char c = at(pos_);
  std::int64_t around = indents_.back().column;
  return around >= 0 && column(pos_) <= around && c != ']' && c != '}' && c != ',' &&
         firstOnLine(pos_);
}

void Scanner::reportUnclosed(std::size_t flow) {
  std::uint32_t open = document_->tokens[flows_[flow].token].begin;
  auto& found = fault<diag::UnclosedFlow>(open, open + 1, fmt::format("`{}`", flows_[flow].open));
  if (nameComment(found, open, flows_[flow].open == '[' ? ']' : '}'))
    return;
  if (pos_ < size_ && !atMarker(pos_)) {
    found.relatedTo(span(pos_, pos_ + 1),
                    fmt::format("expected `{}` before this", flows_[flow].open == '[' ? ']' : '}'));
    if (at(pos_) != ']' && at(pos_) != '}')
      found.note(
          "indent lines inside brackets more deeply than the key that the bracket belongs to");
  }
}

/// `{ because: see #12 }`: the bracket is in what has become a comment. False where none has it.
bool Scanner::nameComment(diag::Diagnostic& finding, std::uint32_t open, char close) const {
  auto hides = [&](const Comment& comment) {
    std::string_view words = slice(comment.span.begin, comment.span.end);
    bool isHere = comment.span.begin > open && !comment.ownLine;
    return isHere && words.find(close) < words.find(at(open)); // `# see [1]` closes its own
  };
  auto comment = std::find_if(comments_.begin(), comments_.end(), hides);
  if (comment == comments_.end())
    return false;
  std::uint32_t hash = comment->span.begin;
  finding.relatedTo(comment->span,
                    fmt::format("` #` begins a comment, which contains the `{}`", close));
  const auto& tokens = document_->tokens;
  auto before = std::find_if(tokens.rbegin(), tokens.rend(),
                             [&](const Token& token) { return token.end <= hash; });
  bool isWord = before->kind == YamlTokenKind::Scalar && before->style == Style::Plain;
  bool isValue = isWord || before->kind == YamlTokenKind::Colon ||
                 before->kind == YamlTokenKind::Comma || before->kind == YamlTokenKind::FlowOpen;
  std::uint32_t begin = isWord ? before->begin : hash;
  std::size_t size = slice(hash, comment->span.end).find_first_of(",]}");
  std::uint32_t end = trimmed(begin, hash + static_cast<std::uint32_t>(size));
  // A comment that is meant has a blank after its sign.
  if (isValue && !blankOrBreak(hash + 1) && !feed_.damaged(begin, end))
    finding.unsafeFix("quote the text", {{span(begin, end), singleQuoted(slice(begin, end))}});
  return true;
}

/// Makes one scalar, already reported, of everything from a token on.
void Scanner::collapse(std::uint32_t firstToken, std::uint32_t end) {
  std::uint32_t begin = document_->tokens[firstToken].begin;
  bool folded = lineEnd(begin) < end;
  document_->tokens.resize(firstToken);
  while (inFlow() && flows_.back().token >= firstToken)
    flows_.pop_back();
  feed_.paint(begin, end, 'x');
  std::uint32_t here = pos_;
  Token scalar;
  scalar.begin = begin;
  scalar.end = end;
  scalar.invalid = true;
  scalar.folded = folded;
  add(scalar);
  if (!stop_)
    pos_ = here;
}

void Scanner::comma() {
  YamlTokenKind last =
      document_->tokens.empty() ? YamlTokenKind::Comma : document_->tokens.back().kind;
  bool stray = !inFlow() || last == YamlTokenKind::Comma || last == YamlTokenKind::FlowOpen;
  if (stray) {
    fault<diag::SyntaxError>(pos_, pos_ + 1,
                             inFlow() ? "unexpected `,`: there is no entry before it"
                                      : "unexpected `,`: it separates entries only inside brackets")
        .fix("remove it", {{span(pos_, pos_ + 1), ""}}, inFlow());
    feed_.paint(pos_, pos_ + 1, ' ');
    document_->recovered = true;
    ++pos_;
  } else {
    add(YamlTokenKind::Comma, pos_, pos_ + 1);
  }
}

void Scanner::colon() {
  auto& tokens = document_->tokens;
  bool sameLine = !tokens.empty() && tokens.back().begin >= lineStart_ && !tokens.back().folded;
  if (sameLine && tokens.back().kind == YamlTokenKind::FlowClose)
    complexKey();
  if (sameLine &&
      (tokens.back().kind == YamlTokenKind::Scalar || tokens.back().kind == YamlTokenKind::Alias)) {
    std::size_t first = tokens.size() - 1;
    if (first > 0 && tokens[first - 1].kind == YamlTokenKind::Anchor &&
        tokens[first - 1].begin >= lineStart_)
      --first;
    bool starts = first == 0 || tokens[first - 1].end <= lineStart_ ||
                  tokens[first - 1].kind == YamlTokenKind::Dash;
    tokens.back().key = inFlow() || starts;
    if (!inFlow() && starts) {
      std::uint32_t begin = tokens[first].begin;
      if (first > 0 && tokens[first - 1].end > lineStart_)
        tabs(tokens[first - 1].end, begin);
      pushIndent(column(begin), false);
    }
  } else if (!inFlow()) {
    pushIndent(column(pos_), false);
  }
  if (!stop_)
    add(YamlTokenKind::Colon, pos_, pos_ + 1);
}

void Scanner::complexKey() {
  auto& tokens = document_->tokens;
  std::size_t first = tokens.size();
  int depth = 0;
  do {
    --first;
    depth += tokens[first].kind == YamlTokenKind::FlowClose;
    depth -= tokens[first].kind == YamlTokenKind::FlowOpen;
  } while (depth > 0);
  std::uint32_t end = tokens.back().end;
  fault<diag::ComplexKey>(tokens[first].begin, end,
                          at(tokens[first].begin) == '[' ? "a list" : "a map");
  collapse(static_cast<std::uint32_t>(first), end);
}

void Scanner::explicitKey() {
  fault<diag::ComplexKey>(pos_, pos_ + 1, "an explicit `?`").note("write `key: value`");
  feed_.paint(pos_, pos_ + 1, ' ');
  document_->recovered = true;
  ++pos_;
}

void Scanner::reserved() {
  std::uint32_t end = std::max(restOfValue(pos_), pos_ + 1);
  auto& found = fault<diag::ReservedCharacter>(
      pos_, pos_ + 1, at(pos_) == '`' ? "a backtick" : fmt::format("`{}`", at(pos_)));
  if (!feed_.damaged(pos_, end))
    found.fix("quote it", {{span(pos_, end), singleQuoted(slice(pos_, end))}});
  feed_.paint(pos_, end, 'x');
  add(YamlTokenKind::Scalar, pos_, end, true);
}

} // namespace tikc::yaml
