#include "lsp/Actions.h"

#include "lsp/Convert.h"

#include <algorithm>

namespace tikc::lsp {
namespace {

/// One change from what the texts have in common at both ends.
Edit wholeEdit(FileId file, std::string_view before, std::string_view after) {
  std::size_t most = std::min(before.size(), after.size()), head = 0, tail = 0;
  while (head < most && before[head] == after[head])
    ++head;
  while (tail < most - head && before[before.size() - 1 - tail] == after[after.size() - 1 - tail])
    ++tail;
  // Between whole lines, so that no character or line break is cut.
  while (head > 0 && before[head - 1] != '\n')
    --head;
  while (tail > 0 && before[before.size() - tail - 1] != '\n')
    --tail;
  return {
      {file, static_cast<std::uint32_t>(head), static_cast<std::uint32_t>(before.size() - tail)},
      std::string(after.substr(head, after.size() - tail - head))};
}

} // namespace

bool ActionRequest::wants(std::string_view kind) const {
  auto covers = [&](const std::string& wanted) {
    return kind == wanted || (kind.starts_with(wanted) && kind[wanted.size()] == '.');
  };
  return only.empty() || std::any_of(only.begin(), only.end(), covers);
}

json::Object actionOf(std::string title, std::string_view kind) {
  return json::Object{{"title", std::move(title)}, {"kind", std::string(kind)}};
}

std::optional<json::Value> lazily(const ActionRequest& request, json::Object action,
                                  json::Object data) {
  data["uri"] = request.document.uri;
  data["version"] = request.document.version;
  if (request.session.client.resolvesEdits) {
    action["data"] = std::move(data);
    return json::Value(std::move(action));
  }
  auto edit = editOf(request.session, data);
  if (!edit) {
    llvm::consumeError(edit.takeError());
    return std::nullopt;
  }
  action["edit"] = std::move(*edit);
  return json::Value(std::move(action));
}

llvm::Expected<json::Value> editOf(Session& session, const json::Object& data) {
  const Document* document = session.documents.find(data.getString("uri").value_or(""));
  if (!document || document->kind != Document::Kind::Contract)
    return failure(ErrorCode::InvalidParams, "no contract of that uri is open");
  if (document->version != data.getInteger("version").value_or(-1))
    return failure(ErrorCode::ContentModified, "the text has changed");
  const Analysis& analysis = session.workspace.analysisOf(*document);
  Convert convert(session, *analysis.sources);
  if (data.getString("does") == "fixAll") {
    Edit edit = wholeEdit(analysis.file, document->text, session.workspace.fixed(*document));
    return convert.workspaceEdit(std::span(&edit, 1));
  }
  auto edits = toleranceEdits(analysis, data);
  if (!edits)
    return edits.takeError();
  return convert.workspaceEdit(*edits);
}

} // namespace tikc::lsp
