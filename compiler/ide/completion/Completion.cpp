#include "ide/completion/Completion.h"

#include "ide/completion/Expression.h"
#include "ide/completion/Offers.h"

#include <llvm/ADT/StringExtras.h>

namespace tikc::ide {
namespace {

class Completing {
public:
  explicit Completing(const CompletionRequest& request)
      : request_(request),
        context_(contextAt(request.analysis.sources->get(request.analysis.file).text,
                           request.offset, request.analysis.shape)) {}

  std::optional<Completion> run() {
    if (!context_.isAnywhere())
      return std::nullopt;
    if (context_.comment)
      return comment();
    names_ = namesAt(context_, request_.analysis);
    if (context_.map && context_.value)
      return either();
    return context_.map ? keys() : value();
  }

private:
  Completion write(const WordSlot& slot, std::vector<CompletionItem>&& items) const {
    Completion out{slot.begin(), context_.cursor, slot.end(), context_.scalar.begin, {}};
    for (std::size_t i = 0; i < items.size(); ++i)
      if (auto written = slot.write(items[i], request_.withSnippets)) {
        std::string typed = slot.encoded(items[i].typed.empty() ? items[i].label : items[i].typed);
        out.offers.push_back({std::move(items[i]), i, std::move(*written), std::move(typed)});
      }
    return out;
  }

  std::optional<Completion> comment() {
    std::vector<CompletionItem> items = commentItems(context_, request_.analysis);
    // The word is of letters and digits, in bytes that stand for themselves.
    std::string_view text = *context_.comment;
    std::size_t word = text.size();
    while (word > 0 && llvm::isAlnum(text[word - 1]))
      --word;
    context_.before = text;
    context_.scalar.begin = context_.cursor - static_cast<std::uint32_t>(text.size());
    context_.places = {};
    context_.places.copy(0, context_.scalar.begin);
    context_.places.finish(static_cast<std::uint32_t>(text.size()), context_.cursor);
    if (items.empty())
      return std::nullopt;
    return write(WordSlot(context_, word), std::move(items));
  }

  /// At the beginning of a line, or of an item, a blank is but indentation.
  bool isIndented() const {
    return context_.before.empty() && !context_.inFlow && request_.isByBlank;
  }

  /// The value might as well begin on the next line.
  bool mayBeBlock() const {
    using model::Form;
    Form form = model::info(*context_.value).form;
    bool isScalar = form == Form::String || form == Form::Boolean || form == Form::Number ||
                    form == Form::Count || form == Form::Fraction || form == Form::Scalar;
    return !isScalar && !context_.inFlow;
  }

  std::optional<Completion> keys() {
    if (isIndented())
      return std::nullopt;
    WordSlot slot(context_, 0);
    std::vector<CompletionItem> items = starterItems(context_, request_.path);
    for (CompletionItem& item : keyItems(context_, slot, names_))
      items.push_back(std::move(item));
    return write(slot, std::move(items));
  }

  /// A clause on its own line: its requirement, or the first of its keys.
  std::optional<Completion> either() {
    if (isIndented())
      return std::nullopt;
    WordSlot slot(context_, 0);
    std::vector<CompletionItem> items = keyItems(context_, slot, names_);
    if (slot.next() != ':')
      for (CompletionItem& item : scalarItems(slot))
        items.push_back(std::move(item));
    return write(slot, std::move(items));
  }

  std::vector<CompletionItem> scalarItems(const WordSlot& slot) {
    if (!entryOf(context_))
      return valueItems(context_, names_);
    return expressionItems(Expression(context_, names_), slot);
  }

  /// A word can stand for the whole where an expression could, too.
  std::vector<CompletionItem> expressionItems(const Expression& expression,
                                              const WordSlot& slot) const {
    std::vector<CompletionItem> items = expression.items(slot);
    if (expression.word() == 0 && (slot.next() == '\0' || slot.next() == '#'))
      for (CompletionItem& item : valueItems(context_, names_))
        items.push_back(std::move(item));
    return items;
  }

  /// A word of a sequence of verdicts begins behind the last blank.
  std::size_t wordOfValue() const {
    std::size_t blank = context_.value == model::Shape::VerdictSequence
                            ? context_.before.find_last_of(" \n")
                            : std::string::npos;
    return blank == std::string::npos ? 0 : blank + 1;
  }

  bool isReference() const {
    bool isTested = context_.key && context_.key->map == model::Map::Fixture;
    return context_.key && context_.key->key == (isTested ? "contract" : "extends");
  }

  std::optional<Completion> value() {
    if (entryOf(context_) && context_.value != model::Shape::TrafficAction)
      return expression();
    WordSlot slot(context_, wordOfValue());
    if (isReference()) {
      slot.takeWhole();
      return write(slot, parentItems(context_, request_.around, request_.path));
    }
    if (request_.isByBlank && mayBeBlock())
      return std::nullopt;
    std::vector<CompletionItem> items = valueItems(context_, names_);
    return items.empty() ? std::nullopt : std::optional(write(slot, std::move(items)));
  }

  std::optional<Completion> expression() {
    Expression expression(context_, names_);
    if (request_.isByBlank && (expression.couldEnd() || (mayBeBlock() && context_.before.empty())))
      return std::nullopt;
    WordSlot slot(context_, expression.word());
    std::vector<CompletionItem> items = expressionItems(expression, slot);
    return items.empty() ? std::nullopt : std::optional(write(slot, std::move(items)));
  }

  const CompletionRequest& request_;
  CursorContext context_;
  Names names_;
};

} // namespace

std::optional<Completion> completionAt(const CompletionRequest& request) {
  return Completing(request).run();
}

} // namespace tikc::ide
