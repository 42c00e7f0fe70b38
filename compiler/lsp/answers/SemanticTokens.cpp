#include "lsp/answers/SemanticTokens.h"

#include <algorithm>

namespace tikc::lsp {
namespace {

constexpr std::string_view typeNames[] = {
    "namespace", "class", "enum",  "enumMember", "event",    "variable", "property", "parameter",
    "function",  "type",  "macro", "keyword",    "operator", "number",   "string",   "comment"};
constexpr std::string_view modifierNames[] = {"definition", "defaultLibrary"};
static_assert(std::size(typeNames) == static_cast<std::size_t>(ide::TokenType::Comment) + 1);

/// A bit each, in the order of their names.
std::uint32_t modifiersOf(const ide::SemanticToken& token) {
  auto modifier = static_cast<std::uint32_t>(token.modifier);
  return modifier == 0 ? 0 : 1U << (modifier - 1);
}

/// Numbers are relative to the token before.
class Encoder {
public:
  Encoder(std::string_view text, Encoding encoding)
      : text_(text), lines_(text), encoding_(encoding) {}

  /// The lines of a piece that touch the range.
  void add(const ide::SemanticToken& piece, TextRange within) {
    for (std::uint32_t begin = piece.begin; begin < piece.end;) {
      auto end = static_cast<std::uint32_t>(
          std::min<std::size_t>(text_.find_first_of("\r\n", begin), piece.end));
      std::uint32_t first = begin;
      while (first < end && (text_[first] == ' ' || text_[first] == '\t'))
        ++first;
      if (end > within.begin && first < within.end)
        line(first, end, piece);
      begin = end + 1;
    }
  }

  std::vector<std::uint32_t> numbers;

private:
  void line(std::uint32_t begin, std::uint32_t end, const ide::SemanticToken& piece) {
    if (begin >= end)
      return;
    ProtocolPlace from = lines_.placeOf(text_, begin, encoding_);
    bool sameLine = from.line == last_.line;
    numbers.insert(numbers.end(),
                   {from.line - last_.line, from.character - (sameLine ? last_.character : 0),
                    unitsIn(text_, begin, end, encoding_), static_cast<std::uint32_t>(piece.type),
                    modifiersOf(piece)});
    last_ = from;
  }

  std::string_view text_;
  Lines lines_;
  Encoding encoding_;
  ProtocolPlace last_;
};

} // namespace

std::span<const std::string_view> tokenTypes() { return typeNames; }
std::span<const std::string_view> tokenModifiers() { return modifierNames; }

std::vector<std::uint32_t> semanticTokens(Session& session, const Target& target, TextRange range) {
  const Document& document = *target.document;
  Encoder encoder(document.text, session.documents.encoding());
  for (const ide::SemanticToken& token :
       ide::tokensOf(session.outlines.of(document), *target.analysis, range))
    encoder.add(token, range);
  return std::move(encoder.numbers);
}

const Session::Tokens& freshTokens(Session& session, const Target& target) {
  const Document& document = *target.document;
  TextRange all{0, static_cast<std::uint32_t>(document.text.size())};
  Session::Tokens& out = session.tokens[document.uri];
  out.numbers = semanticTokens(session, target, all);
  out.id = std::to_string(++session.tokenAnswers);
  return out;
}

json::Array numbers(const std::vector<std::uint32_t>& list) {
  json::Array out;
  out.reserve(list.size());
  for (std::uint32_t number : list)
    out.push_back(number);
  return out;
}

} // namespace tikc::lsp
