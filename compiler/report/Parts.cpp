#include "report/Parts.h"

#include "support/Utf8.h"

#include <fmt/format.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/Support/xxhash.h>

#include <cmath>
#include <set>

namespace tikc::report {

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

std::string writeJson(llvm::function_ref<void(llvm::json::OStream&)> write) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  {
    llvm::json::OStream json(stream, 2);
    write(json);
  }
  stream << '\n';
  stream.flush();
  return utf8::printableJson(text);
}

llvm::json::Value jsonText(std::string_view text) {
  llvm::StringRef reference(text.data(), text.size());
  if (llvm::json::isUTF8(reference))
    return reference;
  return llvm::json::fixUTF8(reference);
}

void JsonFields::text(llvm::StringRef key, std::string_view value) {
  json_.attribute(key, jsonText(value));
}

void JsonFields::count(llvm::StringRef key, std::uint64_t value) {
  json_.attribute(key, static_cast<std::int64_t>(value));
}

void JsonFields::number(llvm::StringRef key, std::optional<double> value) {
  if (value && std::isfinite(*value))
    json_.attribute(key, *value);
  else
    json_.attribute(key, nullptr);
}

void JsonFields::texts(llvm::StringRef key, std::span<const std::string> values) {
  json_.attributeArray(key, [&] {
    for (const std::string& value : values)
      json_.value(jsonText(value));
  });
}

} // namespace tikc::report
