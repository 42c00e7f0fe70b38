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
  std::size_t files = 0; // with a finding
};
Counts count(const Report& report);

/// Each of the three severities in another tool's word.
struct SeverityWords {
  std::string_view error;
  std::string_view warning;
  std::string_view note;
};
std::string_view severityWord(const SeverityWords& words, Severity severity);

/// Where a tool that knows the repository finds the file: no `./`, no `a/../`.
std::string normalPath(const Source& source);

/// Message, label and notes as one text of several lines, for places that cannot draw.
std::string plainMessage(const Diagnostic& diagnostic);

/// Names a finding across runs: by its code, its file and the text of its line, not by the line's
/// number. Equal ones are numbered in their order, so no two of one run are the same.
class Fingerprints {
public:
  std::string next(const SourceManager& sources, const Diagnostic& diagnostic);

private:
  std::map<std::uint64_t, unsigned> seen_;
};

/// Adds fields through a callback, so that a document is written once, in order, and never held as
/// a tree.
std::string writeJson(llvm::function_ref<void(llvm::json::OStream&)> write);
/// A string that JSON can hold: file names may be any bytes.
llvm::json::Value jsonText(std::string_view text);

/// The fields of a document, for who writes its objects one after the other.
class JsonFields {
protected:
  explicit JsonFields(llvm::json::OStream& json) : json_(json) {}

  void text(llvm::StringRef key, std::string_view value);
  void count(llvm::StringRef key, std::uint64_t value);
  /// What is no finite number, which JSON has none of, is null.
  void number(llvm::StringRef key, std::optional<double> value);
  void texts(llvm::StringRef key, std::span<const std::string> values);

  llvm::json::OStream& json_;
};

} // namespace tikc::report
