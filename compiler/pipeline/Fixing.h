#pragma once

#include "pipeline/CheckedFiles.h"
#include "project/Inputs.h"
#include "report/Report.h"
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

/// Applies the fixes of findings to the texts in memory, in rounds: a fix may bring to light what
/// its fault hid, and of two that meet the second has to wait. Files change on disk only when
/// their owner writes them.
class Fixing {
public:
  using Check = std::function<CheckedFiles(const std::vector<project::InputFile>&)>;

  Fixing(SourceManager& sources, Check check, std::vector<project::InputFile> files, bool unsafe);

  /// Until there is nothing more to apply.
  void run();
  /// The file is as it was, and stays so: it could not be written.
  void putBack(std::size_t index);

  const std::vector<project::InputFile>& files() const { return files_; }
  bool changed(std::size_t index) const { return files_[index].file != first_[index]; }
  FileId original(std::size_t index) const { return first_[index]; }
  const CheckedFiles& checked() const { return checked_; }
  const std::vector<diag::Diagnostic>& findings() const { return findings_; }
  const std::vector<report::FixedFinding>& fixed() const { return fixed_; }
  /// The fixes that were tried and do harm, of the findings that remain.
  std::vector<report::HeldFix> held() const;
  /// Where the others of them have fixes, in files that were not to be changed.
  std::vector<report::ClosedFile> closed() const;
  /// How many of the findings that remain have nothing but fixes that need --unsafe.
  std::size_t unsafeLeft() const;
  /// How many have several of those, of which the author has to choose one.
  std::size_t choicesLeft() const;
  /// How many of the errors that remain were not there at first: a fault hid them.
  std::size_t revealed() const;
  /// Whether it ended at a limit, with fixes left to try.
  bool stopped() const { return stopped_; }
  /// The place in the text as its author wrote it.
  Span origin(Span span) const;

private:
  struct Candidate {
    const diag::Diagnostic* finding;
    const diag::Fix* fix;
  };
  /// The world as it would be with some fixes applied.
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
  /// What makes it worse; null where nothing does.
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
  std::set<FileId> unwritten_; // they could not be
  bool unsafe_;
  CheckedFiles checked_;
  std::vector<diag::Diagnostic> findings_;
  std::vector<report::FixedFinding> fixed_;
  std::set<std::size_t> overlaid_;       // files that may extend one another see these texts
  std::map<Tried, std::string> refused_; // they made things worse, or no better: why
  std::map<Name, std::size_t> atFirst_;  // how many findings there were of each name
  bool stopped_ = false;
  std::vector<EditSet> rounds_;
  std::map<FileId, std::pair<FileId, std::size_t>> madeFrom_; // the text before, and by which round
  std::size_t attempts_ = 0;
};

/// A fix with a gap that the author is to fill.
bool hasGap(const diag::Fix& fix);

} // namespace tikc::pipeline
