#include "driver/EvidenceFiles.h"

#include "data/Paths.h"
#include "data/bytes/Mapped.h"
#include "support/Files.h"
#include "support/UsageError.h"
#include "support/Utf8.h"

#include <fmt/format.h>

#include <filesystem>
#include <sys/stat.h>
#include <utility>

namespace tikc::driver {

llvm::Expected<bool> areEvidence(std::span<const std::string> paths) {
  auto named = data::filesNamed(paths);
  if (!named)
    return named.takeError();
  const std::string *evidence = nullptr, *data = nullptr;
  for (const std::string& path : named->paths) {
    // What cannot be read is told by who reads it.
    auto file = path == "-" ? usageError("") : data::MappedFile::open(path);
    const bool isOne = file && measure::Evidence::isIn((*file)->bytes());
    if (!file)
      llvm::consumeError(file.takeError());
    (isOne ? evidence : data) = &path;
  }
  if (evidence != nullptr && data != nullptr)
    return usageError(fmt::format("evidence and data cannot be combined: {} is evidence, {} is "
                                  "not; convert the data with `tikc measure --evidence`",
                                  utf8::tickedPath(*evidence), utf8::tickedPath(*data)));
  return evidence != nullptr;
}

llvm::Expected<measure::Evidence> readEvidence(std::span<const std::string> paths,
                                               bool allowsOther) {
  auto named = data::filesNamed(paths);
  if (!named)
    return named.takeError();
  std::vector<measure::NamedEvidence> all;
  for (const std::string& path : named->paths) {
    auto file = data::MappedFile::open(path);
    if (!file)
      return usageError(llvm::toString(file.takeError()));
    auto evidence = measure::Evidence::read((*file)->bytes(), path, file->get());
    if (!evidence)
      return evidence.takeError();
    evidence->kept.push_back(std::move(*file));
    all.push_back({path, std::move(*evidence)});
  }
  return measure::joined(all, allowsOther);
}

EvidenceFile::EvidenceFile(std::string path) : path_(std::move(path)), facts_(factsOf(path_)) {}

EvidenceFile::Facts EvidenceFile::factsOf(const std::string& path) {
  struct stat status = {};
  if (::stat(path.c_str(), &status) != 0 || !S_ISREG(status.st_mode))
    return {};
  return {status.st_dev, status.st_ino, static_cast<std::uint64_t>(status.st_size),
          status.st_ctim.tv_sec, status.st_ctim.tv_nsec};
}

llvm::Error EvidenceFile::whyChanged() const {
  if (factsOf(path_) == facts_)
    return llvm::Error::success();
  return usageError(fmt::format("{} was changed by another process meanwhile, so nothing was "
                                "written to it; name a file for each process, and merge them",
                                utf8::tickedPath(path_)));
}

llvm::Error whyNotKept(const std::string& path) {
  std::error_code ignored;
  const std::filesystem::path file(path);
  if (!std::filesystem::is_regular_file(file, ignored) ||
      std::filesystem::hard_link_count(file, ignored) <= 1) // 0: it was just replaced
    return llvm::Error::success();
  return usageError(fmt::format("cannot keep evidence in {}: the file has several hard links, and "
                                "would be replaced under this name only; name a new file",
                                utf8::tickedPath(path)));
}

llvm::Error writeEvidence(const std::string& path, const measure::Evidence& evidence) {
  if (auto error = whyNotKept(path))
    return error;
  const measure::EvidenceParts parts(evidence);
  // What was read from files that others rewrote replaces nothing.
  bool isRewritten = false;
  llvm::Error error = writeFileInSteps(path, [&](TakeText take) {
    const bool isTaken = parts.each(take);
    llvm::Error why = evidence.whyRewritten();
    isRewritten = static_cast<bool>(why);
    llvm::consumeError(std::move(why));
    return isTaken && !isRewritten;
  });
  if (!isRewritten)
    return error;
  llvm::consumeError(std::move(error));
  return evidence.whyRewritten();
}

} // namespace tikc::driver
