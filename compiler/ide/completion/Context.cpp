#include "ide/completion/Context.h"

#include "yaml/Words.h"

#include <llvm/ADT/StringExtras.h>

#include <algorithm>

namespace tikc::ide {

using model::Form;
using model::Shape;
using yaml::Style;
using yaml::Token;
using yaml::Words;
using yaml::wordsOf;
using yaml::YamlTokenKind;

namespace {

/// Stands at the cursor, so that there is a word even where none is begun.
constexpr char placeholder = 'x';

std::string_view lineBefore(std::string_view text, std::uint32_t at) {
  auto begin = text.substr(0, at).rfind('\n');
  begin = begin == std::string_view::npos ? 0 : begin + 1;
  return text.substr(begin, at - begin);
}

bool isQuoted(Style style) { return style == Style::SingleQuoted || style == Style::DoubleQuoted; }

bool isOfWordLetters(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return llvm::isAlnum(c) || c == '_'; });
}

struct Path {
  std::optional<Shape> shape;
  const model::KeyInfo* key = nullptr;
  std::string section;
};

/// What the language has at a part.
Path pathOf(const Sketch& sketch, std::size_t index, Shape root) {
  if (index == 0)
    return {root, nullptr, {}};
  const SketchPart& part = sketch.parts()[index];
  Path out = pathOf(sketch, part.parent, root);
  if (part.parent == 0)
    out.section = part.key;
  if (!out.shape)
    return out;
  const model::ShapeInfo& around = model::info(*out.shape);
  if (sketch.parts()[part.parent].kind == SketchPart::Kind::List) {
    bool isList = around.form == Form::Strings || around.form == Form::OneOrMore ||
                  around.form == Form::Items;
    out.shape = isList ? around.element : std::nullopt;
  } else if (around.form == Form::Dictionary) {
    out.shape = part.keySpan.empty() ? std::nullopt : around.element;
    out.key = nullptr;
  } else {
    out.key = around.map ? model::findKey(*around.map, part.key) : nullptr;
    out.shape = out.key ? std::optional(out.key->shape) : std::nullopt;
  }
  return out;
}

class CursorReader {
public:
  CursorReader(std::string_view text, std::uint32_t cursor, Shape root)
      : root_(root), whole_(wordsOf(text)) {
    out_.text = text;
    out_.cursor = cursor;
  }

  CursorContext read() {
    cut();
    if (readComment() || words_.documents.empty() || !takeToken())
      return std::move(out_);
    if (!find(Sketch(unfinished_, words_.documents.back())))
      return std::move(out_);
    mend();
    readScalar();
    dropPhrases();
    return std::move(out_);
  }

private:
  /// The text up to the cursor, with an open quote closed.
  void cut() {
    unfinished_ = std::string(out_.text.substr(0, out_.cursor)) + placeholder;
    words_ = wordsOf(unfinished_);
    for (const diag::Diagnostic& fault : words_.faults)
      if (fault.code == diag::Code::UnclosedQuote && isOpenAtCursor(fault.span.begin))
        quote_ = unfinished_[fault.span.begin];
    if (quote_ == '\0')
      return;
    unfinished_ += quote_;
    words_ = wordsOf(unfinished_);
  }

  bool isOpenAtCursor(std::uint32_t begin) {
    if (unfinished_.find('\n', begin) == std::string::npos)
      return true;
    const yaml::DocumentText* document = whole_.documentAt(begin);
    if (!document)
      return false;
    const auto& tokens = document->tokens;
    isLong_ = std::any_of(tokens.begin(), tokens.end(), [&](const Token& token) {
      return token.begin == begin && token.end > out_.cursor && !token.invalid &&
             isQuoted(token.style);
    });
    return isLong_;
  }

  bool readComment() {
    for (const yaml::Comment& each : words_.comments)
      if (each.span.begin < out_.cursor && each.span.end > out_.cursor)
        out_.comment = out_.text.substr(each.span.begin, out_.cursor - each.span.begin);
    return out_.comment.has_value();
  }

  /// The token at the cursor is the last one; false where it is nothing to complete.
  bool takeToken() {
    const auto& tokens = words_.documents.back().tokens;
    if (tokens.empty())
      return false;
    const Token& last = tokens.back();
    if (last.kind != YamlTokenKind::Scalar || last.invalid || last.begin > out_.cursor ||
        last.end <= out_.cursor)
      return false;
    out_.scalar = {last.begin, last.end, last.style, last.indent};
    for (const Token& token : tokens) {
      if (token.kind == YamlTokenKind::FlowOpen)
        closers_.insert(closers_.begin(), unfinished_[token.begin] == '{' ? '}' : ']');
      else if (token.kind == YamlTokenKind::FlowClose && !closers_.empty())
        closers_.erase(closers_.begin());
    }
    out_.inFlow = !closers_.empty();
    takeCall(tokens);
    return true;
  }

  /// `{ do: route(safe, pro`: to YAML, the comma ends the call in its midst.
  void takeCall(const std::vector<Token>& tokens) {
    if (!out_.inFlow || out_.scalar.style != Style::Plain)
      return;
    for (std::size_t i = tokens.size() - 1; i-- > 0;) {
      const Token& token = tokens[i];
      if (token.kind == YamlTokenKind::Comma)
        continue;
      if (token.kind != YamlTokenKind::Scalar || token.key || token.style != Style::Plain)
        return;
      std::string_view call = out_.text.substr(token.begin, out_.cursor - token.begin);
      if (call.find('\n') != std::string_view::npos)
        return;
      if (std::count(call.begin(), call.end(), '(') > std::count(call.begin(), call.end(), ')')) {
        out_.scalar.begin = token.begin;
        out_.wantsQuotes = true;
        return;
      }
    }
  }

