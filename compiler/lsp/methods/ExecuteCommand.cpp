#include "ide/Grounds.h"
#include "lsp/Methods.h"
#include "lsp/Params.h"
#include "story/Formats.h"
#include "story/Solution.h"

#include <algorithm>

namespace tikc::lsp {
namespace {

/// What a command is about.
struct AskedClaim {
  const Analysis* analysis = nullptr;
  ide::Proven proven;
  std::size_t claim = 0;

  const std::string& file() const { return analysis->sources->get(analysis->file).name; }
};

/// The claim at the cursor, or else the nearest above it.
llvm::Expected<AskedClaim> askedAt(const Cursor& cursor) {
  const Analysis& analysis = *cursor.analysis;
  auto lineOf = [&](std::uint32_t offset) {
    return analysis.sources->position(analysis.file, offset).line;
  };
  AskedClaim out;
  std::uint32_t line = 0;
  for (const ide::Proven& proven : ide::provenOf(analysis))
    for (std::size_t i = 0; i < proven.contract->claims.size(); ++i) {
      const Span& id = proven.contract->claims[i].id.span;
      if (id.file != analysis.file || lineOf(id.begin) > lineOf(cursor.offset) ||
          lineOf(id.begin) < line)
        continue;
      line = lineOf(id.begin);
      out = {&analysis, proven, i};
    }
  bool hasErrors = std::any_of(
      analysis.checked.diagnostics.begin(), analysis.checked.diagnostics.end(),
      [](const diag::Diagnostic& found) { return found.severity == diag::Severity::Error; });
  if (out.analysis && out.proven.proof)
    return out;
  if (hasErrors)
    return failure(ErrorCode::RequestFailed,
                   "the file has errors: its claims are not decided before they are mended");
  return failure(ErrorCode::RequestFailed,
                 out.analysis ? "the contract is abstract: its claims are not decided"
                              : "put the cursor on a claim: there is none at it or above it");
}

/// A claim by its name, or by a place in the text.
llvm::Expected<AskedClaim> askedIn(Session& session, const json::Object& argument) {
  if (argument.getObject("position")) {
    auto cursor = cursorOf(session, argument);
    if (!cursor)
      return cursor.takeError();
    if (*cursor)
      return askedAt(*cursor);
  }
  std::string uri = argument.getString("uri").value_or("").str();
  std::string contract = argument.getString("contract").value_or("").str();
  std::string claim = argument.getString("claim").value_or("").str();
  const Document* document = session.documents.find(uri);
  if (!document || document->kind != Document::Kind::Contract)
    return failure(ErrorCode::InvalidParams, "no contract of that uri is open");
  const Analysis& analysis = session.workspace.analysisOf(*document);
  for (const ide::Proven& proven : ide::provenOf(analysis))
    for (std::size_t i = 0; i < proven.contract->claims.size(); ++i)
      if (proven.contract->name.value == contract && proven.contract->claims[i].id.text == claim) {
        if (!proven.proof)
          return failure(ErrorCode::RequestFailed,
                         "the contract has errors, or is abstract: its claims are not decided");
        return AskedClaim{&analysis, proven, i};
      }
  return failure(ErrorCode::RequestFailed, "there is no such claim: the text has changed");
}

/// What a command answers, and what people are shown of it where nobody else shows it.
struct Answer {
  std::string text, shown;
};

Answer explained(const AskedClaim& asked, bool asPage) {
  std::vector<story::Story> told = {
      story::tell(*asked.analysis->sources, asked.file(), *asked.proven.contract,
                  *asked.proven.proof, {asked.proven.contract->claims[asked.claim].id.text, ""},
                  asPage ? story::Depth::Curves : story::Depth::Proof)};
  std::string text = asPage ? story::htmlPage(told) : story::text(told);
  told.front().lemmas.clear(); // their statements would bury the rest
  return {std::move(text), story::text(told)};
}

Answer solved(const AskedClaim& asked, bool) {
  std::string text = story::solutionText(story::solve(*asked.analysis->sources, asked.file(),
                                                      *asked.proven.contract, *asked.proven.proof,
                                                      asked.claim, ""));
  return {text, text};
}

struct Command {
  llvm::StringRef name;
  Answer (*answer)(const AskedClaim&, bool asPage);
};
constexpr Command commands[] = {{"tikc.explain", explained}, {"tikc.solve", solved}};

} // namespace

/// The text is the result: a page in HTML where `format` asks for one and there is one. Clients
/// that know nothing of the command throw results away, so the text is shown as well, unless the
/// client says that it does so itself.
llvm::Expected<json::Value> onExecuteCommand(Session& session, const json::Object& params) {
  auto name = params.getString("command").value_or("");
  for (const Command& command : commands)
    if (command.name == name) {
      const json::Array* list = params.getArray("arguments");
      const json::Object* argument =
          list && list->size() == 1 ? list->front().getAsObject() : nullptr;
      if (!argument)
        return failure(ErrorCode::InvalidParams,
                       "the one argument is {uri, contract, claim} or {textDocument, position}");
      auto asked = askedIn(session, *argument);
      if (!asked)
        return asked.takeError();
      Answer answer = command.answer(*asked, argument->getString("format") == "html");
      if (!session.client.showsResults)
        session.notify("window/showMessage", json::Object{{"type", 3}, {"message", answer.shown}});
      return json::Value(std::move(answer.text));
    }
  return failure(ErrorCode::InvalidParams, name.str() + " is no command of tikc");
}

} // namespace tikc::lsp
