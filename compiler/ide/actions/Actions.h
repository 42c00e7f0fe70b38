#pragma once

#include "ide/Surroundings.h"
#include "support/Edits.h"

#include <llvm/Support/Error.h>

#include <set>
#include <variant>

/// Code actions: what can be done to a text at once.
namespace tikc::ide {

enum class ActionKind : std::uint8_t { QuickFix, FixAll, Rewrite, Extract };

/// Sets a clause's number to the largest value for which a claim follows, which takes long to find.
struct LargestTolerance {
  std::string contract, claim;
  std::int64_t begin = -1; // of the clause's comparison
};
/// Applies all safe fixes, repeatedly.
struct EverySafeFix {};

struct CodeAction {
  using Does = std::variant<std::vector<Edit>, LargestTolerance, EverySafeFix>;

  std::string title;
  ActionKind kind{};
  Does does;
  const diag::Diagnostic* finding = nullptr; // that the action resolves
  bool isPreferred = false;
  struct NewFile {
    std::filesystem::path path;
    std::string text;
  };
  std::optional<NewFile> creates = {};
  std::string whyNot = {}; // why the action is impossible; empty if it is possible
};

/// A request for actions.
struct ActionRequest {
  const Analysis& analysis;
  std::filesystem::path path; // empty for a text that is not a file
  TextRange range;
  std::set<ActionKind> kinds;
  std::vector<const diag::Diagnostic*> findings; // at the range
  bool withGaps = false;                         // fixes may have gaps for the user to fill
  const Supposing& supposing;
  const Analysis* committed = nullptr; // the file at HEAD, if known

  bool touches(const Span& span) const {
    return span.file == analysis.file && span.begin <= range.end && range.begin <= span.end;
  }
  const Source& source() const { return analysis.sources->get(analysis.file); }
};

/// Returns the actions of these kinds in the order of display.
std::vector<CodeAction> actionsFor(const ActionRequest& request);

/// Returns the edits of the action, or why there are none.
llvm::Expected<std::vector<Edit>> editsOf(const Analysis& analysis, const LargestTolerance& action);

/// Returns one edit that leaves the common beginning and end of the texts as they are.
Edit wholeEdit(FileId file, std::string_view before, std::string_view after);

// Each of these adds its actions.
void addFixes(const ActionRequest& request, std::vector<CodeAction>& out);
void addMissing(const ActionRequest& request, std::vector<CodeAction>& out);
void addSuppressions(const ActionRequest& request, std::vector<CodeAction>& out);
void addVersion(const ActionRequest& request, std::vector<CodeAction>& out);
void addNumbers(const ActionRequest& request, std::vector<CodeAction>& out);
void addExtraction(const ActionRequest& request, std::vector<CodeAction>& out);
void addFixAll(const ActionRequest& request, std::vector<CodeAction>& out);

} // namespace tikc::ide