  /// What the language has where the scalar stands.
  bool find(const Sketch& sketch) {
    std::size_t index = partAt(sketch, out_.scalar.begin);
    if (index == noPart)
      return false;
    const SketchPart& part = sketch.parts()[index];
    bool isKey = contains(part.keySpan, out_.scalar.begin);
    Path path = pathOf(sketch, isKey ? part.parent : index, root_);
    out_.key = path.key;
    out_.section = path.section;
    out_.isListItem =
        !isKey && index > 0 && sketch.parts()[part.parent].kind == SketchPart::Kind::List;
    if (!path.shape)
      return false;
    const model::ShapeInfo& info = model::info(*path.shape);
    bool isMap = info.form == Form::Record || info.form == Form::RecordOrText ||
                 info.form == Form::Dictionary;
    if (isMap && (isKey || mayBeginMap()))
      out_.map = path.shape;
    bool isBrackets = isMap && !out_.map && out_.scalar.style == Style::Plain;
    if (!isKey && (!isMap || isBrackets || info.form == Form::RecordOrText))
      out_.value = path.shape;
    return out_.isAnywhere();
  }

  /// A word by itself on its line, or the first of a list's item.
  bool mayBeginMap() const {
    std::string_view line = lineBefore(out_.text, out_.scalar.begin);
    bool isFirst = line.find_first_not_of(" -") == std::string_view::npos;
    return !out_.inFlow && isFirst && out_.scalar.style == Style::Plain &&
           isOfWordLetters(out_.text.substr(out_.scalar.begin, out_.cursor - out_.scalar.begin));
  }

  /// The contract as it would be with the cursor's line whole: what stands on it behind the cursor
  /// is left out, so that nothing of it can disturb.
  void mend() {
    std::string mended = unfinished_;
    std::string_view rest = out_.text.substr(out_.cursor);
    if (isLong_) {
      mended.pop_back();
    } else {
      if (out_.map && !out_.inFlow)
        mended += ':';
      mended += closers_;
      rest = rest.substr(std::min(rest.find('\n'), rest.size()));
    }
    mended += rest;
    Words words = wordsOf(mended);
    for (const yaml::DocumentText& document : words.documents) {
      Sketch sketch(mended, document);
      if (std::size_t name = sketch.find(0, "contract"))
        out_.contracts.push_back(sketch.textOf(name));
      if (&document == words.documentAt(out_.cursor))
        out_.sketch = std::move(sketch);
    }
    if (const yaml::DocumentText* document = whole_.documentAt(out_.cursor)) {
      out_.begin = document->begin;
      out_.end = document->end;
    }
    if (out_.map)
      readSiblings();
  }

  /// A key is one word.
  void dropPhrases() {
    if (out_.map && !isOfWordLetters(out_.before))
      out_.map.reset();
  }

  void readSiblings() {
    std::size_t own = partAt(out_.sketch, out_.scalar.begin);
    if (own == noPart || !contains(out_.sketch.parts()[own].keySpan, out_.scalar.begin))
      return;
    for (std::size_t child : out_.sketch.childrenOf(out_.sketch.parts()[own].parent))
      if (child != own)
        out_.siblings.push_back(out_.sketch.parts()[child].key);
    if (out_.inFlow)
      readSiblingsBehind();
  }

  /// Of a map in brackets that are closed behind the cursor.
  void readSiblingsBehind() {
    std::string map = std::string("{") + placeholder + std::string(out_.text.substr(out_.cursor));
    Words words = wordsOf(map);
    if (words.documents.empty())
      return;
    std::vector<std::string> keys;
    int depth = 0;
    for (const Token& token : words.documents.front().tokens) {
      depth += token.kind == YamlTokenKind::FlowOpen;
      depth -= token.kind == YamlTokenKind::FlowClose;
      if (depth == 0)
        break;
      if (depth == 1 && token.key && token.begin > 1)
        keys.push_back(map.substr(token.begin, token.end - token.begin));
    }
    if (depth == 0)
      out_.siblings.insert(out_.siblings.end(), keys.begin(), keys.end());
  }

  void readScalar() {
    out_.before = yaml::decode(unfinished_, out_.scalar, &out_.places);
    out_.before.resize(out_.before.rfind(placeholder));
  }

  static constexpr std::size_t noPart = static_cast<std::size_t>(-1);

  static bool contains(const Span& span, std::uint32_t at) {
    return span.begin <= at && at < span.end;
  }

  static std::size_t partAt(const Sketch& sketch, std::uint32_t at) {
    const auto& parts = sketch.parts();
    for (std::size_t i = parts.size(); i-- > 0;) {
      bool isScalar = parts[i].kind == SketchPart::Kind::Scalar && parts[i].scalar.begin <= at &&
                      at < parts[i].scalar.end;
      if (isScalar || contains(parts[i].keySpan, at))
        return i;
    }
    return noPart;
  }

  Shape root_;
  Words whole_, words_;
  std::string unfinished_, closers_;
  char quote_ = '\0';
  bool isLong_ = false; // the quotes go on over lines
  CursorContext out_;
};

} // namespace

CursorContext contextAt(std::string_view text, std::uint32_t cursor, Shape root) {
  return CursorReader(text, cursor, root).read();
}

} // namespace tikc::ide
