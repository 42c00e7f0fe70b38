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
    return unreadable(path, !isKnown                 ? systemsWord(errno)
                            : S_ISDIR(facts.st_mode) ? "it is a folder; name its files"
                                                     : "it is no regular file; `-` reads standard "
                                                       "input");
  }
  known_files::add(facts);
  std::string_view bytes;
  if (facts.st_size > 0) {
    const auto size = static_cast<std::size_t>(facts.st_size);
    void* const at = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file, 0);
    const int fault = errno;
    ::close(file);
    if (at == MAP_FAILED)
      return unreadable(path, systemsWord(fault));
    ::madvise(at, size, MADV_SEQUENTIAL);
    bytes = {static_cast<const char*>(at), size};
  } else {
    ::close(file);
  }
  return std::shared_ptr<const MappedFile>(new MappedFile(bytes));
}

void MappedFile::forget(std::string_view part) const {
  const auto page = static_cast<std::uintptr_t>(::sysconf(_SC_PAGESIZE));
  const auto at = reinterpret_cast<std::uintptr_t>(part.data());
  const std::uintptr_t begin = (at + page - 1) / page * page,
                       end = (at + part.size()) / page * page;
  if (begin < end)
    ::madvise(reinterpret_cast<void*>(begin), end - begin, MADV_DONTNEED);
}

void MappedFile::each(std::string_view part,
                      llvm::function_ref<void(std::string_view step)> look) const {
  for (; !part.empty(); part.remove_prefix(std::min(part.size(), step))) {
    look(part.substr(0, step));
    forget(part.substr(0, step));
  }
}

MappedFile::~MappedFile() {
  if (!bytes_.empty())
    ::munmap(const_cast<char*>(bytes_.data()), bytes_.size());
}

} // namespace tikc::data
