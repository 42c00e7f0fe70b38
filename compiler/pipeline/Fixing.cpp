#include "pipeline/Fixing.h"

#include "support/Utf8.h"

#include <fmt/format.h>

#include <algorithm>

namespace tikc::pipeline {
namespace {

// Rounds end by themselves unless fixes undo one another; attempts are a cost, since each checks
// the files anew.
constexpr std::size_t mostRounds = 50;
constexpr std::size_t mostAttempts = 400;

/// The stages of the analysis, by the thousands of their codes: a fault of one hides what a later
/// one would find.
unsigned stageOf(diag::Code code) { return static_cast<unsigned>(code) / 1000; }

/// Fixes of the YAML come first, warnings last: what turns up then is known to be their doing.
unsigned turnOf(const diag::Diagnostic& finding) {
  if (finding.severity != diag::Severity::Error)
    return 2;
  return stageOf(finding.code) <= 1 ? 0 : 1;
}

bool meets(const Span& a, const Span& b) {
  return a.file == b.file && a.begin <= b.end && b.begin <= a.end;
}

} // namespace

bool hasGap(const diag::Fix& fix) {
  return std::any_of(fix.edits.begin(), fix.edits.end(),
                     [](const Edit& edit) { return edit.text.find("…") != std::string::npos; });
}

Fixing::Fixing(SourceManager& sources, Check check, std::vector<project::InputFile> files,
               bool unsafe)
    : sources_(sources), check_(std::move(check)), files_(std::move(files)), unsafe_(unsafe),
      checked_(check_(files_)), findings_(findingsOf(sources_, checked_)) {
  for (const project::InputFile& input : files_)
    first_.push_back(input.file);
  for (const diag::Diagnostic& finding : findings_)
    ++atFirst_[nameOf(finding)];
}

void Fixing::run() {
  std::size_t rounds = 0;
  while (rounds < mostRounds && round())
    ++rounds;
  stopped_ |= rounds == mostRounds && !candidates().empty();
}

bool Fixing::round() {
  std::vector<Candidate> all = candidates();
  unsigned turn = 2;
  for (const Candidate& each : all)
    turn = std::min(turn, turnOf(*each.finding));
  EditSet together;
  std::erase_if(all, [&](const Candidate& each) {
    return turnOf(*each.finding) != turn || !together.add(each.fix->edits);
  });
  if (all.empty())
    return false;
  std::size_t refusedBefore = refused_.size();
  Attempt accepted;
  settle(all, accepted);
  bool any = !accepted.candidates.empty();
  if (any)
    accept(std::move(accepted));
  return any || refused_.size() > refusedBefore;
}

std::vector<Fixing::Candidate> Fixing::candidates() const {
  std::vector<Candidate> out;
  for (const diag::Diagnostic& finding : findings_) {
    Candidate candidate{&finding, chosen(finding, unsafe_)};
    if (candidate.fix && !refused_.contains(triedAs(candidate)))
      out.push_back(candidate);
  }
  return out;
}

/// The first safe one, else where that is wanted the only one. Of several that may change the
/// meaning each gives another, and nothing says which was meant.
const diag::Fix* Fixing::chosen(const diag::Diagnostic& finding, bool unsafe) const {
  std::vector<const diag::Fix*> fixes = applicable(finding);
  auto safe = std::find_if(fixes.begin(), fixes.end(), [](const auto* fix) { return fix->safe; });
  if (safe != fixes.end())
    return *safe;
  return unsafe && fixes.size() == 1 ? fixes.front() : nullptr;
}

std::vector<const diag::Fix*> Fixing::applicable(const diag::Diagnostic& finding) const {
  std::vector<const diag::Fix*> out;
  for (const diag::Fix& fix : finding.fixes)
    if (mayApply(fix))
      out.push_back(&fix);
  return out;
}

bool Fixing::mayApply(const diag::Fix& fix) const {
  auto isOpen = [&](const Edit& edit) { return mayChange(edit.span.file); };
  return !fix.edits.empty() && !hasGap(fix) &&
         std::all_of(fix.edits.begin(), fix.edits.end(), isOpen);
}

bool Fixing::mayChange(FileId file) const {
  return std::any_of(files_.begin(), files_.end(), [&](const project::InputFile& input) {
    return input.mayChange && input.file == file;
  });
}

/// Adds to the accepted ones as many of the group as do no harm. Usually that is all of them at
/// once; else halves are tried until the culprits are alone.
void Fixing::settle(std::span<const Candidate> group, Attempt& accepted) {
  if (++attempts_ > mostAttempts) {
    stopped_ = true;
    return;
  }
  std::vector<Candidate> wanted = accepted.candidates;
  wanted.insert(wanted.end(), group.begin(), group.end());
  Attempt next = attempt(std::move(wanted));
  const diag::Diagnostic* harm = harmOf(next);
  if (!harm) {
    accepted = std::move(next);
    return;
  }
  if (group.size() == 1) {
    const diag::Diagnostic& mended = *group.front().finding;
    refused_.emplace(triedAs(group.front()),
                     nameOf(*harm) == nameOf(mended)
                         ? "the fix would not remove the finding"
                         : fmt::format("the fix would introduce {}: {}", diag::info(harm->code).id,
                                       utf8::printable(harm->message)));
    return;
  }
  settle(group.first(group.size() / 2), accepted);
  settle(group.subspan(group.size() / 2), accepted);
}

Fixing::Attempt Fixing::attempt(std::vector<Candidate> candidates) {
  Attempt out;
  out.candidates = std::move(candidates);
  out.files = files_;
  for (const Candidate& each : out.candidates)
    out.edits.add(each.fix->edits);
  for (project::InputFile& input : out.files) {
    if (!out.edits.touches(input.file))
      continue;
    const Source& source = sources_.get(input.file);
    input.file = sources_.add(source.name, source.path, out.edits.apply(input.file, source.text));
  }
  recheck(out);
  return out;
}

/// Only files that changed, and those that may extend one of them.
void Fixing::recheck(Attempt& attempt) {
  std::vector<std::size_t> places;
  std::vector<project::InputFile> again;
  for (std::size_t i = 0; i < files_.size(); ++i) {
    const Source& source = sources_.get(attempt.files[i].file);
    bool differs = attempt.files[i].file != files_[i].file;
    if (differs)
      overlaid_.insert(i);
    if (overlaid_.contains(i) && !attempt.files[i].standardInput)
      sources_.overlay(source.path, source.text);
    if (!differs && source.text.find("extends") == std::string::npos)
      continue;
    places.push_back(i);
    again.push_back(attempt.files[i]);
  }
  CheckedFiles fresh = check_(again);
  attempt.checked = checked_;
  for (std::size_t i = 0; i < places.size(); ++i) {
    attempt.checked.results[places[i]] = std::move(fresh.results[i]);
    attempt.checked.contracts[places[i]] = fresh.contracts[i];
  }
  attempt.findings = findingsOf(sources_, attempt.checked);
}

/// A finding that was to go and is still there, or an error that was not there.
const diag::Diagnostic* Fixing::harmOf(const Attempt& attempt) const {
  std::map<Name, std::ptrdiff_t> allowed;
  for (const diag::Diagnostic& finding : findings_)
    ++allowed[nameOf(finding)];
  std::set<Name> targets;
  for (const Candidate& each : attempt.candidates) {
    --allowed[nameOf(*each.finding)];
    targets.insert(nameOf(*each.finding));
  }
  std::map<Name, std::ptrdiff_t> found;
  for (const diag::Diagnostic& finding : attempt.findings)
    ++found[nameOf(finding)];
  bool wasCut =
      std::any_of(findings_.begin(), findings_.end(), [](const diag::Diagnostic& finding) {
        return finding.code == diag::Code::TooManyFindings;
      });
  auto harm = std::find_if(
      attempt.findings.begin(), attempt.findings.end(), [&](const diag::Diagnostic& finding) {
        Name name = nameOf(finding);
        if (found[name] <= allowed[name])
          return false;
        // Of more findings than are kept, one that goes makes room for the next.
        if (wasCut && !isWritten(finding.span, attempt))
          return false;
        return targets.contains(name) ||
               (finding.severity == diag::Severity::Error && !isExcused(finding, attempt));
      });
  return harm == attempt.findings.end() ? nullptr : &*harm;
}

/// Whether the place has text that the attempt's fixes wrote.
bool Fixing::isWritten(const Span& place, const Attempt& attempt) const {
  for (std::size_t i = 0; i < files_.size(); ++i)
    for (Span span : attempt.edits.written(files_[i].file)) {
      span.file = attempt.files[i].file;
      if (meets(span, place))
        return true;
    }
  return false;
}

/// Whether a fault that is gone may have hidden this error: a later stage of the analysis, or the
/// same one at a place that no fix has written, was not reached before.
bool Fixing::isExcused(const diag::Diagnostic& fresh, const Attempt& attempt) const {
  if (fresh.code == diag::Code::TooManyFindings)
    return true;
  unsigned stage = stageOf(fresh.code);
  bool untouched = !isWritten(fresh.span, attempt);
  return std::any_of(attempt.candidates.begin(), attempt.candidates.end(),
                     [&](const Candidate& each) {
                       unsigned hidden = stageOf(each.finding->code);
                       return each.finding->severity == diag::Severity::Error &&
                              (hidden < stage || (hidden == stage && untouched));
                     });
}

void Fixing::accept(Attempt attempt) {
  for (const Candidate& each : attempt.candidates) {
    std::set<FileId> changed;
    for (const Edit& edit : each.fix->edits)
      changed.insert(origin(edit.span).file);
    fixed_.push_back({each.finding->code,
                      origin(each.finding->span),
                      each.finding->message,
                      each.fix->title,
                      each.fix->safe,
                      {changed.begin(), changed.end()}});
  }
  for (std::size_t i = 0; i < files_.size(); ++i)
    if (attempt.files[i].file != files_[i].file)
      madeFrom_.emplace(attempt.files[i].file, std::pair(files_[i].file, rounds_.size()));
  rounds_.push_back(std::move(attempt.edits));
  files_ = std::move(attempt.files);
  checked_ = std::move(attempt.checked);
  findings_ = std::move(attempt.findings);
}

void Fixing::putBack(std::size_t index) {
  std::erase_if(fixed_, [&](const diag::FixedFinding& each) {
    return std::find(each.changed.begin(), each.changed.end(), first_[index]) != each.changed.end();
  });
  unwritten_.insert(first_[index]);
  Attempt back;
  back.files = files_;
  back.files[index].file = first_[index];
  back.files[index].mayChange = false;
  recheck(back);
  files_ = std::move(back.files);
  checked_ = std::move(back.checked);
  findings_ = std::move(back.findings);
}

std::vector<diag::HeldFix> Fixing::held() const {
  std::vector<diag::HeldFix> out;
  for (const diag::Diagnostic& finding : findings_) {
    Candidate candidate{&finding, chosen(finding, unsafe_)};
    auto found = candidate.fix ? refused_.find(triedAs(candidate)) : refused_.end();
    if (found != refused_.end())
      out.push_back({finding.code, finding.span, candidate.fix->title, found->second});
  }
  return out;
}

std::vector<diag::ClosedFile> Fixing::closed() const {
  auto closedFileOf = [&](const diag::Diagnostic& finding) {
    if (finding.code == diag::Code::StaleRecord)
      return FileId::None; // `tikc baseline --prune` writes that file
    for (const diag::Fix& fix : finding.fixes)
      if (!hasGap(fix))
        for (const Edit& edit : fix.edits)
          if (!mayChange(edit.span.file) && !unwritten_.contains(edit.span.file))
            return edit.span.file;
    return FileId::None;
  };
  std::map<FileId, std::size_t> counts;
  for (const diag::Diagnostic& finding : findings_)
    if (FileId file = closedFileOf(finding); file != FileId::None && !chosen(finding, true))
      ++counts[file];
  std::vector<diag::ClosedFile> out;
  out.reserve(counts.size());
  for (auto [file, count] : counts)
    out.push_back({file, count});
  return out;
}

std::size_t Fixing::revealed() const {
  std::map<Name, std::size_t> left = atFirst_;
  return static_cast<std::size_t>(
      std::count_if(findings_.begin(), findings_.end(), [&](const diag::Diagnostic& finding) {
        std::size_t& known = left[nameOf(finding)];
        bool isNew = known == 0;
        known -= !isNew;
        return isNew && finding.severity == diag::Severity::Error;
      }));
}

std::size_t Fixing::unsafeLeft() const {
  auto needsIt = [&](const diag::Diagnostic& finding) {
    return !chosen(finding, false) && chosen(finding, true);
  };
  return unsafe_
             ? 0
             : static_cast<std::size_t>(std::count_if(findings_.begin(), findings_.end(), needsIt));
}

std::size_t Fixing::choicesLeft() const {
  auto isChoice = [&](const diag::Diagnostic& finding) {
    return !chosen(finding, true) && !applicable(finding).empty();
  };
  return static_cast<std::size_t>(std::count_if(findings_.begin(), findings_.end(), isChoice));
}

/// What a finding is called however the text around it moves.
Fixing::Name Fixing::nameOf(const diag::Diagnostic& finding) const {
  const Source& source = sources_.get(finding.span.file);
  return {source.path.empty() ? source.name : source.path.string(), finding.code, finding.message};
}

Fixing::Tried Fixing::triedAs(const Candidate& candidate) const {
  const Span& span = candidate.finding->span;
  const Source& source = sources_.get(span.file);
  std::string_view line = source.lines.lineText(source.text, source.lines.lineIndex(span.begin));
  return {nameOf(*candidate.finding), candidate.fix->title, std::string(line)};
}

Span Fixing::origin(Span span) const {
  for (auto made = madeFrom_.find(span.file); made != madeFrom_.end();
       made = madeFrom_.find(span.file)) {
    auto [before, round] = made->second;
    span.begin = rounds_[round].origin(before, span.begin);
    span.end = std::max(span.begin, rounds_[round].origin(before, span.end));
    span.file = before;
  }
  return span;
}

} // namespace tikc::pipeline
