#include "lsp/Methods.h"
#include "lsp/completion/Expression.h"
#include "lsp/completion/Offers.h"

#include <llvm/ADT/StringExtras.h>

namespace tikc::lsp {
namespace {

/// The request was made by a blank, not by the user: nothing may come up where the next key pressed
/// could mean the end of the line.
bool isByBlank(const json::Object& params) {
  const json::Object* context = params.getObject("context");
  return context && context->getString("triggerCharacter").value_or("") == " ";
}

class Completion {
public:
  Completion(Session& session, const Cursor& cursor, bool isByBlank)
      : session_(session), cursor_(cursor), isByBlank_(isByBlank),
        context_(contextAt(cursor.document->text, cursor.offset)) {}

  json::Value answer() {
    if (!context_.isAnywhere())
      return nullptr;
    if (context_.comment)
      return comment();
    names_ = namesAt(context_, *cursor_.analysis);
    if (context_.map && context_.value)
      return either();
    return context_.map ? keys() : value();
  }

private:
  json::Value write(const Slot& slot, const std::vector<Item>& items) const {
    // The protocol has no edits over lines here.
    std::string_view word = context_.text.substr(slot.begin(), context_.cursor - slot.begin());
    if (word.find('\n') != std::string_view::npos)
      return nullptr;
    return listOf(session_, *cursor_.analysis, slot, items);
  }

  json::Value comment() {
    std::vector<Item> items = commentItems(context_, *cursor_.analysis);
    // The word is of letters and digits, in bytes that stand for themselves.
    std::string_view said = *context_.comment;
    std::size_t word = said.size();
    while (word > 0 && llvm::isAlnum(said[word - 1]))
      --word;
    context_.before = said;
    context_.scalar.begin = context_.cursor - static_cast<std::uint32_t>(said.size());
    context_.places = {};
    context_.places.copy(0, context_.scalar.begin);
    context_.places.finish(static_cast<std::uint32_t>(said.size()), context_.cursor);
    if (items.empty())
      return nullptr;
    return write(Slot(context_, word), items);
  }

  /// At the beginning of a line, or of an item, a blank is but indentation.
  bool isIndented() const { return context_.before.empty() && !context_.inFlow && isByBlank_; }

  /// The value might as well begin on the next line.
  bool mayBeBlock() const {
    using model::Form;
    Form form = model::info(*context_.value).form;
    bool isScalar = form == Form::String || form == Form::Boolean || form == Form::Number ||
                    form == Form::Count || form == Form::Fraction || form == Form::Scalar;
    return !isScalar && !context_.inFlow;
  }

  json::Value keys() {
    if (isIndented())
      return nullptr;
    Slot slot(context_, 0);
    std::vector<Item> items = starterItems(context_, *cursor_.document);
    for (Item& item : keyItems(context_, slot, names_))
      items.push_back(std::move(item));
    return write(slot, items);
  }

  /// A clause on its own line: its requirement, or the first of its keys.
  json::Value either() {
    if (isIndented())
      return nullptr;
    Slot slot(context_, 0);
    std::vector<Item> items = keyItems(context_, slot, names_);
    if (slot.next() != ':')
      for (Item& item : scalarItems(slot))
        items.push_back(std::move(item));
    return write(slot, items);
  }

  std::vector<Item> scalarItems(const Slot& slot) {
    if (!entryOf(context_))
      return valueItems(context_, names_);
    return expressionItems(Expression(context_, names_), slot);
  }

  /// A word can stand for the whole where an expression could, too.
  std::vector<Item> expressionItems(const Expression& expression, const Slot& slot) const {
    std::vector<Item> items = expression.items(slot);
    if (expression.word() == 0 && (slot.next() == '\0' || slot.next() == '#'))
      for (Item& item : valueItems(context_, names_))
        items.push_back(std::move(item));
    return items;
  }

  json::Value value() {
    if (entryOf(context_))
      return expression();
    Slot slot(context_, 0);
    if (context_.key && context_.key->key == "extends") {
      slot.takeWhole();
      return write(slot, parentItems(context_, session_, *cursor_.document));
    }
    if (isByBlank_ && mayBeBlock())
      return nullptr;
    std::vector<Item> items = valueItems(context_, names_);
    return items.empty() ? json::Value(nullptr) : write(slot, items);
  }

  json::Value expression() {
    Expression expression(context_, names_);
    if (isByBlank_ && (expression.couldEnd() || (mayBeBlock() && context_.before.empty())))
      return nullptr;
    Slot slot(context_, expression.word());
    std::vector<Item> items = expressionItems(expression, slot);
    return items.empty() ? json::Value(nullptr) : write(slot, items);
  }

  Session& session_;
  const Cursor& cursor_;
  bool isByBlank_;
  Context context_;
  Names names_;
};

} // namespace

llvm::Expected<json::Value> onCompletion(Session& session, const json::Object& params) {
  auto cursor = cursorOf(session, params);
  if (!cursor)
    return cursor.takeError();
  if (!*cursor)
    return nullptr;
  return Completion(session, *cursor, isByBlank(params)).answer();
}

} // namespace tikc::lsp
