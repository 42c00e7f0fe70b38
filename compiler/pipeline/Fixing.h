#pragma once

#include "diag/report/Report.h"
#include "pipeline/CheckedFiles.h"
#include "project/Inputs.h"
#include "support/Edits.h"
#include "support/Source.h"

#include <functional>
#include <map>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

namespace tikc::pipeline {

/// Applies the fixes of findings to the texts in memory, in rounds. A fix may reveal what its fault
/// hid, and overlapping fixes wait for the next round. Files on disk change only when the caller
/// writes them.
class Fixing {
public:
  using Check = std::function<CheckedFiles(const std::vector<project::InputFile>&)>;

  Fixing(SourceManager& sources, Check check, std::vector<project::InputFile> files, bool unsafe);

  /// Applies fixes until none is left.
  void run();
  /// Restores the original text of a file that could not be written.
  void putBack(std::size_t index);

  const std::vector<project::InputFile>& files() const { return files_; }
  bool changed(std::size_t index) const { return files_[index].file != first_[index]; }
  FileId original(std::size_t index) const { return first_[index]; }
  const CheckedFiles& checked() const { return checked_; }
  const std::vector<diag::Diagnostic>& findings() const { return findings_; }
  const std::vector<diag::FixedFinding>& fixed() const { return fixed_; }
  /// Returns the fixes that were tried and rejected as harmful, for the remaining findings.
  std::vector<diag::HeldFix> held() const;
  /// Returns the files that must not change and would take the other fixes.
  std::vector<diag::ClosedFile> closed() const;
  /// Returns the number of remaining findings whose fixes all need --unsafe.
  std::size_t unsafeLeft() const;
  /// Returns the number of findings with several such fixes, among which the author must choose.
  std::size_t choicesLeft() const;
  /// Returns the number of remaining errors that were not there at first: a fault hid them.
  std::size_t revealed() const;
  /// Returns whether it stopped at a limit with fixes left to try.
  bool stopped() const { return stopped_; }
  /// Returns the place in the original text.
  Span origin(Span span) const;

private:
  struct Candidate {
    const diag::Diagnostic* finding;
    const diag::Fix* fix;
  };
  /// The texts as they would be with some fixes applied.
  struct Attempt {
    std::vector<Candidate> candidates;
    EditSet edits;
    std::vector<project::InputFile> files;
    CheckedFiles checked;
    std::vector<diag::Diagnostic> findings;
  };
  using Name = std::tuple<std::string, diag::Code, std::string>;
  using Tried = std::tuple<Name, std::string, std::string>;

  bool round();
  std::vector<Candidate> candidates() const;
  const diag::Fix* chosen(const diag::Diagnostic& finding, bool unsafe) const;
  std::vector<const diag::Fix*> applicable(const diag::Diagnostic& finding) const;
  bool mayApply(const diag::Fix& fix) const;
  bool mayChange(FileId file) const;
  void settle(std::span<const Candidate> group, Attempt& accepted);
  Attempt attempt(std::vector<Candidate> candidates);
  void recheck(Attempt& attempt);
  /// Returns a finding that the attempt introduces, or null.
  const diag::Diagnostic* harmOf(const Attempt& attempt) const;
  bool isWritten(const Span& place, const Attempt& attempt) const;
  bool isExcused(const diag::Diagnostic& fresh, const Attempt& attempt) const;
  void accept(Attempt attempt);
  Name nameOf(const diag::Diagnostic& finding) const;
  Tried triedAs(const Candidate& candidate) const;

  SourceManager& sources_;
  Check check_;
  std::vector<project::InputFile> files_;
  std::vector<FileId> first_;
  std::set<FileId> unwritten_; // files that could not be written
  bool unsafe_;
  CheckedFiles checked_;
  std::vector<diag::Diagnostic> findings_;
  std::vector<diag::FixedFinding> fixed_;
  std::set<std::size_t> overlaid_; // files that may extend one another, and see these texts
  std::map<Tried, std::string>
      refused_; // fixes that make things worse, or no better, with the reason
  std::map<Name, std::size_t> atFirst_; // the initial number of findings of each name
  bool stopped_ = false;
  std::vector<EditSet> rounds_;
  std::map<FileId, std::pair<FileId, std::size_t>>
      madeFrom_; // the previous text, and the round that changed it
  std::size_t attempts_ = 0;
};

/// Returns whether a fix has a gap that the author must fill.
bool hasGap(const diag::Fix& fix);

} // namespace tikc::pipeline
