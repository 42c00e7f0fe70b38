#include "lsp/completion/Outline.h"

#include "support/Utf8.h"
#include "syntax/Scanner.h"

namespace tikc::lsp {

using syntax::Token;
using syntax::TokenKind;

Outline::Outline(std::string text, const syntax::DocumentText& document) : text_(std::move(text)) {
  parts_.emplace_back();
  for (const Token& token : document.tokens)
    take(token);
}

std::vector<std::size_t> Outline::childrenOf(std::size_t part) const {
  std::vector<std::size_t> out;
  for (std::size_t i = 1; i < parts_.size(); ++i)
    if (parts_[i].parent == part)
      out.push_back(i);
  return out;
}

std::size_t Outline::find(std::size_t part, std::string_view key) const {
  for (std::size_t i = 1; i < parts_.size(); ++i)
    if (parts_[i].parent == part && !parts_[i].keySpan.empty() && parts_[i].key == key)
      return i;
  return 0;
}

std::string Outline::textOf(std::size_t part) const {
  const Part& found = parts_[part];
  if (found.kind != Part::Kind::Scalar)
    return {};
  if (found.isOdd)
    return text_.substr(found.scalar.begin, found.scalar.end - found.scalar.begin);
  return syntax::decode(text_, found.scalar);
}

std::string Outline::decoded(const Token& token) const {
  if (token.invalid || token.kind != TokenKind::Scalar)
    return text_.substr(token.begin, token.end - token.begin);
  return syntax::decode(text_, {token.begin, token.end, token.style, token.indent});
}

std::int64_t Outline::columnOf(std::uint32_t offset) const {
  auto line = offset == 0 ? std::string::npos : text_.rfind('\n', offset - 1);
  std::size_t begin = line == std::string::npos
                          ? text_.size() - utf8::withoutByteOrderMark(text_).size()
                          : line + 1;
  return std::int64_t(offset) - static_cast<std::int64_t>(begin);
}

bool Outline::isFirstOnLine(std::uint32_t offset) const {
  while (offset > 0 && (text_[offset - 1] == ' ' || text_[offset - 1] == '\t'))
    --offset;
  return offset == 0 || text_[offset - 1] == '\n';
}

std::size_t Outline::add(std::size_t parent) {
  Part part;
  part.parent = parent;
  parts_.push_back(std::move(part));
  waiting_ = parts_.size() - 1;
  isWaiting_ = true;
  return waiting_;
}

std::size_t Outline::waiting() {
  if (isWaiting_)
    return waiting_;
  return add(frames_.empty() ? 0 : frames_.back().part);
}

void Outline::take(const Token& token) {
  switch (token.kind) {
  case TokenKind::Anchor:
  case TokenKind::Colon:
    return;
  case TokenKind::Scalar:
  case TokenKind::Alias:
    return scalar(token);
  case TokenKind::FlowOpen:
    return open(text_[token.begin] == '{');
  case TokenKind::FlowClose:
    return close();
  case TokenKind::Comma:
    isWaiting_ = false;
    return;
  case TokenKind::Dash:
    return inFlow() ? void() : dash(token);
  }
}

void Outline::open(bool isMap) {
  std::size_t part = waiting();
  parts_[part].kind = isMap ? Part::Kind::Map : Part::Kind::List;
  parts_[part].isFlow = true;
  frames_.push_back({part, -1});
  isWaiting_ = false;
}

void Outline::close() {
  if (inFlow())
    frames_.pop_back();
  isWaiting_ = false;
}

void Outline::popTo(std::int64_t column) {
  while (!frames_.empty() && frames_.back().column > column) {
    frames_.pop_back();
    isWaiting_ = false;
  }
}

void Outline::dash(const Token& token) {
  std::int64_t column = columnOf(token.begin);
  popTo(column);
  bool goesOn = !frames_.empty() && frames_.back().column == column &&
                parts_[frames_.back().part].kind == Part::Kind::List;
  if (!goesOn) {
    std::size_t part = waiting();
    parts_[part].kind = Part::Kind::List;
    frames_.push_back({part, column});
  }
  add(frames_.back().part);
}

void Outline::key(const Token& token, bool hasColon) {
  if (!inFlow()) {
    std::int64_t column = columnOf(token.begin);
    popTo(column);
    // A list may stand as deep as the key that it is of.
    if (!frames_.empty() && frames_.back().column == column &&
        parts_[frames_.back().part].kind == Part::Kind::List) {
      frames_.pop_back();
      isWaiting_ = false;
    }
    if (frames_.empty() || frames_.back().column != column) {
      std::size_t part = waiting();
      parts_[part].kind = Part::Kind::Map;
      frames_.push_back({part, column});
    }
  }
  std::size_t part = add(frames_.back().part);
  parts_[part].key = decoded(token);
  parts_[part].keySpan = {FileId{}, token.begin, token.end};
  parts_[part].hasColon = hasColon;
  isWaiting_ = hasColon;
}

void Outline::scalar(const Token& token) {
  if (inFlow())
    return flowScalar(token);
  if (token.key)
    return key(token, true);
  if (isFirstOnLine(token.begin)) {
    std::int64_t column = columnOf(token.begin);
    popTo(column);
    // A key that lacks its colon: no value stands as far to the left as the keys of its map.
    if (!frames_.empty() && frames_.back().column == column &&
        parts_[frames_.back().part].kind == Part::Kind::Map)
      return key(token, false);
  }
  value(token);
}

void Outline::value(const Token& token) {
  Part& part = parts_[waiting()];
  part.kind = Part::Kind::Scalar;
  part.isOdd = token.invalid || token.kind != TokenKind::Scalar;
  part.scalar = {token.begin, token.end, token.style, token.indent};
  isWaiting_ = false;
}

void Outline::flowScalar(const Token& token) {
  bool inMap = parts_[frames_.back().part].kind == Part::Kind::Map;
  if (inMap && (token.key || !isWaiting_))
    return key(token, token.key);
  value(token);
}

} // namespace tikc::lsp
