#include "lsp/answers/Actions.h"
#include "lsp/answers/Params.h"
#include "lsp/methods/Methods.h"

#include <algorithm>

namespace tikc::lsp {
namespace {

/// Findings that a request is about, in the wire's form: the client's own copies, where it names
/// any. Some clients name those of the whole line that the cursor is on.
class AskedFindings {
public:
  AskedFindings(Convert& convert, const Selection& selection, const json::Array* named) {
    const Analysis& analysis = *selection.analysis;
    bool isNamed = named && !named->empty();
    for (const diag::Diagnostic& found : analysis.checked.diagnostics) {
      bool isInRange =
          found.span.begin <= selection.range.end && selection.range.begin <= found.span.end;
      if (found.span.file != analysis.file || (!isNamed && !isInRange))
        continue;
      json::Value own = convert.diagnostic(found);
      if (!isNamed)
        shown_.emplace_back(&found, std::move(own));
      else if (const json::Value* theirs = sameIn(*named, *own.getAsObject()))
        shown_.emplace_back(&found, *theirs);
    }
  }

  std::vector<const diag::Diagnostic*> all() const {
    std::vector<const diag::Diagnostic*> out;
    for (const auto& [found, shown] : shown_)
      out.push_back(found);
    return out;
  }
  const json::Value& shown(const diag::Diagnostic* wanted) const {
    return std::find_if(shown_.begin(), shown_.end(),
                        [&](const auto& each) { return each.first == wanted; })
        ->second;
  }

private:
  static const json::Value* sameIn(const json::Array& named, const json::Object& own) {
    for (const json::Value& value : named) {
      const json::Object* theirs = value.getAsObject();
      if (theirs && theirs->get("code") && *theirs->get("code") == *own.get("code") &&
          theirs->get("range") && *theirs->get("range") == *own.get("range"))
        return &value;
    }
    return nullptr;
  }

  std::vector<std::pair<const diag::Diagnostic*, json::Value>> shown_;
};

std::vector<std::string> kindsIn(const json::Object* context) {
  std::vector<std::string> out;
  if (const json::Array* only = context ? context->getArray("only") : nullptr)
    for (const json::Value& kind : *only)
      out.push_back(kind.getAsString().value_or("").str());
  return out;
}

} // namespace

llvm::Expected<json::Value> onCodeAction(Session& session, const json::Object& params) {
  auto selection = selectionOf(session, params);
  if (!selection)
    return selection.takeError();
  // Clients that know commands alone have no use for an edit.
  if (!*selection || !session.client.hasCodeActionLiterals)
    return nullptr;
  const json::Object* context = params.getObject("context");
  Convert convert(session, *selection->analysis->sources);
  AskedFindings findings(convert, *selection, context ? context->getArray("diagnostics") : nullptr);
  const Document& document = *selection->document;
  json::Array out;
  for (const ide::Action& action :
       ide::actionsFor({*selection->analysis, document.path, selection->range,
                        kindsAskedFor(session.client, kindsIn(context)), findings.all(),
                        session.client.hasSnippetEdits, session.workspace})) {
    json::Object wire = actionOf(action);
    if (action.finding)
      wire["diagnostics"] = json::Array{findings.shown(action.finding)};
    bool isShown = action.whyNot.empty() ? addEdit(session, document, convert, action, wire)
                                         : session.client.showsDisabled;
    if (isShown)
      out.push_back(std::move(wire));
  }
  return json::Value(std::move(out));
}

} // namespace tikc::lsp
