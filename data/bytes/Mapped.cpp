#include "data/bytes/Mapped.h"

#include "support/KnownFiles.h"
#include "support/UsageError.h"
#include "support/Utf8.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>

namespace tikc::data {
namespace {

llvm::Error unreadable(const std::filesystem::path& path, std::string_view why) {
  return usageError(fmt::format("cannot read {}: {}", utf8::tickedPath(path.native()), why));
}

std::string systemsWord(int fault) { return std::generic_category().message(fault); }

} // namespace

llvm::Expected<std::shared_ptr<const MappedFile>>
MappedFile::open(const std::filesystem::path& path) {
  // A pipe without a writer would keep an open() waiting for ever.
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (file < 0)
    return unreadable(path, systemsWord(errno));
  struct stat facts = {};
  const bool isKnown = ::fstat(file, &facts) == 0;
  if (!isKnown || !S_ISREG(facts.st_mode)) {
    ::close(file);
    return unreadable(path, !isKnown ? systemsWord(errno)
                            : S_ISDIR(facts.st_mode)
                                ? "it is a folder; name its files"
                                : "it is not a regular file; `-` reads standard input");
  }
  known_files::add(facts);
  auto mapped = of(file, static_cast<std::size_t>(facts.st_size));
  const int fault = errno;
  ::close(file);
  if (!mapped && fault == ENOMEM)
    return unreadable(path, "the system maps no more files; join JSON lines to fewer files, or "
                            "measure some at a time with --evidence and merge that");
  if (!mapped)
    return unreadable(path, systemsWord(fault));
  mapped->opened_ =
      Version{path, facts.st_dev, facts.st_ino, facts.st_mtim.tv_sec, facts.st_mtim.tv_nsec};
  return mapped;
}

llvm::Error MappedFile::whyRewritten() const {
  struct stat now = {};
  const bool isSame = opened_ && ::stat(opened_->path.c_str(), &now) == 0 &&
                      now.st_dev == opened_->device && now.st_ino == opened_->inode;
  if (!isSame || static_cast<std::size_t>(now.st_size) > bytes_.size() ||
      (now.st_mtim.tv_sec == opened_->seconds && now.st_mtim.tv_nsec == opened_->nanoseconds))
    return llvm::Error::success();
  return usageError(fmt::format("{} was changed while it was read; measure a copy, or wait until "
                                "it is complete",
                                utf8::tickedPath(opened_->path.native())));
}

std::shared_ptr<MappedFile> MappedFile::of(int descriptor, std::size_t size) {
  std::string_view bytes;
  if (size > 0) {
    void* const at = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, descriptor, 0);
    if (at == MAP_FAILED)
      return nullptr;
    ::madvise(at, size, MADV_SEQUENTIAL);
    bytes = {static_cast<const char*>(at), size};
  }
  return std::shared_ptr<MappedFile>(new MappedFile(bytes));
}

void MappedFile::forget(std::string_view part) const {
  const auto page = static_cast<std::uintptr_t>(::sysconf(_SC_PAGESIZE));
  // A page that is looked at brings its neighbours: some before this part came with it.
  constexpr std::uintptr_t mappedAlong = 64 << 10;
  const auto file = reinterpret_cast<std::uintptr_t>(bytes_.data()),
             at = reinterpret_cast<std::uintptr_t>(part.data());
  const std::uintptr_t begin = (at - std::min(at - file, mappedAlong)) / page * page,
                       end = (at + part.size()) / page * page;
  if (begin < end)
    ::madvise(reinterpret_cast<void*>(begin), end - begin, MADV_DONTNEED);
}

void MappedFile::each(std::string_view part,
                      llvm::function_ref<void(std::string_view step)> look) const {
  eachStep(part, this, look);
}

void eachStep(std::string_view bytes, const MappedFile* in,
              llvm::function_ref<void(std::string_view)> look) {
  for (; !bytes.empty(); bytes.remove_prefix(std::min(bytes.size(), MappedFile::step))) {
    const std::string_view step = bytes.substr(0, MappedFile::step);
    look(step);
    if (in != nullptr)
      in->forget(step);
  }
}

MappedFile::~MappedFile() {
  if (!bytes_.empty())
    ::munmap(const_cast<char*>(bytes_.data()), bytes_.size());
}

} // namespace tikc::data
