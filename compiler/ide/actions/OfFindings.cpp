#include "ide/Grounds.h"
#include "ide/actions/Actions.h"
#include "ide/actions/Inserting.h"
#include "pipeline/Fixing.h"
#include "yaml/NodePath.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace tikc::ide {
namespace {

/// What is wrong with a comment is no entry's fault: nothing above it can suppress it.
bool isInComment(const Analysis& analysis, const Span& span) {
  const auto& comments = analysis.checked.tree->comments;
  return std::any_of(comments.begin(), comments.end(),
                     [&](const yaml::Comment& comment) { return comment.span.contains(span); });
}

/// The tail of a comment is a gap, too: the reason that its author is to give.
constexpr std::string_view reasonGap = "because …";

} // namespace

void addFixes(const ActionRequest& request, std::vector<CodeAction>& out) {
  for (const diag::Diagnostic* diagnostic : request.findings) {
    bool isFirst = true;
    for (const diag::Fix& fix : diagnostic->fixes) {
      bool hasGap = pipeline::hasGap(fix), isPreferred = fix.safe && isFirst && !hasGap;
      if (hasGap && !request.withGaps)
        continue;
      out.push_back({fix.safe ? fix.title : fix.title + " (may change what the contract means)",
                     ActionKind::QuickFix, fix.edits, diagnostic, isPreferred});
      isFirst = isFirst && !isPreferred;
    }
  }
}

void addSuppressions(const ActionRequest& request, std::vector<CodeAction>& out) {
  std::set<Edit> offered; // one comment is enough for a place
  for (const diag::Diagnostic* diagnostic : request.findings) {
    const diag::CodeInfo& row = diag::info(diagnostic->code);
    auto path = pathAt(*request.analysis.checked.tree, diagnostic->span.begin);
    if (!isSettable(*diagnostic) || !path || isInComment(request.analysis, diagnostic->span))
      continue;
    auto edit = insertAbove(request.source(), *path->document, request.analysis.file,
                            diagnostic->span.begin,
                            fmt::format("# tikc: allow {} -- {}", row.id, reasonGap));
    if (edit && offered.insert(*edit).second)
      out.push_back({fmt::format("suppress {} here, with a reason", row.id), ActionKind::QuickFix,
                     std::vector<Edit>{*edit}, diagnostic});
  }
}

void addFixAll(const ActionRequest& request, std::vector<CodeAction>& out) {
  const auto& findings = request.analysis.checked.diagnostics;
  bool anySafe =
      std::any_of(findings.begin(), findings.end(), [&](const diag::Diagnostic& diagnostic) {
        return std::any_of(diagnostic.fixes.begin(), diagnostic.fixes.end(),
                           [](const diag::Fix& fix) { return fix.safe && !pipeline::hasGap(fix); });
      });
  if (anySafe)
    out.push_back({"apply every safe fix", ActionKind::FixAll, EverySafeFix{}});
}

namespace {

/// What would have to be said for a bound, as edits; nothing where it cannot be said here.
std::optional<std::vector<Edit>> additionsOf(const ActionRequest& request,
                                             const yaml::YamlDocument& document,
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
    auto edit = insertEntries(request.source(), document, request.analysis.file, section, list);
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

void addMissing(const ActionRequest& request, std::vector<CodeAction>& out) {
  for (const yaml::YamlDocument& document : request.analysis.checked.tree->documents) {
    ProvenContract proven = provenOf(request.analysis, document);
    std::set<std::string> offered;
    for (std::size_t i = 0; proven.proof && i < proven.proof->entries.size(); ++i) {
      const bounds::Decision& decision = proven.proof->entries[i].decision;
      const model::Claim& claim = proven.contract->claims[decision.goal.claim];
      if (decision.missing.empty() || !request.touches(claim.span))
        continue;
      auto edits = additionsOf(request, document, decision.missing);
      std::string title = titleOf(decision.missing);
      if (!edits || edits->empty() || !offered.insert(title).second)
        continue;
      out.push_back({std::move(title), ActionKind::QuickFix, std::move(*edits)});
    }
  }
}

} // namespace tikc::ide
