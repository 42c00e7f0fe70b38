#pragma once

#include "bounds/prove/ProofCache.h"
#include "checker/plan/Plan.h"
#include "diag/report/Report.h"
#include "expr/ExprCache.h"
#include "model/Contract.h"
#include "policy/Studies.h"
#include "project/Settings.h"
#include "support/Edits.h"
#include "support/Limits.h"
#include "support/Source.h"
#include "yaml/Tree.h"

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tikc::pipeline {

/// The result of checking one file.
struct CheckedFile {
  FileId file = FileId::None;
  /// The tree as read, and the trees of all ancestors.
  std::shared_ptr<const yaml::Tree> tree;
  std::vector<std::shared_ptr<const yaml::Tree>> parents;
  std::vector<model::Contract> contracts;
  /// The verdicts on the claims, for people; and their counts, with each claim counted by its worst
  /// verdict.
  std::vector<diag::ClaimVerdict> verdicts;
  std::map<std::string_view, std::uint64_t> decided;
  /// The proof of each contract; nothing for a contract with errors or an abstract one.
  std::vector<std::optional<bounds::Proof>> proofs;
  /// The final findings, after suppressions and severities, in source order. Findings in parents
  /// follow the file's own.
  std::vector<diag::Diagnostic> diagnostics;
  /// Further findings, which the project's baseline records.
  std::vector<diag::Diagnostic> recorded;
};

/// The result of formatting a file.
struct FormattedFile {
  /// The edits to canonical style; nothing if the file stays unchanged.
  std::optional<std::vector<Edit>> edits;
  /// The YAML faults that prevent a change. Empty after an internal error.
  std::vector<diag::Diagnostic> diagnostics;
};

/// Cached texts, proofs and expressions. It never changes an answer. A cache belongs to one thread.
struct CheckCache {
  bounds::ProofCache proofs;
  expr::ExprCache expressions;
  policy::Studies policies;
};

/// The only way from a text to findings, for the command line and editors. A checker belongs to one
/// thread: it keeps the warmed-up parser and the parsed parents.
class Checker {
public:
  /// Keep the cache if you check many similar texts.
  Checker(SourceManager& sources, const project::Settings& settings, const Limits& limits = {},
          std::shared_ptr<CheckCache> cache = nullptr);
  ~Checker();

  /// From now on, only counts verdicts, for runs over thousands of contracts.
  void countVerdictsOnly();

  CheckedFile check(FileId file);
  /// Returns edits that change neither the tree nor, in a file without errors, the model; it
  /// compares both.
  FormattedFile format(FileId file);
  /// Formats a range. If its edits alone would change the structure, formats the whole entries that
  /// the range touches.
  FormattedFile format(FileId file, const Span& range);
  /// Returns the syntax tree as `tikc dump --stage=tree` prints it.
  std::string dumpTree(FileId file);

private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// Returns the plan of an error-free contract, for a search of its policy. Returns nothing if no
/// clause is judged, there is no rule, or the policy is too large.
std::optional<plan::Plan> searchedPolicy(const model::Contract& contract);

/// Returns a plan for each contract of an error-free file, except abstract ones, which enforce
/// nothing.
std::vector<plan::Plan> plansOf(const CheckedFile& file);

} // namespace tikc::pipeline
