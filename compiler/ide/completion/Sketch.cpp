#include "ide/completion/Sketch.h"

#include "support/Utf8.h"
#include "syntax/Scanner.h"

namespace tikc::ide {

using syntax::Token;
using syntax::YamlTokenKind;

Sketch::Sketch(std::string text, const syntax::DocumentText& document) : text_(std::move(text)) {
  parts_.emplace_back();
  for (const Token& token : document.tokens)
    take(token);
}

std::vector<std::size_t> Sketch::childrenOf(std::size_t part) const {
  std::vector<std::size_t> out;
  for (std::size_t i = 1; i < parts_.size(); ++i)
    if (parts_[i].parent == part)
      out.push_back(i);
  return out;
}

std::size_t Sketch::find(std::size_t part, std::string_view key) const {
  for (std::size_t i = 1; i < parts_.size(); ++i)
    if (parts_[i].parent == part && !parts_[i].keySpan.empty() && parts_[i].key == key)
      return i;
  return 0;
}

std::string Sketch::textOf(std::size_t part) const {
  const SketchPart& found = parts_[part];
  if (found.kind != SketchPart::Kind::Scalar)
    return {};
  if (found.isOdd)
    return text_.substr(found.scalar.begin, found.scalar.end - found.scalar.begin);
  return syntax::decode(text_, found.scalar);
}

std::string Sketch::decoded(const Token& token) const {
  if (token.invalid || token.kind != YamlTokenKind::Scalar)
    return text_.substr(token.begin, token.end - token.begin);
  return syntax::decode(text_, {token.begin, token.end, token.style, token.indent});
}

std::int64_t Sketch::columnOf(std::uint32_t offset) const {
  auto line = offset == 0 ? std::string::npos : text_.rfind('\n', offset - 1);
  std::size_t begin = line == std::string::npos
                          ? text_.size() - utf8::withoutByteOrderMark(text_).size()
                          : line + 1;
  return std::int64_t(offset) - static_cast<std::int64_t>(begin);
}

bool Sketch::isFirstOnLine(std::uint32_t offset) const {
  while (offset > 0 && (text_[offset - 1] == ' ' || text_[offset - 1] == '\t'))
    --offset;
  return offset == 0 || text_[offset - 1] == '\n';
}

std::size_t Sketch::add(std::size_t parent) {
  SketchPart part;
  part.parent = parent;
  parts_.push_back(std::move(part));
  waiting_ = parts_.size() - 1;
  isWaiting_ = true;
  return waiting_;
}

std::size_t Sketch::waiting() {
  if (isWaiting_)
    return waiting_;
  return add(frames_.empty() ? 0 : frames_.back().part);
}

void Sketch::take(const Token& token) {
  switch (token.kind) {
  case YamlTokenKind::Anchor:
  case YamlTokenKind::Colon:
    return;
  case YamlTokenKind::Scalar:
  case YamlTokenKind::Alias:
    return scalar(token);
  case YamlTokenKind::FlowOpen:
    return open(text_[token.begin] == '{');
  case YamlTokenKind::FlowClose:
    return close();
  case YamlTokenKind::Comma:
    isWaiting_ = false;
    return;
  case YamlTokenKind::Dash:
    return inFlow() ? void() : dash(token);
  }
}

void Sketch::open(bool isMap) {
  std::size_t part = waiting();
  parts_[part].kind = isMap ? SketchPart::Kind::Map : SketchPart::Kind::List;
  parts_[part].isFlow = true;
  frames_.push_back({part, -1});
  isWaiting_ = false;
}

void Sketch::close() {
  if (inFlow())
    frames_.pop_back();
  isWaiting_ = false;
}

void Sketch::popTo(std::int64_t column) {
  while (!frames_.empty() && frames_.back().column > column) {
    frames_.pop_back();
    isWaiting_ = false;
  }
}

void Sketch::dash(const Token& token) {
  std::int64_t column = columnOf(token.begin);
  popTo(column);
  bool goesOn = !frames_.empty() && frames_.back().column == column &&
                parts_[frames_.back().part].kind == SketchPart::Kind::List;
  if (!goesOn) {
    std::size_t part = waiting();
    parts_[part].kind = SketchPart::Kind::List;
    frames_.push_back({part, column});
  }
  add(frames_.back().part);
}

void Sketch::key(const Token& token, bool hasColon) {
  if (!inFlow()) {
    std::int64_t column = columnOf(token.begin);
    popTo(column);
    // A list may stand as deep as the key that it is of.
    if (!frames_.empty() && frames_.back().column == column &&
        parts_[frames_.back().part].kind == SketchPart::Kind::List) {
      frames_.pop_back();
      isWaiting_ = false;
    }
    if (frames_.empty() || frames_.back().column != column) {
      std::size_t part = waiting();
      parts_[part].kind = SketchPart::Kind::Map;
      frames_.push_back({part, column});
    }
  }
  std::size_t part = add(frames_.back().part);
  parts_[part].key = decoded(token);
  parts_[part].keySpan = {FileId{}, token.begin, token.end};
  parts_[part].hasColon = hasColon;
  isWaiting_ = hasColon;
}

void Sketch::scalar(const Token& token) {
  if (inFlow())
    return flowScalar(token);
  if (token.key)
    return key(token, true);
  if (isFirstOnLine(token.begin)) {
    std::int64_t column = columnOf(token.begin);
    popTo(column);
    // A key that lacks its colon: no value stands as far to the left as the keys of its map.
    if (!frames_.empty() && frames_.back().column == column &&
        parts_[frames_.back().part].kind == SketchPart::Kind::Map)
      return key(token, false);
  }
  value(token);
}

void Sketch::value(const Token& token) {
  SketchPart& part = parts_[waiting()];
  part.kind = SketchPart::Kind::Scalar;
  part.isOdd = token.invalid || token.kind != YamlTokenKind::Scalar;
  part.scalar = {token.begin, token.end, token.style, token.indent};
  isWaiting_ = false;
}

void Sketch::flowScalar(const Token& token) {
  bool inMap = parts_[frames_.back().part].kind == SketchPart::Kind::Map;
  if (inMap && (token.key || !isWaiting_))
    return key(token, token.key);
  value(token);
}

} // namespace tikc::ide
