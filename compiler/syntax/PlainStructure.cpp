#include "syntax/PlainStructure.h"

#include "support/Utf8.h"

#include <algorithm>

namespace tikc::syntax {
namespace {

/// Longer ones are no keys to YAML.
constexpr std::uint32_t longestKey = 1000;

struct TokenPlace {
  std::uint32_t column, line, lastLine;
};

/// Where tokens stand, by columns from 0 and lines from 0 within the document.
std::vector<TokenPlace> placesOf(std::string_view text, const DocumentText& document) {
  std::vector<TokenPlace> out;
  out.reserve(document.tokens.size());
  std::uint32_t line = 0;
  std::size_t lineStart = document.feedBegin, lineBreak = text.find('\n', lineStart);
  auto advance = [&](std::size_t to) {
    for (; lineBreak < to; lineBreak = text.find('\n', lineStart)) {
      lineStart = lineBreak + 1;
      ++line;
    }
  };
  for (const Token& token : document.tokens) {
    advance(token.begin);
    TokenPlace place{static_cast<std::uint32_t>(token.begin - lineStart), line, line};
    if (token.folded || token.style == Style::Literal || token.style == Style::Folded)
      advance(token.end);
    place.lastLine = line;
    out.push_back(place);
  }
  return out;
}

class StructureReader {
public:
  StructureReader(std::string_view text, const DocumentText& document, std::uint32_t depth)
      : text_(text), tokens_(document.tokens), places_(placesOf(text, document)), depth_(depth) {
    std::size_t before = text.find_first_not_of(' ', document.feedBegin);
    besideMarker_ = !tokens_.empty() && places_.front().line == 0 && before < tokens_.front().begin;
  }

  std::optional<std::vector<StructureStep>> run() {
    steps_.reserve(tokens_.size());
    doubt_ = tokens_.empty() || besideMarker_;
    block();
    if (doubt_ || next_ < tokens_.size())
      return std::nullopt;
    return std::move(steps_);
  }

private:
  bool is(YamlTokenKind kind) const {
    return next_ < tokens_.size() && tokens_[next_].kind == kind;
  }
  bool isKey() const { return is(YamlTokenKind::Scalar) && tokens_[next_].key; }
  /// In a collection that begins at this token: whether another of its entries follows.
  bool continues(std::size_t first) const {
    return !doubt_ && next_ < tokens_.size() && places_[next_].column == places_[first].column &&
           (next_ == first || firstOnLine(next_));
  }
  bool firstOnLine(std::size_t token) const {
    return token == 0 || places_[token].line > places_[token - 1].lastLine;
  }

  void step(StructureStep::Kind kind, bool flow = false) {
    const Token& token = tokens_[next_];
    steps_.push_back({kind, flow, token.begin, token.end - token.begin});
  }
  void close() { steps_.push_back({StructureStep::Kind::Close, false, 0, 0}); }
  void null() { steps_.push_back({StructureStep::Kind::Null, false, tokens_[next_ - 1].end, 0}); }
  void scalar() {
    step(StructureStep::Kind::Scalar);
    ++next_;
  }

  bool enter() {
    doubt_ |= opened_ >= depth_;
    ++opened_;
    return !doubt_;
  }
  void leave() {
    --opened_;
    close();
  }

  /// A key and its colon.
  bool key() {
    const Token& token = tokens_[next_];
    if (!isKey() || token.folded || token.end - token.begin > longestKey)
      return !(doubt_ = true);
    scalar();
    if (!is(YamlTokenKind::Colon) || places_[next_].line != places_[next_ - 1].lastLine)
      return !(doubt_ = true);
    ++next_;
    return true;
  }

  /// The node that begins at the next token in a block.
  void block() {
    if (doubt_)
      return;
    if (is(YamlTokenKind::Dash))
      return sequence();
    if (isKey())
      return mapping();
    if (is(YamlTokenKind::FlowOpen))
      flow();
    else if (is(YamlTokenKind::Scalar))
      scalar();
    else
      doubt_ = true;
    // Nothing may follow it on its last line.
    doubt_ |= next_ < tokens_.size() && !firstOnLine(next_);
  }

  void sequence() {
    std::size_t first = next_;
    step(StructureStep::Kind::Sequence);
    if (!enter())
      return;
    while (continues(first) && is(YamlTokenKind::Dash)) {
      ++next_;
      if (next_ < tokens_.size() &&
          (!firstOnLine(next_) || places_[next_].column > places_[first].column))
        block();
      else
        null();
    }
    leave();
  }

  void mapping() {
    std::size_t first = next_;
    step(StructureStep::Kind::Mapping);
    if (!enter())
      return;
    while (continues(first) && isKey() && key())
      mappingValue(places_[first].column);
    leave();
  }

  void mappingValue(std::uint32_t column) {
    if (next_ >= tokens_.size())
      return null();
    std::uint32_t here = places_[next_].column;
    if (!firstOnLine(next_)) {
      // A block collection begins on a line of its own.
      doubt_ |= is(YamlTokenKind::Dash) || isKey();
      block();
    } else if (here > column || (here == column && is(YamlTokenKind::Dash))) {
      block();
    } else {
      null();
    }
  }

  void flow() {
    bool list = text_[tokens_[next_].begin] == '[';
    step(list ? StructureStep::Kind::Sequence : StructureStep::Kind::Mapping, true);
    if (!enter())
      return;
    ++next_;
    while (!doubt_ && !is(YamlTokenKind::FlowClose)) {
      if (!list)
        flowEntry();
      else if (isKey())
        doubt_ = true;
      else
        flowNode();
      if (is(YamlTokenKind::Comma))
        ++next_;
      else
        doubt_ |= !is(YamlTokenKind::FlowClose);
    }
    ++next_;
    leave();
  }

  void flowEntry() {
    if (!key())
      return;
    if (is(YamlTokenKind::Comma) || is(YamlTokenKind::FlowClose))
      null();
    else
      flowNode();
  }

  void flowNode() {
    if (is(YamlTokenKind::FlowOpen))
      flow();
    else if (is(YamlTokenKind::Scalar) && !isKey())
      scalar();
    else
      doubt_ = true;
  }

  std::string_view text_;
  const std::vector<Token>& tokens_;
  std::vector<TokenPlace> places_;
  std::uint32_t depth_;
  std::uint32_t opened_ = 0;
  std::size_t next_ = 0;
  std::vector<StructureStep> steps_;
  bool besideMarker_ = false; // the first token follows --- or ..., where other rules hold
  bool doubt_ = false;
};

} // namespace

std::optional<std::vector<StructureStep>>
plainStructure(std::string_view text, const DocumentText& document, std::uint32_t depth) {
  auto simple = [](const Token& token) {
    return token.kind != YamlTokenKind::Anchor && token.kind != YamlTokenKind::Alias;
  };
  std::string_view all = text.substr(document.feedBegin, document.feedEnd - document.feedBegin);
  // Where tabs may stand, and byte order marks, is a chapter of its own.
  bool isSimple = document.untouched && all.find('\t') == std::string_view::npos &&
                  all.find(utf8::byteOrderMark) == std::string_view::npos &&
                  std::all_of(document.tokens.begin(), document.tokens.end(), simple);
  if (!isSimple)
    return std::nullopt;
  return StructureReader(text, document, depth).run();
}

} // namespace tikc::syntax
