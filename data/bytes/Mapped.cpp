#include "data/bytes/Mapped.h"

#include "support/KnownFiles.h"
#include "support/UsageError.h"
#include "support/Utf8.h"

#include <fmt/format.h>
#include <llvm/Support/xxhash.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdint>
#include <fcntl.h>
#include <functional>
#include <mutex>
#include <sys/mman.h>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>
#include <vector>

namespace tikc::data {
namespace {

llvm::Error unreadable(const std::filesystem::path& path, std::string_view why) {
  return usageError(fmt::format("cannot read {}: {}", utf8::tickedPath(path.native()), why));
}

std::string systemsWord(int fault) { return std::generic_category().message(fault); }

/// A process may have 1,024 open files by default.
constexpr int mostDescriptors = 256;
std::atomic<int> keptDescriptors = 0;

/// A page that is looked at brings its neighbours, up to those of a large folio of the page cache.
constexpr std::size_t mappedAlong = std::size_t{4} << 20;

} // namespace

/// Where a file is mapped. A signal handler reads these, so none is ever freed: those of closed
/// files are used again.
struct MappedFile::Mapping {
  std::string name; // as in messages
  std::string_view bytes;
  std::atomic<bool> isOpen = false;
  Mapping* next = nullptr;
};

namespace {

using Mapping = MappedFile::Mapping;

class Mappings {
public:
  Mapping* add(const std::filesystem::path& path, std::string_view bytes) {
    const std::lock_guard lock(mutex_);
    if (free_.empty()) {
      free_.push_back(new Mapping);
      free_.back()->next = first_;
      first_ = free_.back();
    }
    Mapping* const out = free_.back();
    free_.pop_back();
    out->name = utf8::tickedPath(path.native());
    out->bytes = bytes;
    out->isOpen = true;
    return out;
  }

  void remove(Mapping* mapping) {
    const std::lock_guard lock(mutex_);
    mapping->isOpen = false;
    free_.push_back(mapping);
  }

  std::string_view nameAt(const char* address) const {
    for (const Mapping* each = first_; each != nullptr; each = each->next)
      if (each->isOpen && !std::less<>()(address, each->bytes.data()) &&
          std::less<>()(address, each->bytes.data() + each->bytes.size()))
        return each->name;
    return {};
  }

private:
  std::mutex mutex_;
  std::vector<Mapping*> free_;
  std::atomic<Mapping*> first_ = nullptr;
};

Mappings& mappings() {
  static auto& out = *new Mappings; // a file may be closed when the process ends
  return out;
}

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
  if (!mapped) {
    const int fault = errno;
    ::close(file);
    return unreadable(path, fault == ENOMEM
                                ? "the system maps no more files; join JSON lines to fewer files, "
                                  "or measure some at a time with --evidence and merge that"
                                : systemsWord(fault));
  }
  const bool isKept = keptDescriptors.fetch_add(1) < mostDescriptors;
  if (!isKept) {
    --keptDescriptors;
    ::close(file);
  }
  mapped->opened_ = Opened{path,
                           isKept ? file : -1,
                           facts.st_dev,
                           facts.st_ino,
                           facts.st_mtim.tv_sec,
                           facts.st_mtim.tv_nsec,
                           facts.st_ctim.tv_sec,
                           facts.st_ctim.tv_nsec,
                           mapped->hashOfSamples(),
                           mappings().add(path, mapped->bytes_)};
  return mapped;
}

bool MappedFile::isRewritten() const {
  if (!opened_)
    return false;
  struct stat now = {};
  if (opened_->descriptor >= 0 ? ::fstat(opened_->descriptor, &now) != 0
                               : ::stat(opened_->path.c_str(), &now) != 0)
    return false;
  if (now.st_dev != opened_->device || now.st_ino != opened_->inode)
    return false;
  const auto size = static_cast<std::size_t>(now.st_size);
  if (size < bytes_.size())
    return true;
  const bool isWritten =
      now.st_mtim.tv_sec != opened_->seconds || now.st_mtim.tv_nsec != opened_->nanoseconds;
  // A new name changes this time as well, and so does a time of writing that is put back.
  const bool isChanged = now.st_ctim.tv_sec != opened_->changeSeconds ||
                         now.st_ctim.tv_nsec != opened_->changeNanoseconds;
  if (isWritten && size == bytes_.size())
    return true;
  return (isWritten || isChanged) && hashOfSamples() != opened_->samples;
}

llvm::Error MappedFile::whyRewritten() const {
  if (!isRewritten())
    return llvm::Error::success();
  return usageError(fmt::format("{} was changed while it was read; measure a copy, or wait until "
                                "it is complete",
                                utf8::tickedPath(opened_->path.native())));
}

std::pair<std::uint64_t, std::uint64_t> MappedFile::identity() const {
  return {opened_->device, opened_->inode};
}

std::uint64_t MappedFile::hashOfSamples() const {
  constexpr std::size_t samples = 32, most = 4096;
  const std::size_t size = std::min(bytes_.size(), most), room = bytes_.size() - size;
  std::uint64_t out = 0;
  for (std::size_t i = 0; i < samples; ++i) {
    const std::string_view sample = bytes_.substr(
        room / (samples - 1) * i + (i + 1 == samples ? room % (samples - 1) : 0), size);
    out = 31 * out + llvm::xxh3_64bits(llvm::StringRef(sample));
    if (i != 0) // the first bytes are read next
      forgetAround(static_cast<std::size_t>(sample.data() - bytes_.data()));
    if (room == 0)
      break;
  }
  return out;
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
  const auto file = reinterpret_cast<std::uintptr_t>(bytes_.data()),
             at = reinterpret_cast<std::uintptr_t>(part.data());
  const std::uintptr_t begin = (at - std::min(at - file, mappedAlong)) / page * page,
                       end = (at + part.size()) / page * page;
  if (begin < end)
    ::madvise(reinterpret_cast<void*>(begin), end - begin, MADV_DONTNEED);
}

void MappedFile::forgetAround(std::size_t at) const { forget(bytes_.substr(at, mappedAlong)); }

void MappedFile::leave(std::string_view part) const {
  forget(part);
  forgetAround(static_cast<std::size_t>(part.data() - bytes_.data()) + part.size());
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

std::string_view MappedFile::nameAt(const void* address) {
  return mappings().nameAt(static_cast<const char*>(address));
}

MappedFile::~MappedFile() {
  if (opened_)
    mappings().remove(opened_->mapping);
  if (opened_ && opened_->descriptor >= 0) {
    ::close(opened_->descriptor);
    --keptDescriptors;
  }
  if (!bytes_.empty())
    ::munmap(const_cast<char*>(bytes_.data()), bytes_.size());
}

} // namespace tikc::data
