#pragma once

#include "ide/Surroundings.h"
#include "support/Edits.h"

#include <llvm/Support/Error.h>

#include <set>
#include <variant>

/// What can be done to a text at once.
namespace tikc::ide {

enum class ActionKind : std::uint8_t { QuickFix, FixAll, Rewrite, Extract };

/// Sets a clause's number to the largest with which a claim follows, which takes long to find.
struct LargestTolerance {
  std::string contract, claim;
  std::int64_t begin = -1; // of the clause's comparison
};
/// Applies every safe fix, round after round.
struct EverySafeFix {};

struct CodeAction {
  using Does = std::variant<std::vector<Edit>, LargestTolerance, EverySafeFix>;

  std::string title;
  ActionKind kind{};
  Does does;
  const diag::Diagnostic* finding = nullptr; // that it ends
  bool isPreferred = false;
  struct NewFile {
    std::filesystem::path path;
    std::string text;
  };
  std::optional<NewFile> creates = {};
  std::string whyNot = {}; // it cannot be done; empty where it can
};

/// What was asked for.
struct ActionRequest {
  const Analysis& analysis;
  std::filesystem::path path; // empty where the text is no file
  TextRange range;
  std::set<ActionKind> kinds;
  std::vector<const diag::Diagnostic*> findings; // that it is about
  bool withGaps = false;                         // fixes may have some that the author is to fill
  const Supposing& supposing;
  const Analysis* committed = nullptr; // the file as it is at HEAD, where that is known

  bool touches(const Span& span) const {
    return span.file == analysis.file && span.begin <= range.end && range.begin <= span.end;
  }
  const Source& source() const { return analysis.sources->get(analysis.file); }
};

/// All of the kinds, in the order that they are offered in.
std::vector<CodeAction> actionsFor(const ActionRequest& request);

/// The edits of that action; an error says why there are none.
llvm::Expected<std::vector<Edit>> editsOf(const Analysis& analysis, const LargestTolerance& action);

/// One change from what the texts have in common at both ends.
Edit wholeEdit(FileId file, std::string_view before, std::string_view after);

// Each adds what it has to offer.
void addFixes(const ActionRequest& request, std::vector<CodeAction>& out);
void addMissing(const ActionRequest& request, std::vector<CodeAction>& out);
void addSuppressions(const ActionRequest& request, std::vector<CodeAction>& out);
void addVersion(const ActionRequest& request, std::vector<CodeAction>& out);
void addNumbers(const ActionRequest& request, std::vector<CodeAction>& out);
void addExtraction(const ActionRequest& request, std::vector<CodeAction>& out);
void addFixAll(const ActionRequest& request, std::vector<CodeAction>& out);

} // namespace tikc::ide
