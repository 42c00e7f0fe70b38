#include "lsp/answers/Actions.h"
#include "lsp/answers/Params.h"
#include "lsp/methods/Methods.h"
#include "lsp/session/Waiting.h"
#include "support/Check.h"

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
    for (const diag::Diagnostic& diagnostic : analysis.checked.diagnostics) {
      bool isInRange = diagnostic.span.begin <= selection.range.end &&
                       selection.range.begin <= diagnostic.span.end;
      if (diagnostic.span.file != analysis.file || (!isNamed && !isInRange))
        continue;
      json::Value own = convert.diagnostic(diagnostic);
      if (!isNamed)
        shown_.emplace_back(&diagnostic, std::move(own));
      else if (const json::Value* theirs = sameIn(*named, *own.getAsObject()))
        shown_.emplace_back(&diagnostic, *theirs);
    }
  }

  std::vector<const diag::Diagnostic*> all() const {
    std::vector<const diag::Diagnostic*> out;
    for (const auto& [found, shown] : shown_)
      out.push_back(found);
    return out;
  }
  const json::Value& shown(const diag::Diagnostic* wanted) const {
    auto match = std::find_if(shown_.begin(), shown_.end(),
                              [&](const auto& each) { return each.first == wanted; });
    TIKC_CHECK(match != shown_.end(), "an action is of a finding that is shown");
    return match->second;
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

/// What the crew is to find, and what became of it.
struct Asking {
  std::shared_ptr<const Analysis> analysis;
  std::shared_ptr<const Snapshot> snapshot;
  std::filesystem::path path;
  TextRange range;
  std::set<ide::ActionKind> kinds;
  AskedFindings findings;
  Client client;
  std::shared_ptr<const ide::Analysis> committed;
  std::vector<ide::CodeAction> actions = {};

  void find() {
    actions = ide::actionsFor({*analysis, path, range, kinds, findings.all(),
                               client.hasSnippetEdits, *snapshot, committed.get()});
    // A tolerance takes long to find. Clients that can neither resolve it nor apply an edit that a
    // command makes are not offered any: the menu must not wait.
    std::erase_if(actions, [&](const ide::CodeAction& action) {
      return std::holds_alternative<ide::LargestTolerance>(action.does) &&
             !isFoundLater(client, action);
    });
    for (ide::CodeAction& action : actions)
      if (std::holds_alternative<ide::EverySafeFix>(action.does) && !isFoundLater(client, action))
        action.does = llvm::cantFail(editsOf(*snapshot, *analysis, action.does));
  }
};

llvm::Expected<json::Value> actionsIn(Session& session, const std::string& uri,
                                      const Asking& asking) {
  const Document* document = session.documents.find(uri);
  if (!document)
    return failure(ErrorCode::InvalidParams, "no open document has that URI");
  Convert convert(session, *asking.analysis->sources);
  json::Array out;
  for (const ide::CodeAction& action : asking.actions) {
    if (!action.whyNot.empty() && !session.client.showsDisabled)
      continue;
    json::Object wire = actionOf(action);
    if (action.finding)
      wire["diagnostics"] = json::Array{asking.findings.shown(action.finding)};
    if (action.whyNot.empty())
      addEdit(session, *document, convert, action, wire);
    out.push_back(std::move(wire));
  }
  return json::Value(std::move(out));
}

llvm::Expected<Task> beginActions(Session& session, const json::Object& params) {
  auto selection = selectionOf(session, params);
  if (!selection)
    return selection.takeError();
  // Clients that know commands alone have no use for an edit.
  if (!*selection || !session.client.hasCodeActionLiterals)
    return answer(nullptr);
  const json::Object* context = params.getObject("context");
  const Document& document = *selection->document;
  Convert convert(session, *selection->analysis->sources);
  auto asking = std::make_shared<Asking>(Asking{
      selection->analysis, session.workspace.snapshotOf(document), document.path, selection->range,
      kindsAskedFor(session.client, kindsIn(context)),
      AskedFindings(convert, *selection, context ? context->getArray("diagnostics") : nullptr),
      session.client, committedOf(session, document.uri)});
  return byCrew(session, [asking, uri = document.uri]() -> Reply {
    asking->find();
    return [asking, uri](Session& then) { return actionsIn(then, uri, *asking); };
  });
}

} // namespace

Task onCodeAction(Session&, const json::Object& params) {
  return onceChecked(params, beginActions);
}

} // namespace tikc::lsp
