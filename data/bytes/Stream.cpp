#include "data/bytes/Stream.h"

#include "support/Check.h"
#include "support/KnownFiles.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>
#include <vector>
#include <zlib.h>
#include <zstd.h>

namespace tikc::data {
namespace {

constexpr std::size_t blockBytes = 1u << 18;

class FileStream final : public ByteStream {
public:
  explicit FileStream(std::shared_ptr<const MappedFile> file) : file_(std::move(file)) {}

  std::size_t read(char* out, std::size_t size) override {
    const std::string_view rest = file_->bytes().substr(at_);
    const std::size_t count = std::min(size, rest.size());
    std::copy_n(rest.data(), count, out);
    at_ += count;
    if (at_ - kept_ >= MappedFile::step) {
      file_->forget(file_->bytes().substr(kept_, at_ - kept_));
      kept_ = at_;
    }
    return count;
  }

private:
  std::shared_ptr<const MappedFile> file_;
  std::size_t at_ = 0, kept_ = 0;
};

class DescriptorStream final : public ByteStream {
public:
  explicit DescriptorStream(int descriptor) : descriptor_(descriptor) {}

  std::size_t read(char* out, std::size_t size) override {
    for (;;) {
      const ssize_t count = ::read(descriptor_, out, size);
      if (count >= 0)
        return static_cast<std::size_t>(count);
      if (errno != EINTR)
        return fail(std::generic_category().message(errno));
    }
  }

private:
  int descriptor_;
};

/// A block of what is packed, refilled as it is used up.
class PackedBlock {
public:
  explicit PackedBlock(std::unique_ptr<ByteStream> inner) : inner_(std::move(inner)) {}

  /// False at the end of what is packed.
  bool fill() {
    if (!rest_.empty())
      return true;
    const std::size_t count = inner_->read(block_.data(), block_.size());
    rest_ = {block_.data(), count};
    return count != 0;
  }
  std::string_view rest() const { return rest_; }
  void use(std::size_t bytes) { rest_.remove_prefix(bytes); }
  const std::string& fault() const { return inner_->fault(); }

private:
  std::unique_ptr<ByteStream> inner_;
  std::vector<char> block_ = std::vector<char>(blockBytes);
  std::string_view rest_;
};

std::string cutOff(std::string_view packing, std::uint64_t made) {
  return fmt::format("the {} data end early, after {} unpacked bytes; the file is truncated or "
                     "still being written",
                     packing, made);
}

class GzipStream final : public ByteStream {
public:
  explicit GzipStream(std::unique_ptr<ByteStream> inner) : block_(std::move(inner)) {
    TIKC_CHECK(inflateInit2(&state_, 16 + MAX_WBITS) == Z_OK, "zlib starts");
  }
  ~GzipStream() override { inflateEnd(&state_); }
  GzipStream(const GzipStream&) = delete;
  GzipStream& operator=(const GzipStream&) = delete;

  std::size_t read(char* out, std::size_t size) override {
    if (!fault().empty())
      return 0;
    // The library counts in 32 bits.
    const std::size_t wanted = std::min<std::size_t>(size, 1u << 30);
    state_.next_out = reinterpret_cast<Bytef*>(out);
    state_.avail_out = static_cast<uInt>(wanted);
    while (state_.avail_out == wanted) {
      if (!block_.fill())
        return atEnd();
      if (isBetween_ && !startsMember())
        return fail("expected more gzip data, found something else");
      const int status = step();
      if (status == Z_STREAM_END)
        isBetween_ = inflateReset(&state_) == Z_OK;
      else if (status != Z_OK && status != Z_BUF_ERROR)
        return fail(fmt::format("the gzip data are damaged after {} unpacked bytes: {}", made_,
                                state_.msg != nullptr ? state_.msg : "no valid block"));
    }
    const std::size_t count = wanted - state_.avail_out;
    made_ += count;
    return count;
  }

private:
  std::size_t atEnd() {
    if (!block_.fault().empty())
      return fail(block_.fault());
    return isBetween_ ? 0 : fail(cutOff("gzip", made_));
  }
  /// Padding with zeros behind the last member is no member, and no fault.
  bool startsMember() {
    while (block_.fill() && block_.rest().front() == '\0')
      block_.use(1);
    if (block_.rest().empty())
      return true;
    isBetween_ = block_.rest().front() != '\x1f';
    return !isBetween_;
  }
  int step() {
    const std::string_view rest = block_.rest();
    state_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(rest.data()));
    state_.avail_in = static_cast<uInt>(rest.size());
    if (rest.empty())
      return Z_BUF_ERROR;
    const int status = inflate(&state_, Z_NO_FLUSH);
    block_.use(rest.size() - state_.avail_in);
    return status;
  }

  PackedBlock block_;
  z_stream state_ = {};
  std::uint64_t made_ = 0;
  bool isBetween_ = false; // two members, or behind the last
};

class ZstdStream final : public ByteStream {
public:
  explicit ZstdStream(std::unique_ptr<ByteStream> inner)
      : block_(std::move(inner)), state_(ZSTD_createDStream()) {
    TIKC_CHECK(state_ != nullptr, "zstd starts");
  }
  ~ZstdStream() override { ZSTD_freeDStream(state_); }
  ZstdStream(const ZstdStream&) = delete;
  ZstdStream& operator=(const ZstdStream&) = delete;

