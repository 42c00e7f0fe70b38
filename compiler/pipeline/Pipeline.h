#pragma once

#include "bounds/prove/ProofCache.h"
#include "model/Contract.h"
#include "plan/Plan.h"
#include "policy/Studies.h"
#include "project/Settings.h"
#include "report/Report.h"
#include "support/Edits.h"
#include "support/Limits.h"
#include "support/Source.h"
#include "syntax/ExprCache.h"
#include "syntax/Tree.h"

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tikc::pipeline {

/// What is known of one file after it was checked.
struct CheckedFile {
  FileId file = FileId::None;
  /// As it was read, and those of all files that it extends, however far.
  std::shared_ptr<const syntax::Tree> tree;
  std::vector<std::shared_ptr<const syntax::Tree>> parents;
  std::vector<model::Contract> contracts;
  /// What became of the claims, for people; and how many have which verdict, each claim counted
  /// with its worst.
  std::vector<report::ClaimVerdict> verdicts;
  std::map<std::string_view, std::uint64_t> decided;
  /// What became of each contract's claims; nothing for one with errors, or an abstract one.
  std::vector<std::optional<bounds::Proof>> proofs;
  /// Final: suppressions and severities are applied. In the order of the source; a parent's
  /// findings follow the file's own.
  std::vector<diag::Diagnostic> diagnostics;
  /// What it found beside, and the project's baseline passes over.
  std::vector<diag::Diagnostic> recorded;
};

/// A file in canonical style.
struct FormattedFile {
  /// The edits that make it so; nothing where the file is left alone.
  std::optional<std::vector<Edit>> edits;
  /// Why it is left alone: faults of its YAML. Where there are none, tikc itself is at fault.
  std::vector<diag::Diagnostic> diagnostics;
};

/// What was found out about other texts, proofs and expressions. Nothing in it changes an answer.
/// One belongs to one thread.
struct CheckCache {
  bounds::ProofCache proofs;
  syntax::ExprCache expressions;
  policy::Studies policies;
};

/// The one way from text to findings, for the command line and the editor alike. One belongs to one
/// thread: it keeps the warmed-up parser and the parsed parents.
class Checker {
public:
  /// Who checks many texts that differ little keeps the cache.
  Checker(SourceManager& sources, const project::Settings& settings, const Limits& limits = {},
          std::shared_ptr<CheckCache> cache = nullptr);
  ~Checker();

  /// Verdicts are only counted from now on: of thousands of contracts nobody reads each.
  void countVerdictsOnly();

  CheckedFile check(FileId file);
  /// Edits that change neither the tree nor, of a file without errors, the model: both are
  /// compared.
  FormattedFile format(FileId file);
  /// The same within a range: where its edits alone would bend the structure, of the whole entries
  /// that it touches.
  FormattedFile format(FileId file, const Span& range);
  /// The syntax tree alone, as `tikc dump --stage=tree` prints it.
  std::string dumpTree(FileId file);

private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// The policy of a contract that was found free of errors, which is searched for what its rules can
/// do; nothing where there is no rule, or too much.
std::optional<plan::Plan> searchedPolicy(const model::Contract& contract);

/// What the checkers of a file are made from, which was found free of errors: a plan of each
/// contract, but for abstract ones, of which nothing is enforced.
std::vector<plan::Plan> plansOf(const CheckedFile& file);

} // namespace tikc::pipeline
