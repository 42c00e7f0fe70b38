#pragma once

#include "driver/Commands.h"
#include "pipeline/Pipeline.h"
#include "support/Source.h"

#include <memory>
#include <string>

namespace tikc::driver {

/// A file with decided claims.
struct ProvenFile {
  std::unique_ptr<SourceManager> sources = std::make_unique<SourceManager>();
  std::string name; // as the user wrote it
  pipeline::CheckedFile checked;
  std::vector<diag::Diagnostic> findings; // including those in parents
  /// Whether it has other errors than unproved claims; they were printed to standard error.
  bool isFaulty = false;
};

/// Reads the file, or standard input for `-`, below --root.
llvm::Expected<ProvenFile> proveFile(const Invocation& invocation, const std::string& path);

/// Prints claims that do not follow to standard error. Returns whether there were any.
bool complainOfClaims(const ProvenFile& file);

/// Fails if the file does not have the named claim or slice; an empty name means any.
llvm::Error checkClaim(const ProvenFile& file, const std::string& claim);
llvm::Error checkSlice(const ProvenFile& file, const std::string& slice);

/// Returns "; did you mean `x`?", or a list of the names.
std::string suggestion(const std::string& wrong, const std::vector<std::string>& names);

} // namespace tikc::driver
