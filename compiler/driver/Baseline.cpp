#include "project/Baseline.h"

#include "diag/Drawing.h"
#include "driver/CommonOptions.h"
#include "driver/ParallelChecker.h"
#include "pipeline/Merge.h"
#include "pipeline/Recorded.h"
#include "support/Files.h"
#include "support/Utf8.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>

namespace tikc::driver {
namespace {

namespace fs = std::filesystem;
using project::Record;
using project::RecordKey;
using Records = std::map<RecordKey, Record>;

/// What the check of a file found that can be recorded, each as often as it was found.
struct FileFindings {
  fs::path path;
  std::vector<RecordKey> keys;
  bool isWhole = false; // nothing kept the check from finding more
};

/// The files of one project, and what becomes of its baseline.
struct Ledger {
  const project::Settings* settings = nullptr;
  std::vector<const FileFindings*> files;
  Records records;
  std::size_t added = 0;
  std::vector<RecordKey> dropped;
};

FileFindings findingsOf(const SourceManager& sources, const fs::path& folder,
                        const pipeline::CheckedFile& file) {
  FileFindings out{sources.get(file.file).path, {}, !isFaulty(file)};
  for (const auto* list : {&file.diagnostics, &file.recorded})
    for (const diag::Diagnostic& finding : *list)
      if (isSettable(finding))
        if (auto key = recordKeyOf(sources, folder, file, finding))
          out.keys.push_back(std::move(*key));
  return out;
}

Records foundIn(const Ledger& ledger) {
  Records all;
  for (const FileFindings* file : ledger.files)
    for (const RecordKey& key : file->keys)
      ++all.try_emplace(key, Record{0, {}, {}, {}}).first->second.count;
  Records out;
  for (const auto& [key, record] : all) {
    RecordKey parents = key;
    parents.checked = key.file;
    auto known = key.checked == key.file ? all.end() : all.find(parents);
    std::uint64_t count = known == all.end() ? 0 : known->second.count;
    if (record.count > count) // the rest is what the parent's own check finds
      out.emplace(key, Record{record.count - count, {}, {}, {}});
  }
  return out;
}

/// Whether this run can tell that what is recorded is gone.
bool isKnown(const Ledger& ledger, const RecordKey& key) {
  std::error_code error;
  const fs::path path = ledger.settings->folder / key.checked;
  if (!fs::exists(path, error) || !fs::exists(ledger.settings->folder / key.file, error))
    return true;
  return std::any_of(ledger.files.begin(), ledger.files.end(),
                     [&](const FileFindings* file) { return file->path == path && file->isWhole; });
}

/// What becomes of a baseline.
struct Intent {
  std::string reason;  // for what has none
  bool prunes = false; // nothing that is new is recorded
};

/// The record of a finding that says no more than its code and its node.
Records::const_iterator broadlyRecorded(const Records& before, const RecordKey& key) {
  return key.about.empty() ? before.end() : before.find(project::withoutAbout(key));
}

/// Of what is found no more than is recorded already.
void keepRecorded(Records& records, const Records& before) {
  for (auto& [key, record] : Records(records))
    if (auto broad = broadlyRecorded(before, key); broad != before.end() && !before.contains(key))
      records.try_emplace(broad->first, Record{0, {}, {}, {}}).first->second.count += record.count;
  std::erase_if(records, [&](const auto& each) { return !before.contains(each.first); });
  for (auto& [key, record] : records)
    record.count = std::min(record.count, before.at(key).count);
}

/// Whether what was recorded by its node alone is recorded with what it is about now.
bool isToldApart(const Records& records, const RecordKey& key) {
  return std::any_of(records.begin(), records.end(),
                     [&](const auto& each) { return project::withoutAbout(each.first) == key; });
}

/// Reasons stay with what they are given for; what this run knows nothing of stays as it is.
void balance(Ledger& ledger, const Intent& intent) {
  ledger.records = foundIn(ledger);
  static const Records nothing;
  const Records& before = ledger.settings->baseline ? ledger.settings->baseline->records : nothing;
  if (intent.prunes)
    keepRecorded(ledger.records, before);
  ledger.added = ledger.records.size();
  for (const auto& [key, record] : before) {
    auto now = ledger.records.find(key);
    if (now != ledger.records.end()) {
      now->second.reason = record.reason;
      --ledger.added;
    } else if (isKnown(ledger, key)) {
      if (!isToldApart(ledger.records, key))
        ledger.dropped.push_back(key);
    } else {
      ledger.records.emplace(key, record);
    }
  }
  for (auto& [key, record] : ledger.records) {
    if (auto broad = broadlyRecorded(before, key); broad != before.end() && record.reason.empty())
      record.reason = broad->second.reason;
    if (record.reason.empty())
      record.reason = intent.reason;
  }
}

std::string plural(std::uint64_t count, std::string_view noun) {
  return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

/// What was done, a line a thing.
std::string accountOf(const Ledger& ledger, const std::string& file) {
  std::uint64_t findings = 0, unreasoned = 0;
  for (const auto& [key, record] : ledger.records) {
    findings += record.count;
    unreasoned += record.reason.empty() ? 1 : 0;
  }
  std::string out;
  for (const RecordKey& key : ledger.dropped)
    out += fmt::format("dropped {} for {}: no longer found\n", diag::info(key.code).id,
                       shownPlace(key));
  out += fmt::format(
      "{}: {} recorded in {} ({} new)\n", utf8::printable(file), plural(findings, "finding"),
      ledger.records.size() == 1 ? "1 entry" : fmt::format("{} entries", ledger.records.size()),
      ledger.added);
  if (unreasoned > 0)
    out +=
        fmt::format("{} a reason: add it to the file, or run again with --reason\n",
                    unreasoned == 1 ? "1 entry lacks" : fmt::format("{} entries lack", unreasoned));
  return out;
}

std::vector<Ledger> ledgersOf(const project::Inputs& inputs, const std::vector<FileFindings>& found,
                              const Intent& intent) {
  std::vector<Ledger> out;
  for (std::size_t i = 0; i < found.size(); ++i) {
    const project::Settings* settings = inputs.files()[i].settings;
    auto known = std::find_if(out.begin(), out.end(),
                              [&](const Ledger& each) { return each.settings == settings; });
    if (known == out.end()) {
      out.emplace_back().settings = settings;
      known = out.end() - 1;
    }
    known->files.push_back(&found[i]);
  }
  for (Ledger& ledger : out)
    balance(ledger, intent);
  return out;
}

/// What nobody may pass over goes to standard error, whatever is recorded.
bool complainOfFixed(const SourceManager& sources, std::span<const diag::Diagnostic> findings) {
  std::string text;
  std::size_t count = 0;
  for (const diag::Diagnostic& diagnostic : findings)
    if (!isSettable(diagnostic)) {
      text += diag::renderText(sources, diagnostic) + "\n";
      ++count;
    }
  if (count > 0)
    text += count == 1 ? "the finding above cannot be recorded; fix it\n"
                       : "the findings above cannot be recorded; fix them\n";
  std::fwrite(text.data(), 1, text.size(), stderr);
  return !text.empty();
}

llvm::Error writeLedger(const Invocation& invocation, const Ledger& ledger) {
  std::error_code error;
  fs::path path = ledger.settings->folder / project::baselineFile;
  std::string text = printBaseline(ledger.records);
  if (invocation.has("--output"))
    return writeOutput(invocation, text);
  if (fs::is_symlink(path, error) && !fs::exists(path, error))
    return usageError(fmt::format("{} is a broken symbolic link; nothing was written",
                                  utf8::tickedPath(path.native())));
  std::string name = path.lexically_proximate(fs::current_path(error)).string();
  if (ledger.records.empty() && !ledger.settings->baseline)
    return writeStandardOutput(
        fmt::format("nothing to {}\n", invocation.has("--prune") ? "prune" : "record"));
  if (auto fault = writeFile(path, text))
    return fault;
  return writeStandardOutput(accountOf(ledger, name));
}

} // namespace

llvm::Expected<int> runBaseline(const Invocation& invocation) {
  auto jobs = jobsOf(invocation);
  if (!jobs)
    return jobs.takeError();
  Limits limits;
  SourceManager sources;
  project::Inputs inputs(sources, limits);
  if (auto error = addInputs(inputs, invocation))
    return error;
  // A baseline that cannot be read whole would be lost, and its reasons with it.
  if (complainOfFixed(sources, inputs.settingsFindings()))
    return Findings;
  std::vector<FileFindings> found(inputs.files().size());
  auto look = [&](std::size_t i, const pipeline::CheckedFile& file) {
    found[i] = findingsOf(sources, inputs.files()[i].settings->folder, file);
  };
  pipeline::CheckedFiles checked =
      ParallelChecker(sources, limits, *jobs, true).check(inputs.files(), look);
  std::vector<Ledger> ledgers =
      ledgersOf(inputs, found, {invocation.get("--reason"), invocation.has("--prune")});
  if (invocation.has("--output") && ledgers.size() > 1)
    return usageError("--output requires files of one project, found several");
  for (const Ledger& ledger : ledgers)
    if (auto error = writeLedger(invocation, ledger))
      return error;
  bool isLeft = complainOfFixed(sources, pipeline::mergeFindings(sources, checked.results));
  return withUnread(isLeft ? Findings : Clean, inputs);
}

} // namespace tikc::driver
