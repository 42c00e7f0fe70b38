#include "ide/completion/Completion.h"

#include "lsp/answers/Convert.h"
#include "lsp/answers/Params.h"
#include "lsp/methods/Methods.h"
#include "support/Check.h"

#include <fmt/format.h>

namespace tikc::lsp {
namespace {

bool isByBlank(const json::Object& params) {
  const json::Object* context = params.getObject("context");
  return context && context->getString("triggerCharacter").value_or("") == " ";
}

/// The protocol's numbers.
int numberOf(ide::ItemKind kind) {
  using Kind = ide::ItemKind;
  switch (kind) {
  case Kind::Function:
    return 3;
  case Kind::Field:
    return 5;
  case Kind::Property:
    return 10;
  case Kind::Unit:
    return 11;
  case Kind::Value:
    return 12;
  case Kind::Keyword:
    return 14;
  case Kind::Snippet:
    return 15;
  case Kind::File:
    return 17;
  case Kind::Reference:
    return 18;
  case Kind::EnumMember:
    return 20;
  case Kind::Constant:
    return 21;
  case Kind::Event:
    return 23;
  case Kind::Operator:
    return 24;
  }
  TIKC_CHECK(false, "each kind of item has its number");
}

class ItemWriter {
public:
  ItemWriter(const Session& session, const Analysis& analysis, const ide::Completion& completion)
      : client_(session.client), convert_(session, *analysis.sources), file_(analysis.file),
        completion_(completion) {}

  json::Value item(const ide::Completion::Offer& offer) {
    const auto& [item, number, written, typed] = offer;
    json::Object out{{"label", item.label},
                     {"kind", numberOf(item.kind)},
                     {"sortText", fmt::format("{}{:04}", item.group, number)}};
    if (typed != item.label)
      out["filterText"] = typed;
    if (written.isSnippet)
      out["insertTextFormat"] = 2;
    if (written.text.find('\n') != std::string::npos && client_.adjustsIndentation)
      out["insertTextMode"] = 2;
    describe(item, out);
    if (client_.hasDefaultEditRange)
      out["textEditText"] = written.text;
    else
      out["textEdit"] = edit(written.text);
    if (written.quotesBefore) {
      std::uint32_t at = completion_.scalar;
      out["additionalTextEdits"] = json::Array{convert_.textEdit({{file_, at, at}, "'"})};
    }
    return out;
  }

  /// The range is every item's: said once, it saves most of what a long list costs.
  json::Value range() {
    if (!hasReplace())
      return convert_.range(insert());
    return json::Object{{"insert", convert_.range(insert())},
                        {"replace", convert_.range(replace())}};
  }

private:
  void describe(const ide::CompletionItem& item, json::Object& out) const {
    if (!item.detail.empty() && client_.hasLabelDetails)
      out["labelDetails"] = json::Object{{"description", item.detail}};
    else if (!item.detail.empty())
      out["detail"] = item.detail;
    if (item.documentation.empty())
      return;
    out["documentation"] =
        json::Object{{"kind", client_.completesWithMarkdown ? "markdown" : "plaintext"},
                     {"value", item.documentation}};
  }

  json::Value edit(const std::string& text) {
    if (!hasReplace())
      return convert_.textEdit({insert(), text});
    return json::Object{{"newText", text},
                        {"insert", convert_.range(insert())},
                        {"replace", convert_.range(replace())}};
  }

  Span insert() const { return {file_, completion_.begin, completion_.cursor}; }
  Span replace() const { return {file_, completion_.begin, completion_.end}; }
  bool hasReplace() const { return client_.hasInsertReplace && insert() != replace(); }

  const Client& client_;
  Convert convert_;
  FileId file_;
  const ide::Completion& completion_;
};

} // namespace

llvm::Expected<json::Value> onCompletion(Session& session, const json::Object& params) {
  auto cursor = anyCursorOf(session, params);
  if (!cursor)
    return cursor.takeError();
  if (!*cursor)
    return nullptr;
  auto [document, analysis] = static_cast<const Target&>(*cursor);
  auto completion = ide::completionAt({*analysis, document->path, cursor->offset, session.workspace,
                                       isByBlank(params), session.client.hasSnippets});
  // The protocol has no edits over lines here.
  if (!completion ||
      document->text.substr(completion->begin, completion->cursor - completion->begin).find('\n') !=
          std::string::npos)
    return nullptr;
  ItemWriter writer(session, *analysis, *completion);
  json::Array items;
  items.reserve(completion->offers.size()); // a value that has to move is copied
  for (const ide::Completion::Offer& offer : completion->offers)
    items.push_back(writer.item(offer));
  json::Object list{{"isIncomplete", false}, {"items", std::move(items)}};
  if (session.client.hasDefaultEditRange)
    list["itemDefaults"] = json::Object{{"editRange", writer.range()}};
  return list;
}

} // namespace tikc::lsp
