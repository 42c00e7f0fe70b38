#include "data/Fault.h"
#include "data/arrays/Array.h"
#include "data/bytes/Crc32.h"
#include "data/bytes/Spilled.h"

#include "support/UsageError.h"
#include "support/Utf8.h"

#include <fmt/format.h>
#include <llvm/ADT/StringSet.h>
#include <minizip/unzip.h>
#include <zlib.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <optional>

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
    std::vector<Member> members;
    llvm::StringSet<> names;
    int status = facts.number_entry == 0 ? UNZ_END_OF_LIST_OF_FILE : unzGoToFirstFile(archive_);
    for (; status == UNZ_OK; status = unzGoToNextFile(archive_)) {
      auto member = readMember();
      if (!member)
        return member.takeError();
      members.push_back(std::move(*member));
    }
    if (status != UNZ_END_OF_LIST_OF_FILE)
      return usageError("the directory of the zip archive is damaged");
    if (members.empty())
      return usageError("the zip archive is empty");
    auto unpacked = unpacked_.finish();
    if (!unpacked)
      return unpacked.takeError();
    std::vector<Array> out;
    for (const Member& each : members) {
      auto array = arrayOf(each, *unpacked);
      if (!array)
        return array.takeError();
      if (!names.insert(array->name).second)
        return usageError(
            fmt::format("the zip archive has two files named {}", utf8::ticked(array->name)));
      out.push_back(std::move(*array));
    }
    return out;
  }