  std::size_t read(char* out, std::size_t size) override {
    if (!fault().empty())
      return 0;
    ZSTD_outBuffer made{out, size, 0};
    while (made.pos == 0) {
      const bool isFilled = block_.fill();
      ZSTD_inBuffer rest{block_.rest().data(), block_.rest().size(), 0};
      const std::size_t left = ZSTD_decompressStream(state_, &made, &rest);
      block_.use(rest.pos);
      if (ZSTD_isError(left) != 0)
        return fail(fmt::format("the zstd data are damaged after {} unpacked bytes: {}", made_,
                                ZSTD_getErrorName(left)));
      if (made.pos == 0 && !isFilled)
        return atEnd();
      isBetween_ = left == 0;
    }
    made_ += made.pos;
    return made.pos;
  }

private:
  std::size_t atEnd() {
    if (!block_.fault().empty())
      return fail(block_.fault());
    return isBetween_ ? 0 : fail(cutOff("zstd", made_));
  }

  PackedBlock block_;
  ZSTD_DStream* state_;
  std::uint64_t made_ = 0;
  bool isBetween_ = true;
};

/// A stream whose first bytes were looked at.
class LookedAtStream final : public ByteStream {
public:
  LookedAtStream(std::string start, std::unique_ptr<ByteStream> rest)
      : start_(std::move(start)), rest_(std::move(rest)) {}

  std::size_t read(char* out, std::size_t size) override {
    if (used_ < start_.size()) {
      const std::size_t count = std::min(size, start_.size() - used_);
      std::copy_n(start_.data() + used_, count, out);
      used_ += count;
      return count;
    }
    const std::size_t count = rest_->read(out, size);
    return count == 0 && !rest_->fault().empty() ? fail(rest_->fault()) : count;
  }

private:
  std::string start_;
  std::size_t used_ = 0;
  std::unique_ptr<ByteStream> rest_;
};

} // namespace

Packing packingOf(std::string_view start) {
  if (start.starts_with("\x1f\x8b"))
    return Packing::Gzip;
  // A frame, or one that says something about those that follow.
  if (start.starts_with("\x28\xb5\x2f\xfd") ||
      (start.size() >= 4 && (start[0] & '\xf0') == '\x50' && start.substr(1, 3) == "\x2a\x4d\x18"))
    return Packing::Zstd;
  return Packing::None;
}

std::string_view nameOf(Packing packing) {
  switch (packing) {
  case Packing::None:
    return "plain";
  case Packing::Gzip:
    return "gzip";
  case Packing::Zstd:
    return "zstd";
  }
  return {};
}

std::unique_ptr<ByteStream> streamOf(std::shared_ptr<const MappedFile> file) {
  return std::make_unique<FileStream>(std::move(file));
}

std::unique_ptr<ByteStream> streamOfDescriptor(int descriptor) {
  struct stat facts = {};
  if (::fstat(descriptor, &facts) == 0)
    known_files::add(facts);
  return std::make_unique<DescriptorStream>(descriptor);
}

std::unique_ptr<ByteStream> unpacked(std::unique_ptr<ByteStream> inner) {
  std::string start(4, '\0');
  std::size_t size = 0;
  for (std::size_t count = 1; size < start.size() && count != 0; size += count)
    count = inner->read(start.data() + size, start.size() - size);
  start.resize(size);
  const Packing packing = packingOf(start);
  auto whole = std::make_unique<LookedAtStream>(std::move(start), std::move(inner));
  switch (packing) {
  case Packing::None:
    return whole;
  case Packing::Gzip:
    return std::make_unique<GzipStream>(std::move(whole));
  case Packing::Zstd:
    return std::make_unique<ZstdStream>(std::move(whole));
  }
  return whole;
}

bool Window::grow() {
  if (!stream_)
    return false;
  std::size_t begin = view_.empty() ? 0 : static_cast<std::size_t>(view_.data() - buffer_.get());
  if (capacity_ - begin - view_.size() < blockBytes) {
    // Each byte moves once on average, as the room doubles or half of it is free.
    std::unique_ptr<char[]> wider;
    if (capacity_ < 2 * (view_.size() + blockBytes)) {
      capacity_ = 2 * (view_.size() + blockBytes);
      wider.reset(new char[capacity_]);
    }
    char* const to = wider ? wider.get() : buffer_.get();
    if (!view_.empty())
      std::memmove(to, view_.data(), view_.size());
    if (wider)
      buffer_ = std::move(wider);
    begin = 0;
  }
  char* const at = buffer_.get() + begin;
  const std::size_t used = begin + view_.size();
  const std::size_t count = stream_->read(at + view_.size(), capacity_ - used);
  view_ = std::string_view(at, view_.size() + count);
  return count != 0;
}

void Window::drop(std::size_t bytes) {
  if (bytes >= MappedFile::step)
    forget(bytes);
  view_.remove_prefix(bytes);
  offset_ += bytes;
}

bool Window::dropLines(std::size_t bytes) {
  if (!stream_)
    return false;
  droppedLines_ += static_cast<std::uint64_t>(
      std::count(view_.begin(), view_.begin() + static_cast<std::ptrdiff_t>(bytes), '\n'));
  drop(bytes);
  return true;
}

void Window::forget(std::size_t bytes) const {
  if (file_ != nullptr)
    file_->forget(view_.substr(0, bytes));
}

} // namespace tikc::data
