#include "yaml/Nesting.h"

#include "support/Utf8.h"

#include <algorithm>

namespace tikc::yaml {
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

class NestingReader {
public:
  NestingReader(std::string_view text, const DocumentText& document)
      : text_(text), tokens_(document.tokens), places_(placesOf(text, document)) {
    std::size_t before = text.find_first_not_of(' ', document.feedBegin);
    bool isBesideMarker =
        !tokens_.empty() && places_.front().line == 0 && before < tokens_.front().begin;
    // Other rules hold for what follows --- or ... on its line.
    doubt(tokens_.empty() || isBesideMarker);
  }

  Nesting read() {
    out_.steps.reserve(tokens_.size());
    for (; next_ < tokens_.size(); ++next_)
      take();
    doubt(inFlow());
    leave();
    while (!frames_.empty())
      close();
    return std::move(out_);
  }

private:
  using Kind = NestingStep::Kind;

  struct Frame {
    std::int64_t column; // -1 within brackets
    bool isList;
    bool isPair = false; // `[key: value]`: a map without brackets of its own
  };

  const Token& token() const { return tokens_[next_]; }
  bool is(YamlTokenKind kind) const { return token().kind == kind; }
  bool follows(YamlTokenKind kind) const { return next_ > 0 && tokens_[next_ - 1].kind == kind; }
  bool isFirstOnLine(std::size_t at) const {
    return at == 0 || places_[at].line > places_[at - 1].lastLine;
  }
  bool inFlow() const { return !frames_.empty() && frames_.back().column < 0; }
  bool isAt(std::int64_t column) const {
    return !frames_.empty() && frames_.back().column == column;
  }

  void doubt(bool isGuess) { out_.isCertain &= !isGuess; }
  void step(Kind kind, std::size_t at) {
    out_.steps.push_back({kind, static_cast<std::uint32_t>(at)});
  }
  void open(bool isList, std::int64_t column) {
    step(isList ? Kind::Sequence : Kind::Mapping, next_);
    frames_.push_back({column, isList});
    out_.depth = std::max(out_.depth, static_cast<std::uint32_t>(frames_.size()));
  }
  void close() {
    step(Kind::Close, next_ - 1);
    frames_.pop_back();
  }
  /// What waits for its value gets none.
  void leave() {
    if (isWaiting_ && !frames_.empty())
      step(Kind::Null, next_ - 1);
    isWaiting_ = false;
  }
  void leavePair() {
    leave();
    if (inFlow() && frames_.back().isPair)
      close();
  }

  void take() {
    switch (token().kind) {
    case YamlTokenKind::Anchor:
      return;
    case YamlTokenKind::Colon: // keys take their own
      return doubt(true);
    case YamlTokenKind::Comma:
      return leavePair();
    case YamlTokenKind::FlowClose:
      leavePair();
      return inFlow() ? close() : doubt(true);
    case YamlTokenKind::Scalar:
    case YamlTokenKind::Alias:
    case YamlTokenKind::FlowOpen:
    case YamlTokenKind::Dash:
      return inFlow() ? inBrackets() : inBlock();
    }
  }

  void inBlock() {
    // Its anchor on the same line is where a node begins.
    bool isAnchored = follows(YamlTokenKind::Anchor) && !isFirstOnLine(next_);
    std::size_t first = isAnchored ? next_ - 1 : next_;
    std::int64_t column = places_[first].column;
    bool isFirst = isFirstOnLine(first);
    if (isFirst)
      closeTo(column);
    // One that lacks its colon: no value stands as far to the left as the keys of its map.
    bool lacksColon = isFirst && isAt(column) && !frames_.back().isList;
    bool isKey = token().key || (lacksColon && !is(YamlTokenKind::FlowOpen));
    if (is(YamlTokenKind::Dash)) {
      entry(true, column, isFirst);
      isWaiting_ = true;
    } else if (isKey) {
      entry(false, column, isFirst);
      key();
    } else {
      doubt(!isWaiting_ || isAt(column));
      value();
    }
  }

  /// Leaves what is deeper.
  void closeTo(std::int64_t column) {
    while (!frames_.empty() && (frames_.back().column > column || endsList(column))) {
      leave();
      close();
    }
  }

  /// A list may stand as deep as the key that it is of.
  bool endsList(std::int64_t column) const {
    bool isOfKey = frames_.size() > 1 && frames_[frames_.size() - 2].column == column;
    return isAt(column) && frames_.back().isList && !is(YamlTokenKind::Dash) &&
           (isOfKey || token().key);
  }

  /// Of the collection that has the column, or of a new one.
  void entry(bool isList, std::int64_t column, bool isFirst) {
    if (isAt(column) && frames_.back().isList == isList) {
      doubt(!isFirst);
      return leave();
    }
    // Behind a key, a block collection begins on a line of its own.
    doubt(!isWaiting_ || (!isFirst && follows(YamlTokenKind::Colon)));
    isWaiting_ = false;
    open(isList, column);
  }

  void key() {
    step(Kind::Key, next_);
    isWaiting_ = token().key;
    doubt(!isWaiting_ || token().folded || token().end - token().begin > longestKey);
    bool hasColon = next_ + 1 < tokens_.size() && tokens_[next_ + 1].kind == YamlTokenKind::Colon;
    doubt(!hasColon);
    next_ += hasColon;
  }

  void value() {
    isWaiting_ = false;
    if (is(YamlTokenKind::FlowOpen))
      open(text_[token().begin] == '[', -1);
    else
      step(Kind::Scalar, next_);
  }

  void inBrackets() {
    if (is(YamlTokenKind::Dash))
      return doubt(true);
    bool begins = follows(YamlTokenKind::FlowOpen) || follows(YamlTokenKind::Comma);
    if (frames_.back().isList && token().key) {
      doubt(true);
      open(false, -1);
      frames_.back().isPair = true;
    }
    bool isList = frames_.back().isList;
    if (!isList && !is(YamlTokenKind::FlowOpen) && (token().key || !isWaiting_)) {
      doubt(!begins);
      leave();
      return key();
    }
    doubt(!(isList ? begins : isWaiting_));
    value();
  }

  std::string_view text_;
  const std::vector<Token>& tokens_;
  std::vector<TokenPlace> places_;
  std::size_t next_ = 0;
  std::vector<Frame> frames_;
  bool isWaiting_ = true; // for a value: a key, a dash, or the document
  Nesting out_;
};

} // namespace

Nesting nestingOf(std::string_view text, const DocumentText& document) {
  return NestingReader(text, document).read();
}

std::optional<std::vector<NestingStep>>
plainNesting(std::string_view text, const DocumentText& document, std::uint32_t depth) {
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
  Nesting nesting = nestingOf(text, document);
  if (!nesting.isCertain || nesting.depth > depth)
    return std::nullopt;
  return std::move(nesting.steps);
}

} // namespace tikc::yaml
