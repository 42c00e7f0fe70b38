#pragma once

#include "driver/Commands.h"
#include "pipeline/Pipeline.h"
#include "support/Source.h"

#include <memory>
#include <string>

namespace tikc::driver {

/// A file whose claims were decided.
struct ProvenFile {
  std::unique_ptr<SourceManager> sources = std::make_unique<SourceManager>();
  std::string name; // as the user wrote it
  pipeline::CheckedFile checked;
  std::vector<diag::Diagnostic> findings; // with those of parents
  /// It has faults beside claims that do not follow; they are on standard error.
  bool isFaulty = false;
};

/// Reads the file, or standard input for `-`, under the root of --root.
llvm::Expected<ProvenFile> proveFile(const Invocation& invocation, const std::string& path);

/// Tells of claims that do not follow on standard error; whether there was one.
bool complainOfClaims(const ProvenFile& file);

/// An error where the file has no claim, or no slice, of a name that is not empty.
llvm::Error checkClaim(const ProvenFile& file, const std::string& claim);
llvm::Error checkSlice(const ProvenFile& file, const std::string& slice);

/// "; did you mean `x`?", or which names there are.
std::string suggestion(const std::string& wrong, const std::vector<std::string>& names);

} // namespace tikc::driver
