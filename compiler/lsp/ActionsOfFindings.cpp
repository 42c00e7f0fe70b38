#include "ide/Grounds.h"
#include "ide/NodePath.h"
#include "ide/actions/Inserting.h"
#include "lsp/Actions.h"
#include "lsp/Convert.h"
#include "pipeline/Fixing.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace tikc::lsp {
namespace {

/// The client's own copy of a finding, or one made anew; nothing where it asks about others.
std::optional<json::Value> shownAs(const ActionRequest& request, Convert& convert,
                                   const diag::Diagnostic& found) {
  json::Value ours = convert.diagnostic(found);
  if (!request.diagnostics || request.diagnostics->empty())
    return ours;
  const json::Object& own = *ours.getAsObject();
  for (const json::Value& value : *request.diagnostics) {
    const json::Object* theirs = value.getAsObject();
    if (theirs && theirs->get("code") && *theirs->get("code") == *own.get("code") &&
        theirs->get("range") && *theirs->get("range") == *own.get("range"))
      return value;
  }
  return std::nullopt;
}

/// Calls with each finding that the client names, or else that is in range, and its form on the
/// wire. Some clients name those of the whole line that the cursor is on.
template <typename Do> void eachFinding(const ActionRequest& request, Convert& convert, Do act) {
  bool isNamed = request.diagnostics && !request.diagnostics->empty();
  for (const diag::Diagnostic& found : request.analysis.checked.diagnostics)
    if (request.touches(found.span) || (isNamed && found.span.file == request.analysis.file))
      if (auto shown = shownAs(request, convert, found))
        act(found, *shown);
}

/// What is wrong with a comment is no entry's fault: nothing above it can suppress it.
bool isInComment(const Analysis& analysis, const Span& span) {
  const auto& comments = analysis.checked.tree->comments;
  return std::any_of(comments.begin(), comments.end(),
                     [&](const syntax::Comment& comment) { return comment.span.contains(span); });
}

/// The tail of a comment is a gap, too: the reason that its author is to give.
constexpr std::string_view reasonGap = "because …";

} // namespace

void addFixes(const ActionRequest& request, json::Array& out) {
  if (!request.wants(kinds::quickFix))
    return;
  Convert convert(request.session, *request.analysis.sources);
  eachFinding(request, convert, [&](const diag::Diagnostic& found, const json::Value& shown) {
    bool isFirst = true;
    for (const diag::Fix& fix : found.fixes) {
      if (pipeline::hasGap(fix) && !request.session.client.hasSnippetEdits)
        continue;
      json::Object action =
          actionOf(fix.safe ? fix.title : fix.title + " (may change what the contract means)",
                   kinds::quickFix);
      action["diagnostics"] = json::Array{shown};
      if (fix.safe && isFirst && !pipeline::hasGap(fix)) {
        action["isPreferred"] = true;
        isFirst = false;
      }
      action["edit"] = convert.workspaceEdit(fix.edits);
      out.push_back(std::move(action));
    }
  });
}

void addSuppressions(const ActionRequest& request, json::Array& out) {
  if (!request.wants(kinds::quickFix))
    return;
  Convert convert(request.session, *request.analysis.sources);
  std::set<Edit> offered; // one comment is enough for a place
  eachFinding(request, convert, [&](const diag::Diagnostic& found, const json::Value& shown) {
    const diag::CodeInfo& row = diag::info(found.code);
    auto path = ide::pathAt(*request.analysis.checked.tree, found.span.begin);
    if (row.policy != diag::Policy::Settable || !path || isInComment(request.analysis, found.span))
      return;
    auto edit =
        ide::insertAbove(request.source(), *path->document, request.analysis.file, found.span.begin,
                         fmt::format("# tikc: allow {} -- {}", row.id, reasonGap));
    if (!edit || !offered.insert(*edit).second)
      return;
    json::Object action =
        actionOf(fmt::format("suppress {} here, with a reason", row.id), kinds::quickFix);
    action["diagnostics"] = json::Array{shown};
    action["edit"] = convert.workspaceEdit(std::span(&*edit, 1));
    out.push_back(std::move(action));
  });
}

void addFixAll(const ActionRequest& request, json::Array& out) {
  if (!request.wants(kinds::fixAll))
    return;
  const auto& findings = request.analysis.checked.diagnostics;
  bool anySafe = std::any_of(findings.begin(), findings.end(), [&](const diag::Diagnostic& found) {
    return std::any_of(found.fixes.begin(), found.fixes.end(),
                       [](const diag::Fix& fix) { return fix.safe && !pipeline::hasGap(fix); });
  });
  // Each round checks the text again: it is not for every move of the cursor.
  if (!anySafe || (!request.session.client.resolvesEdits && !request.asksFor(kinds::fixAll)))
    return;
  if (auto action = lazily(request, actionOf("apply every safe fix", kinds::fixAll),
                           json::Object{{"does", "fixAll"}}))
    out.push_back(std::move(*action));
}

namespace {

/// What would have to be said for a bound, as edits; nothing where it cannot be said here.
std::optional<std::vector<Edit>> editsOf(const ActionRequest& request,
                                         const syntax::Document& document,
                                         const std::vector<bounds::Wish>& wishes) {
  std::map<std::string_view, std::vector<std::string_view>> entries;
  for (const bounds::Wish& wish : wishes)
    for (std::string_view rest = wish.example; !rest.empty();) {
      auto end = std::min(rest.find('\n'), rest.size());
      auto& list = entries[wish.section];
      if (std::find(list.begin(), list.end(), rest.substr(0, end)) == list.end())
        list.push_back(rest.substr(0, end));
      rest.remove_prefix(std::min(end + 1, rest.size()));
    }
  std::vector<Edit> out;
  for (const auto& [section, list] : entries) {
    auto edit =
        ide::insertEntries(request.source(), document, request.analysis.file, section, list);
    if (!edit)
      return std::nullopt;
    out.push_back(std::move(*edit));
  }
  return out;
}

std::string titleOf(const std::vector<bounds::Wish>& wishes) {
  std::string out;
  for (const bounds::Wish& wish : wishes) {
    std::string example(wish.example);
    for (auto at = example.find('\n'); at != std::string::npos; at = example.find('\n'))
      example.replace(at, 1, ", ");
    std::string part = fmt::format("`{}`", example);
    if (out.find(part) == std::string::npos)
      out += (out.empty() ? "" : ", ") + part;
  }
  return fmt::format("add {}, and check that it is true", out);
}

} // namespace

void addMissing(const ActionRequest& request, json::Array& out) {
  if (!request.wants(kinds::quickFix))
    return;
  Convert convert(request.session, *request.analysis.sources);
  for (const syntax::Document& document : request.analysis.checked.tree->documents) {
    ide::Proven proven = ide::provenOf(request.analysis, document);
    std::set<std::string> offered;
    for (std::size_t i = 0; proven.proof && i < proven.proof->entries.size(); ++i) {
      const bounds::Decision& decision = proven.proof->entries[i].decision;
      const model::Claim& claim = proven.contract->claims[decision.goal.claim];
      if (decision.missing.empty() || !request.touches(claim.span))
        continue;
      auto edits = editsOf(request, document, decision.missing);
      std::string title = titleOf(decision.missing);
      if (!edits || edits->empty() || !offered.insert(title).second)
        continue;
      json::Object action = actionOf(std::move(title), kinds::quickFix);
      action["edit"] = convert.workspaceEdit(*edits);
      out.push_back(std::move(action));
    }
  }
}

} // namespace tikc::lsp
