#include "ide/completion/Expression.h"

#include "expr/ExprLexer.h"
#include "ide/completion/Continuation.h"

namespace tikc::ide {

using expr::ExprEntry;
using expr::TokenKind;

namespace {

/// Whether a token at the cursor may still grow, so that it is what is being completed.
bool isGrowing(const expr::ExprText& text, std::size_t index) {
  TokenKind kind = text.kind(index);
  std::size_t opener = text.innermostOpener(index);
  bool isKeyword = opener < text.tokens.size() && opener > 0 &&
                   text.kind(opener) == TokenKind::LeftParen &&
                   text.kind(opener - 1) == TokenKind::Name;
  return kind == TokenKind::Name || expr::isKeyword(kind) || expr::isComparator(kind) ||
         kind == TokenKind::Unclosed || kind == TokenKind::Misspelt ||
         (kind == TokenKind::Assign && !isKeyword) ||
         (kind == TokenKind::Unknown && text.of(index) == "!");
}

} // namespace

std::optional<ExprEntry> entryOf(const CursorContext& context) {
  if (!context.value)
    return std::nullopt;
  auto entry = expr::exprEntryOf(model::info(*context.value).entry);
  bool observes = context.section == model::familyName(model::Family::Observability);
  return entry == ExprEntry::Requirement && observes ? ExprEntry::Call : entry;
}

Expression::Expression(const CursorContext& context, const Names& names)
    : context_(context), names_(names), parser_(sources_, limits_), word_(context.before.size()) {
  if (context.before.size() > limits_.expressionBytes)
    return;
  expr::ExprText all = expr::cut(context.before, limits_);
  if (all.tokens.size() > 1) {
    std::size_t last = all.tokens.size() - 2;
    if (all.tokens[last].end == context.before.size() && isGrowing(all, last))
      word_ = all.tokens[last].begin;
  }
  outlook_ = parser_.outlook(std::string_view(context.before).substr(0, word_),
                             entryOf(context).value_or(ExprEntry::Requirement));
}

Expression::~Expression() = default;

bool Expression::couldEnd() const { return outlook_ && outlook_->next.has(TokenKind::End); }

std::vector<CompletionItem> Expression::items(const WordSlot& slot) const {
  if (!outlook_)
    return {};
  return Continuation(*this, slot).items();
}

} // namespace tikc::ide
