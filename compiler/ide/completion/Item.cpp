#include "ide/completion/Item.h"

#include <fmt/format.h>
#include <llvm/ADT/StringExtras.h>

#include <algorithm>

namespace tikc::ide {

using yaml::Style;

namespace {

bool isWordByte(char c) { return llvm::isAlnum(c) || c == '_'; }
bool isSpaceOrTab(char c) { return c == ' ' || c == '\t'; }
bool isBreak(char c) { return c == '\n' || c == '\r'; }

/// In a snippet, `$`, `}` and `\` have a meaning of their own; in a choice `,` and `|`, too.
std::string escaped(std::string_view text, std::string_view special) {
  std::string out;
  for (char c : text) {
    if (special.find(c) != std::string_view::npos)
      out += '\\';
    out += c;
  }
  return out;
}

constexpr std::string_view inSnippet = "\\$}", inChoice = "\\$},|";

std::string plainText(const std::vector<Piece>& pieces) {
  std::string out;
  for (const Piece& piece : pieces)
    out += piece.text;
  return out;
}

/// Without snippets, what stands before the first gap.
std::string textBeforeGap(const std::vector<Piece>& pieces) {
  std::string out;
  for (const Piece& piece : pieces) {
    if (piece.isGap)
      break;
    out += piece.text;
  }
  while (out.size() > 1 && isBreak(out[out.find_last_not_of(' ')]))
    out.pop_back();
  return out;
}

} // namespace

WordSlot::WordSlot(const CursorContext& context, std::size_t word)
    : context_(context), word_(std::string_view(context.before).substr(word)),
      isAtBegin_(word == 0) {
  bool isEmpty = word_.empty();
  auto decoded = static_cast<std::uint32_t>(word);
  begin_ = isEmpty ? context.cursor : context.places.map(FileId{}, decoded, decoded + 1).begin;
  begin_ = std::min(begin_, context.cursor);
  end_ = context.cursor;
  while (end_ < context.text.size() && isWordByte(context.text[end_]))
    ++end_;
  std::string_view rest = context.text.substr(end_);
  // An escaped quote is one, too; a bare one in double quotes is YAML's.
  char quote = isEmpty ? '\0' : word_[0];
  if (quote == '"' || quote == '\'')
    hasClosingQuote_ = context.scalar.style == Style::DoubleQuoted && quote == '"'
                           ? rest.starts_with("\\\"")
                           : rest.starts_with(quote);
  for (std::size_t i = end_; i < context.text.size() && !isBreak(context.text[i]); ++i)
    if (!isSpaceOrTab(context.text[i])) {
      next_ = context.text[i];
      break;
    }
}

void WordSlot::takeWhole() {
  std::string_view text = context_.text;
  std::string_view ends = context_.inFlow ? ",]}\"'" : "\"'";
  while (end_ < text.size() && !isBreak(text[end_]) && ends.find(text[end_]) == std::string::npos &&
         !(isSpaceOrTab(text[end_]) && end_ + 1 < text.size() && text[end_ + 1] == '#'))
    ++end_;
  while (end_ > context_.cursor && isSpaceOrTab(text[end_ - 1]))
    --end_;
}

/// Whether a plain scalar could not hold the text.
bool WordSlot::wantsQuotes(const std::vector<Piece>& pieces) const {
  if (context_.scalar.style != Style::Plain || context_.map)
    return false;
  std::string text = plainText(pieces);
  bool breaksFlow =
      context_.inFlow && (context_.wantsQuotes || text.find_first_of(",[]{}") != std::string::npos);
  bool begins = isAtBegin_ && !text.empty() &&
                std::string_view("#&*!|>'\"%@`-?:[]{},").find(text[0]) != std::string::npos;
  return breaksFlow || begins || text.find(": ") != std::string::npos ||
         text.find(" #") != std::string::npos;
}

/// A piece of a snippet; gaps are numbered from 1.
std::string WordSlot::snippetOf(const Piece& piece, Style style, int& number) {
  std::string inner = escaped(yaml::escaped(style, piece.text), inSnippet);
  if (!piece.isGap)
    return inner;
  ++number;
  if (piece.choices.empty())
    return inner.empty() ? fmt::format("${}", number) : fmt::format("${{{}:{}}}", number, inner);
  std::string choices;
  for (const std::string& choice : piece.choices)
    choices += (choices.empty() ? "" : ",") + escaped(yaml::escaped(style, choice), inChoice);
  return fmt::format("${{{}|{}|}}", number, choices);
}

std::optional<WordSlot::Insertion> WordSlot::write(const CompletionItem& item,
                                                   bool withSnippets) const {
  const std::vector<Piece> given =
      item.pieces.empty() ? std::vector<Piece>{{item.label}} : item.pieces;
  Insertion out;
  bool hasGap = std::any_of(given.begin(), given.end(), [](const Piece& p) { return p.isGap; });
  out.isSnippet = withSnippets && hasGap;
  // Without snippets the rest is typed by hand, and so are the quotes around it.
  std::vector<Piece> pieces =
      hasGap && !withSnippets ? std::vector<Piece>{{textBeforeGap(given)}} : given;
  bool quotes = !item.isYaml && wantsQuotes(pieces);
  // In the midst of a call the closing quote goes behind what is still to be typed.
  bool goesOn = quotes && !isAtBegin_;
  if (goesOn && !withSnippets)
    quotes = goesOn = false;
  out.isSnippet |= goesOn;
  bool isLast =
      next_ == '\0' || (context_.inFlow && (next_ == ',' || next_ == ']' || next_ == '}'));
  std::string_view written =
      context_.text.substr(context_.scalar.begin, context_.cursor - context_.scalar.begin);
  // Quotes go around the whole scalar, and so its end must be known and none may be inside.
  if (quotes && (!isLast || written.find('\'') != std::string_view::npos))
    return std::nullopt;
  Style style = quotes ? Style::SingleQuoted : context_.scalar.style;
  int number = 0;
  for (const Piece& piece : pieces)
    out.text += out.isSnippet ? snippetOf(piece, style, number) : yaml::escaped(style, piece.text);
  if (out.text.empty())
    return std::nullopt;
  if (goesOn)
    out.text += "$0'";
  else if (quotes)
    out.text = '\'' + out.text + '\'';
  out.quotesBefore = goesOn;
  return out;
}

} // namespace tikc::ide
