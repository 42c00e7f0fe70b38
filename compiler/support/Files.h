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

/// A file's text, up to the limit. `size` is the real size if the system reports one.
struct FileText {
  std::string text;
  bool tooLarge = false;
  std::uint64_t size = 0;
};

/// Whether the path names a descriptor of this process that is not a file, such as /dev/fd/63 of
/// `<(…)`.
bool namesStream(const std::filesystem::path& path);

/// Reads a whole regular file or stream. Fails if it is missing, a folder, unreadable or a device.
llvm::Expected<FileText> readFile(const std::filesystem::path& path, const Limits& limits);
llvm::Expected<FileText> readStandardInput(const Limits& limits);

/// Creates a folder and its missing parents.
llvm::Error makeFolder(const std::filesystem::path& folder);

/// Writes a file atomically: to a temporary file next to it, which is flushed and then renamed.
/// Keeps the mode of the old file and follows symbolic links. A file with several hard links is
/// overwritten in place, so that they stay one file. Signals that end the process wait until the
/// end. A pipe or device receives the text as it comes.
llvm::Error writeFile(const std::filesystem::path& path, std::string_view text);
/// Passes a text on in steps, in order. Returns false once a step is rejected.
using TakeText = llvm::function_ref<bool(std::string_view step)>;
using TextInSteps = llvm::function_ref<bool(TakeText take)>;

/// Writes a file like `writeFile`, from a text that need not be in memory as a whole. The text may
/// lie in a mapping of the file that is replaced.
llvm::Error writeFileInSteps(const std::filesystem::path& path, TextInSteps text);

/// Returns the folder that will hold the written file, through symbolic links; empty for a stream.
std::filesystem::path folderOfOutput(const std::filesystem::path& path);

/// The error that the reader of a pipe has closed it, as `head` does: a reason to stop, not to
/// report.
class ClosedPipe : public llvm::ErrorInfo<ClosedPipe> {
public:
  static char ID;
  void log(llvm::raw_ostream& out) const override;
  std::error_code convertToErrorCode() const override;
};

/// Writes to standard output. Fails on a full disk, or with ClosedPipe if the process ignores
/// SIGPIPE.
llvm::Error writeStandardOutput(std::string_view text);

} // namespace tikc
