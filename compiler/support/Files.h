#pragma once

#include "support/Limits.h"

#include <llvm/ADT/STLFunctionalExtras.h>
#include <llvm/Support/Error.h>

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <system_error>

namespace tikc {

/// A file's text as far as the limit allows; `size` says how long it really is, where the system
/// tells.
struct FileText {
  std::string text;
  bool tooLarge = false;
  std::uint64_t size = 0;
};

/// Whether the path names a descriptor of this process that is no file, as /dev/fd/63 of `<(…)`
/// does.
bool namesStream(const std::filesystem::path& path);

/// Reads a regular file or a stream whole, or says why not: missing, a folder, unreadable, a
/// device.
llvm::Expected<FileText> readFile(const std::filesystem::path& path, const Limits& limits);
llvm::Expected<FileText> readStandardInput(const Limits& limits);

/// Makes a folder and those that it lies in, where they are missing.
llvm::Error makeFolder(const std::filesystem::path& folder);

/// Writes a file whole or not at all: a temporary beside it, flushed to disk, then renamed over it.
/// Keeps the mode of the file that it replaces and writes through symbolic links. A file of several
/// names (hard links) is written in place, so that they stay one file. Signals that end the process
/// wait meanwhile. A pipe or a device takes the text as it comes.
llvm::Error writeFile(const std::filesystem::path& path, std::string_view text);
/// Hands a text over in steps, one after the other, until one is not taken: false then.
using TakeText = llvm::function_ref<bool(std::string_view step)>;
using TextInSteps = llvm::function_ref<bool(TakeText take)>;

/// Writes a file as `writeFile` does, of a text that need not be in memory as a whole. It may lie
/// in a mapped file that is replaced.
llvm::Error writeFileInSteps(const std::filesystem::path& path, TextInSteps text);

/// The folder that a file lies in once it is written, through symbolic links; none of a stream.
std::filesystem::path folderOfOutput(const std::filesystem::path& path);

/// The reader of a pipe went away, as `head` does: a reason to stop, not a fault to report.
class ClosedPipe : public llvm::ErrorInfo<ClosedPipe> {
public:
  static char ID;
  void log(llvm::raw_ostream& out) const override;
  std::error_code convertToErrorCode() const override;
};

/// Writes to standard output and reports a full disk, or ClosedPipe where the process ignores
/// SIGPIPE.
llvm::Error writeStandardOutput(std::string_view text);

} // namespace tikc
