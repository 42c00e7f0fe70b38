#include "data/Fault.h"
#include "data/arrays/Array.h"
#include "data/bytes/Crc32.h"

#include "support/UsageError.h"
#include "support/Utf8.h"

#include <fmt/format.h>
#include <llvm/ADT/StringSet.h>
#include <minizip/unzip.h>
#include <zlib.h>

#include <algorithm>
#include <cstring>

namespace tikc::data {
namespace {

/// Where the library is in bytes that it takes for a file.
struct ReadHead {
  std::string_view bytes;
  std::uint64_t at = 0;
};

ReadHead& headOf(void* stream) { return *static_cast<ReadHead*>(stream); }

zlib_filefunc64_def functionsFor(ReadHead& head) {
  zlib_filefunc64_def out = {};
  out.opaque = &head;
  out.zopen64_file = [](void* opaque, const void*, int) { return opaque; };
  out.zread_file = [](void*, void* stream, void* buffer, uLong size) -> uLong {
    ReadHead& from = headOf(stream);
    const auto count = std::min<std::uint64_t>(size, from.bytes.size() - from.at);
    std::memcpy(buffer, from.bytes.data() + from.at, count);
    from.at += count;
    return count;
  };
  out.zwrite_file = [](void*, void*, const void*, uLong) -> uLong { return 0; };
  out.ztell64_file = [](void*, void* stream) -> ZPOS64_T { return headOf(stream).at; };
  out.zseek64_file = [](void*, void* stream, ZPOS64_T offset, int origin) -> long {
    ReadHead& from = headOf(stream);
    const std::uint64_t base = origin == ZLIB_FILEFUNC_SEEK_CUR   ? from.at
                               : origin == ZLIB_FILEFUNC_SEEK_END ? from.bytes.size()
                                                                  : 0;
    if (base + offset > from.bytes.size() || base + offset < base)
      return -1;
    from.at = base + offset;
    return 0;
  };
  out.zclose_file = [](void*, void*) { return 0; };
  out.zerror_file = [](void*, void*) { return 0; };
  return out;
}

class NpzReader {
public:
  NpzReader(const std::shared_ptr<const MappedFile>& file, const DataLimits& limits)
      : file_(file), limits_(limits), head_{file->bytes()} {
    zlib_filefunc64_def functions = functionsFor(head_);
    archive_ = unzOpen2_64("", &functions);
  }
  ~NpzReader() {
    if (archive_ != nullptr)
      unzClose(archive_);
  }
  NpzReader(const NpzReader&) = delete;
  NpzReader& operator=(const NpzReader&) = delete;

  llvm::Expected<std::vector<Array>> read() {
    // The library does not open an archive that has nothing before its end.
    if (archive_ == nullptr && head_.bytes.substr(0, 4) == "PK\5\6")
      return usageError("the zip archive is empty");
    if (archive_ == nullptr)
      return usageError("the zip archive has no end; the file is truncated or still being written");
    unz_global_info64 facts = {};
    if (unzGetGlobalInfo64(archive_, &facts) != UNZ_OK || facts.number_entry > limits_.archiveFiles)
      return usageError(fmt::format("the zip archive claims to have {} files", facts.number_entry));
    std::vector<Array> out;
    llvm::StringSet<> names;
    int status = facts.number_entry == 0 ? UNZ_END_OF_LIST_OF_FILE : unzGoToFirstFile(archive_);
    for (; status == UNZ_OK; status = unzGoToNextFile(archive_)) {
      auto array = readEntry();
      if (!array)
        return array.takeError();
      if (!names.insert(array->name).second)
        return usageError(
            fmt::format("the zip archive has two files named {}", utf8::ticked(array->name)));
      out.push_back(std::move(*array));
    }
    if (status != UNZ_END_OF_LIST_OF_FILE)
      return usageError("the directory of the zip archive is damaged");
    if (out.empty())
      return usageError("the zip archive is empty");
    return out;
  }

private:
  llvm::Expected<Array> readEntry() {
    unz_file_info64 facts = {};
    char name[512] = {};
    if (unzGetCurrentFileInfo64(archive_, &facts, name, sizeof name - 1, nullptr, 0, nullptr, 0) !=
        UNZ_OK)
      return usageError("the directory of the zip archive is damaged");
    std::string_view written = name;
    if (written.ends_with("data.pkl"))
      return usageError("it is a Torch pickle; convert it with `python3 -m tikc.export`");
    auto bytes = unpackedBytes(facts, written);
    if (!bytes)
      return bytes.takeError();
    const std::string_view view = **bytes;
    auto array = readNpy(view, limits_);
    if (!array)
      return usageError(
          fmt::format("{}: {}", utf8::ticked(written), llvm::toString(array.takeError())));
    array->owner = std::move(*bytes);
    if (facts.compression_method == 0) {
      array->mapped = file_;
      array->checksum = {static_cast<std::uint32_t>(facts.crc),
                         crc32Of(0, view.substr(0, array->offset))};
    }
    if (written.ends_with(".npy"))
      written.remove_suffix(4);
    array->name = written;
    return array;
  }

