#include "diag/report/Parts.h"

#include <fmt/format.h>
#include <llvm/Support/xxhash.h>

#include <set>

namespace tikc::diag {

Counts count(const Report& report) {
  Counts counts;
  std::set<FileId> files;
  for (const Diagnostic& d : report.diagnostics) {
    ++(d.severity == Severity::Error     ? counts.errors
       : d.severity == Severity::Warning ? counts.warnings
                                         : counts.notes);
    files.insert(d.span.file);
  }
  counts.files = files.size();
  return counts;
}

std::string_view severityWord(const SeverityWords& words, Severity severity) {
  return severity == Severity::Error     ? words.error
         : severity == Severity::Warning ? words.warning
                                         : words.note;
}

std::string normalPath(const Source& source) {
  return std::filesystem::path(source.name).lexically_normal().generic_string();
}

std::string plainMessage(const Diagnostic& diagnostic) {
  std::string text = diagnostic.message;
  if (!diagnostic.label.empty())
    text += "\n" + diagnostic.label;
  for (const std::string& note : diagnostic.notes)
    text += "\nnote: " + note;
  return text;
}

std::string Fingerprints::next(const SourceManager& sources, const Diagnostic& diagnostic) {
  static constexpr std::size_t enough = 1024;
  const Source& source = sources.get(diagnostic.span.file);
  std::string_view line =
      source.lines.lineText(source.text, source.lines.lineIndex(diagnostic.span.begin));
  line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
  std::string key(info(diagnostic.code).id);
  key += '\0';
  key += normalPath(source);
  key += '\0';
  key += line.substr(0, enough);
  std::uint64_t hash = llvm::xxh3_64bits(llvm::StringRef(key));
  return fmt::format("{:016x}:{}", hash, ++seen_[hash]);
}

} // namespace tikc::diag
