#pragma once

#include "measure/Evidence.h"

#include <llvm/Support/Error.h>

#include <cstdint>
#include <span>
#include <string>

namespace tikc::driver {

/// Whether the paths are evidence. Fails on a mixture of evidence and data, because neither alone
/// is complete.
llvm::Expected<bool> areEvidence(std::span<const std::string> paths);

/// Returns the named evidence, joined.
llvm::Expected<measure::Evidence> readEvidence(std::span<const std::string> paths,
                                               bool allowsOther);

/// A file that will be replaced, as it was before the work began.
class EvidenceFile {
public:
  explicit EvidenceFile(std::string path);
  /// Returns an error if another process has written the file since then, because its evidence
  /// would be lost.
  llvm::Error whyChanged() const;

private:
  struct Facts {
    std::uint64_t device = 0, inode = 0, size = 0;
    std::int64_t seconds = 0, nanoseconds = 0; // of the last change
    friend bool operator==(const Facts&, const Facts&) = default;
  };
  static Facts factsOf(const std::string& path);

  std::string path_;
  Facts facts_;
};

/// Returns an error if evidence cannot be written to a path so that it is whole at every moment: a
/// file with several hard links cannot be replaced under all of its names at once.
llvm::Error whyNotKept(const std::string& path);
/// Replaces a file, which may be one that the evidence was read from.
llvm::Error writeEvidence(const std::string& path, const measure::Evidence& evidence);

} // namespace tikc::driver