  /// A view of what stands in the file as it is, whose checksum is not compared, else of what was
  /// unpacked.
  llvm::Expected<std::shared_ptr<const std::string_view>>
  unpackedBytes(const unz_file_info64& facts, std::string_view name) {
    auto lies = [&](std::string_view why) {
      return usageError(fmt::format("{} of the zip archive {}", utf8::ticked(name), why));
    };
    const std::uint64_t whole = file_->bytes().size();
    // Deflate makes at most 1032 of one.
    if (facts.compressed_size > whole || facts.uncompressed_size / 1032 > facts.compressed_size)
      return lies(fmt::format("claims to have {}, but the file has {}",
                              inBytes(facts.uncompressed_size), inBytes(whole)));
    if (facts.compression_method != 0 && facts.compression_method != Z_DEFLATED)
      return lies("is compressed in a way that NumPy does not use");
    if (unzOpenCurrentFile(archive_) != UNZ_OK)
      return lies("is not where the directory says");
    if (!ownName(facts).starts_with(name))
      return lies("has another name where the directory says it is");
    if (facts.compression_method == 0)
      return storedBytes(facts, lies);
    if (facts.uncompressed_size > limits_.arrayBytes - std::min(limits_.arrayBytes, unpacked_))
      return lies(fmt::format("is {} unpacked, more than {}; write it with numpy.savez",
                              inBytes(facts.uncompressed_size), inBytes(limits_.arrayBytes)));
    unpacked_ += facts.uncompressed_size;
    struct Unpacked {
      std::string bytes;
      std::string_view view;
    };
    auto out = std::make_shared<Unpacked>();
    // As it comes, so that a promise alone costs nothing, and a small array no more than its size:
    // an archive may have many.
    for (int count = 1; count > 0;) {
      const std::size_t size = out->bytes.size();
      const std::uint64_t left = facts.uncompressed_size - size;
      const auto step = static_cast<unsigned>(std::min<std::uint64_t>(1u << 20, left + 1));
      out->bytes.resize(size + step);
      count = unzReadCurrentFile(archive_, out->bytes.data() + size, step);
      out->bytes.resize(size + static_cast<std::size_t>(std::max(count, 0)));
      if (count < 0 || out->bytes.size() > facts.uncompressed_size)
        return lies("is damaged");
    }
    if (unzCloseCurrentFile(archive_) != UNZ_OK || out->bytes.size() != facts.uncompressed_size)
      return lies("is damaged: checksum or size mismatch");
    out->view = out->bytes;
    return std::shared_ptr<const std::string_view>(out, &out->view);
  }

  /// The name in front of a member, which no checksum protects either.
  std::string_view ownName(const unz_file_info64& facts) const {
    const std::uint64_t end = unzGetCurrentFileZStreamPos64(archive_),
                        others = facts.size_filename +
                                 static_cast<unsigned>(unzGetLocalExtrafield(archive_, nullptr, 0));
    return end < others || end > file_->bytes().size()
               ? std::string_view()
               : file_->bytes().substr(end - others, facts.size_filename);
  }

  template <typename Lies>
  llvm::Expected<std::shared_ptr<const std::string_view>> storedBytes(const unz_file_info64& facts,
                                                                      const Lies& lies) {
    const std::uint64_t at = unzGetCurrentFileZStreamPos64(archive_);
    const std::uint64_t whole = file_->bytes().size();
    if (facts.compressed_size != facts.uncompressed_size || at > whole ||
        facts.uncompressed_size > whole - at)
      return lies(fmt::format("claims to have {}, but {} are left",
                              inBytes(facts.uncompressed_size),
                              inBytes(whole - std::min(at, whole))));
    struct Stored {
      std::shared_ptr<const MappedFile> file;
      std::string_view view;
    };
    auto out =
        std::make_shared<Stored>(Stored{file_, file_->bytes().substr(at, facts.uncompressed_size)});
    return std::shared_ptr<const std::string_view>(out, &out->view);
  }

  std::shared_ptr<const MappedFile> file_;
  DataLimits limits_;
  ReadHead head_;
  unzFile archive_ = nullptr;
  std::uint64_t unpacked_ = 0;
};

} // namespace

llvm::Expected<std::vector<Array>> readNpz(const std::shared_ptr<const MappedFile>& file,
                                           const DataLimits& limits) {
  return NpzReader(file, limits).read();
}

} // namespace tikc::data
