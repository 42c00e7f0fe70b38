#pragma once

#include "report/Report.h"

#include <llvm/Support/JSON.h>

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace tikc::report {

using diag::Code;
using diag::CodeInfo;
using diag::Diagnostic;
using diag::Fix;
using diag::RelatedPlace;
using diag::Severity;

struct Counts {
  std::size_t errors = 0;
  std::size_t warnings = 0;
  std::size_t notes = 0;
  std::size_t files = 0; // files with findings
};
Counts count(const Report& report);

/// The three severities in another tool's words.
struct SeverityWords {
  std::string_view error;
  std::string_view warning;
  std::string_view note;
};
std::string_view severityWord(const SeverityWords& words, Severity severity);

/// Returns a file's path relative to the repository, without `./` and `a/../`.
std::string normalPath(const Source& source);

/// Returns message, label and notes as text of several lines, for formats that cannot draw.
std::string plainMessage(const Diagnostic& diagnostic);

/// Identifies a finding across runs by its code, its file and the text of its line, but not by the
/// line's number. Equal ones are numbered in order, so all of a run differ.
class Fingerprints {
public:
  std::string next(const SourceManager& sources, const Diagnostic& diagnostic);

private:
  std::map<std::uint64_t, unsigned> seen_;
};

/// Writes a JSON object whose fields a callback adds, so that no tree of the document is built.
std::string writeJson(llvm::function_ref<void(llvm::json::OStream&)> write);
/// Returns a valid JSON string of any bytes, such as file names.
llvm::json::Value jsonText(std::string_view text);

/// Writes the fields of a document, object by object.
class JsonFields {
protected:
  explicit JsonFields(llvm::json::OStream& json) : json_(json) {}

  void text(llvm::StringRef key, std::string_view value);
  void count(llvm::StringRef key, std::uint64_t value);
  /// Writes a number. Numbers that are not finite, which JSON lacks, are null.
  void number(llvm::StringRef key, std::optional<double> value);
  void texts(llvm::StringRef key, std::span<const std::string> values);

  llvm::json::OStream& json_;
};

} // namespace tikc::report