private:
  /// Where the bytes of a member are: in the file as they are, or among what was unpacked.
  struct Member {
    std::string name;
    bool isStored = false;
    std::uint64_t begin = 0, size = 0;
    std::uint32_t checksum = 0;
  };

  llvm::Expected<Member> readMember() {
    const auto entry = entryAt(unzGetOffset64(archive_));
    if (!entry)
      return usageError("the directory of the zip archive is damaged");
    if (entry->name.ends_with("data.pkl"))
      return usageError("it is a Torch pickle; convert it with `python3 -m tikc.export`");
    return locate(*entry);
  }

  /// A member as the directory describes it. The library does not read sizes and places beyond
  /// 4 GiB.
  struct Entry {
    std::string_view name;
    std::uint32_t flags = 0, method = 0, checksum = 0;
    std::uint64_t packed = 0, size = 0, local = 0;
  };
  static constexpr std::uint32_t isElsewhere = 0xFFFF'FFFF; // in an extra field of Zip64

  /// A little-endian number of the archive; the caller knows that it is there.
  std::uint64_t number(std::uint64_t at, std::size_t size) const {
    std::uint64_t out = 0;
    std::memcpy(&out, head_.bytes.data() + at, size);
    return out;
  }
  std::string_view part(std::uint64_t at, std::uint64_t size) const {
    const std::string_view bytes = head_.bytes;
    return at <= bytes.size() && size <= bytes.size() - at ? bytes.substr(at, size)
                                                           : std::string_view();
  }

  std::optional<Entry> entryAt(std::uint64_t at) const {
    constexpr std::uint64_t fixed = 46;
    if (!part(at, fixed).starts_with("PK\1\2"))
      return std::nullopt;
    Entry out;
    out.flags = static_cast<std::uint32_t>(number(at + 8, 2));
    out.method = static_cast<std::uint32_t>(number(at + 10, 2));
    out.checksum = static_cast<std::uint32_t>(number(at + 16, 4));
    out.packed = number(at + 20, 4);
    out.size = number(at + 24, 4);
    out.local = number(at + 42, 4);
    const std::uint64_t nameSize = number(at + 28, 2), extraSize = number(at + 30, 2);
    out.name = part(at + fixed, nameSize);
    const std::string_view extra = part(at + fixed + nameSize, extraSize);
    if (out.name.size() != nameSize || extra.size() != extraSize)
      return std::nullopt;
    return takeWide(at + fixed + nameSize, extraSize, out) ? std::optional(out) : std::nullopt;
  }

  /// Takes numbers that need 64 bits from the extra fields.
  bool takeWide(std::uint64_t at, std::uint64_t size, Entry& out) const {
    constexpr std::uint64_t zip64 = 1;
    std::vector<std::uint64_t*> wide;
    for (std::uint64_t* each : {&out.size, &out.packed, &out.local})
      if (*each == isElsewhere)
        wide.push_back(each);
    const std::uint64_t end = at + size;
    while (!wide.empty() && end - at >= 4) {
      const std::uint64_t id = number(at, 2), length = number(at + 2, 2);
      at += 4;
      if (length > end - at)
        return false;
      if (id != zip64) {
        at += length;
        continue;
      }
      if (length < 8 * wide.size())
        return false;
      for (std::uint64_t* each : wide) {
        *each = number(at, 8);
        at += 8;
      }
      return true;
    }
    return wide.empty();
  }

  /// Where a member's bytes begin, if its own header says the same as the directory; this header
  /// has no checksum.
  std::optional<std::uint64_t> beginOf(const Entry& entry) const {
    constexpr std::uint64_t fixed = 30, sizesFollow = 8;
    const std::uint64_t at = entry.local;
    if (!part(at, fixed).starts_with("PK\3\4"))
      return std::nullopt;
    const bool isSized = (number(at + 6, 2) & sizesFollow) == 0;
    auto agrees = [&](std::uint64_t there, std::uint64_t wanted) {
      return !isSized || there == wanted || there == isElsewhere;
    };
    const std::uint64_t nameSize = number(at + 26, 2);
    const bool isSame =
        number(at + 8, 2) == entry.method && part(at + fixed, nameSize) == entry.name &&
        (!isSized || number(at + 14, 4) == entry.checksum) &&
        agrees(number(at + 18, 4), entry.packed) && agrees(number(at + 22, 4), entry.size);
    return isSame ? std::optional(at + fixed + nameSize + number(at + 28, 2)) : std::nullopt;
  }

  /// The checksum of a member that stands in the file as it is is compared while it is read.
  llvm::Expected<Array> arrayOf(const Member& member, const SpilledBytes::Whole& unpacked) const {
    const std::string_view bytes =
        (member.isStored ? file_->bytes() : unpacked.bytes).substr(member.begin, member.size);
    auto array = readNpy(bytes, limits_);
    if (!array)
      return usageError(
          fmt::format("{}: {}", utf8::ticked(member.name), llvm::toString(array.takeError())));
    array->owner = member.isStored ? std::shared_ptr<const void>(file_) : unpacked.kept;
    array->mapped = member.isStored ? file_ : unpacked.file;
    if (member.isStored)
      array->checksum = {member.checksum, crc32Of(0, bytes.substr(0, array->offset))};
    std::string_view written = member.name;
    if (written.ends_with(".npy"))
      written.remove_suffix(4);
    array->name = written;
    return array;
  }

  llvm::Expected<Member> locate(const Entry& entry) {
    auto lies = [&](std::string_view why) {
      return usageError(fmt::format("{} of the zip archive {}", utf8::ticked(entry.name), why));
    };
    const std::uint64_t whole = file_->bytes().size();
    // Deflate makes at most 1032 of one.
    if (entry.packed > whole || entry.size / 1032 > entry.packed)
      return lies(fmt::format("claims to have {}, but the file has {}", inBytes(entry.size),
                              inBytes(whole)));
    if (entry.method != 0 && entry.method != Z_DEFLATED)
      return lies("is compressed in a way that NumPy does not use");
    if ((entry.flags & 1) != 0)
      return lies("is encrypted");
    const auto begin = beginOf(entry);
    if (!begin)
      return lies("is not where the directory says, or has another name or size there");
    if (entry.packed > whole - std::min(*begin, whole) ||
        (entry.method == 0 && entry.packed != entry.size))
      return lies(fmt::format("claims to have {}, but {} are left", inBytes(entry.size),
                              inBytes(whole - std::min(*begin, whole))));
    if (entry.method == 0)
      return Member{std::string(entry.name), true, *begin, entry.size, entry.checksum};
    if (entry.size > limits_.arrayBytes - std::min(limits_.arrayBytes, unpacked_.size()))
      return lies(fmt::format("is {} unpacked, more than {}; write it with numpy.savez",
                              inBytes(entry.size), inBytes(limits_.arrayBytes)));
    const std::uint64_t at = unpacked_.size();
    if (!unpack(part(*begin, entry.packed), entry.size, entry.checksum))
      return lies("is damaged: checksum or size mismatch");
    return Member{std::string(entry.name), false, at, entry.size, 0};
  }

  /// False: it is not of this size or checksum.
  bool unpack(std::string_view packed, std::uint64_t size, std::uint32_t checksum) {
    z_stream stream = {};
    if (inflateInit2(&stream, -MAX_WBITS) != Z_OK)
      return false;
    const std::unique_ptr<z_stream, int (*)(z_stream*)> end(&stream, inflateEnd);
    step_.resize(mostInMemory);
    std::uint64_t left = size;
    std::uint32_t sum = 0;
    int status = Z_OK;
    eachStep(packed, file_.get(), [&](std::string_view step) {
      stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(step.data()));
      stream.avail_in = static_cast<uInt>(step.size());
      do {
        if (status != Z_OK && status != Z_BUF_ERROR)
          return;
        stream.next_out = reinterpret_cast<Bytef*>(step_.data());
        stream.avail_out = static_cast<uInt>(step_.size());
        status = inflate(&stream, Z_NO_FLUSH);
        const std::string_view made(step_.data(), step_.size() - stream.avail_out);
        if (made.size() > left)
          status = Z_DATA_ERROR;
        left -= std::min<std::uint64_t>(left, made.size());
        sum = crc32Of(sum, made);
        unpacked_.append(made);
        unpacked_.settle();
      } while (stream.avail_in != 0 || stream.avail_out == 0);
    });
    return status == Z_STREAM_END && left == 0 && sum == checksum;
  }

  std::shared_ptr<const MappedFile> file_;
  DataLimits limits_;
  ReadHead head_;
  unzFile archive_ = nullptr;
  // There may be thousands of archives at a time.
  static constexpr std::size_t mostInMemory = std::size_t{256} << 10;
  SpilledBytes unpacked_{{}, mostInMemory}; // all members, one after another
  std::string step_;
};

} // namespace

llvm::Expected<std::vector<Array>> readNpz(const std::shared_ptr<const MappedFile>& file,
                                           const DataLimits& limits) {
  return NpzReader(file, limits).read();
}

} // namespace tikc::data
