#include "data/bytes/Spilled.h"

#include "support/Utf8.h"

#include <algorithm>
#include <cerrno>
#include <system_error>
#include <unistd.h>
#include <utility>

namespace tikc::data {
namespace {

constexpr std::size_t leastBlock = std::size_t{1} << 20;

/// False: errno tells why.
bool readAt(int file, std::uint64_t at, std::string& into) {
  for (std::size_t read = 0; read < into.size();) {
    const ssize_t got = withoutInterrupts([&] {
      return ::pread(file, into.data() + read, into.size() - read, static_cast<off_t>(at + read));
    });
    if (got <= 0) {
      errno = got == 0 ? EIO : errno;
      return false;
    }
    read += static_cast<std::size_t>(got);
  }
  return true;
}

} // namespace

void SpilledBytes::append(std::string_view bytes) {
  size_ += bytes.size();
  if (fault_ != 0)
    return;
  if (blocks_.empty() || blocks_.back().size() + bytes.size() > leastBlock)
    blocks_.emplace_back();
  blocks_.back() += bytes;
  inMemory_ += bytes.size();
}

void SpilledBytes::settle() {
  if (inMemory_ > most_)
    spill();
}

/// False: errno tells why.
bool SpilledBytes::open() {
  if (!folder_.empty())
    file_ = openUnnamed(folder_);
  if (!file_.valid()) {
    std::error_code isMissing;
    folder_ = std::filesystem::temp_directory_path(isMissing);
    file_ = openUnnamed(folder_);
  }
  return file_.valid();
}

void SpilledBytes::spill() {
  bool isWritten = file_.valid() || open();
  for (; isWritten && !blocks_.empty(); blocks_.pop_front())
    isWritten = writeAll(file_.number(), blocks_.front());
  if (!isWritten)
    fault_ = errno;
  blocks_.clear();
  inMemory_ = 0;
}

llvm::Error SpilledBytes::failure(int code) const {
  return systemError("write", "a temporary file in " + utf8::tickedPath(folder_.native()), code);
}

llvm::Error SpilledBytes::each(llvm::function_ref<void(std::string_view)> show) const {
  if (fault_ != 0)
    return failure(fault_);
  if (file_.valid()) {
    std::string step;
    const std::uint64_t inFile = size_ - inMemory_;
    for (std::uint64_t at = 0; at < inFile; at += step.size()) {
      step.resize(std::min<std::uint64_t>(leastBlock, inFile - at));
      if (!readAt(file_.number(), at, step))
        return failure(errno);
      show(step);
    }
  }
  for (const std::string& block : blocks_)
    show(block);
  return llvm::Error::success();
}

llvm::Expected<SpilledBytes::Whole> SpilledBytes::finish() {
  if (file_.valid() && fault_ == 0)
    spill();
  if (fault_ != 0)
    return failure(fault_);
  if (file_.valid()) {
    auto file = MappedFile::of(file_.number(), size_);
    if (!file)
      return failure(errno);
    return Whole{file->bytes(), file, file};
  }
  auto text = std::make_shared<std::string>();
  text->reserve(size_);
  for (; !blocks_.empty(); blocks_.pop_front())
    *text += blocks_.front();
  return Whole{*text, text, nullptr};
}

} // namespace tikc::data
