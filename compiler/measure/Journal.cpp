#include "measure/Journal.h"

#include "data/bytes/Digest.h"
#include "measure/Bytes.h"
#include "support/Descriptors.h"
#include "support/UsageError.h"
#include "support/Utf8.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

namespace tikc::measure {
namespace {

constexpr std::string_view journalMagic = "TIKCRESM";
constexpr std::uint32_t journalVersion = 3;
constexpr std::size_t journalHeader = journalMagic.size() + 4 + digestSize;

/// Nothing of what is torn.
std::optional<std::string_view> unsealed(ByteReader& from, const data::MappedFile& in) {
  const std::string_view payload = from.text();
  const data::PieceId seal = from.id();
  if (!from.isGood())
    return std::nullopt;
  data::Digest digest;
  in.each(payload, [&](std::string_view step) { digest.add(step); });
  return digest.id() == seal ? std::optional(payload) : std::nullopt;
}

/// What stands before so much content.
std::string headOf(std::size_t piece, const JournalEntry& entry, std::uint64_t content) {
  ByteWriter out;
  out.number(piece);
  out.id(entry.id);
  out.number(entry.isOfLines ? 1 : 0, 1);
  out.number(entry.files.size());
  for (const std::string& file : entry.files)
    out.text(file);
  out.number(entry.found.size());
  for (const std::string& name : entry.found)
    out.text(name);
  out.number(content);
  return out.take();
}

std::optional<std::pair<std::size_t, JournalEntry>> entryIn(std::string_view payload,
                                                            const data::MappedFile& in) {
  ByteReader from(payload);
  std::pair<std::size_t, JournalEntry> out;
  out.first = from.number();
  out.second.id = from.id();
  out.second.isOfLines = from.flag();
  for (std::uint64_t left = from.count(8); left != 0 && from.isGood(); --left)
    out.second.files.emplace_back(from.text());
  for (std::uint64_t left = from.count(8); left != 0 && from.isGood(); --left)
    out.second.found.emplace(from.text());
  out.second.content = from.text();
  out.second.file = &in;
  if (!from.isDone() || !out.second.read())
    return std::nullopt;
  return out;
}

} // namespace

llvm::Error Journal::failure(std::string_view what) const {
  const std::error_code error(errno, std::generic_category());
  return llvm::createStringError(
      error,
      fmt::format("cannot {} {}: {}", what, utf8::tickedPath(path_.string()), error.message()));
}

llvm::Expected<std::unique_ptr<Journal>> Journal::open(const std::filesystem::path& path,
                                                       const data::PieceId& about) {
  const int descriptor =
      ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_APPEND | O_NOFOLLOW, 0666);
  std::unique_ptr<Journal> out(new Journal(path, descriptor));
  if (descriptor < 0 && errno == ELOOP)
    return usageError(fmt::format("cannot resume from {}: it is a symbolic link; name its target",
                                  utf8::tickedPath(path.string())));
  if (descriptor < 0)
    return usageError(llvm::toString(out->failure("write")));
  struct stat status {};
  if (::fstat(descriptor, &status) != 0)
    return out->failure("inspect");
  if (!S_ISREG(status.st_mode))
    return usageError(fmt::format("cannot resume from {}: expected a regular file",
                                  utf8::tickedPath(path.string())));
  if (::flock(descriptor, LOCK_EX | LOCK_NB) != 0)
    return errno == EWOULDBLOCK ? usageError(fmt::format("another run is writing {}",
                                                         utf8::tickedPath(path.string())))
                                : out->failure("lock");
  if (auto error = out->load(about))
    return error;
  return out;
}

llvm::Error Journal::load(const data::PieceId& about) {
  auto file = data::MappedFile::open(path_);
  if (!file)
    return file.takeError();
  const std::string_view bytes = (*file)->bytes();
  ByteWriter header;
  header.raw(journalMagic);
  header.number(journalVersion, 4);
  header.id(about);
  const std::string begin = header.take();
  std::size_t whole = 0;
  if (bytes.size() >= journalHeader) {
    if (!bytes.starts_with(journalMagic))
      return usageError(fmt::format("{} was not written by --resume; it was left unchanged",
                                    utf8::tickedPath(path_.string())));
    if (!bytes.starts_with(begin))
      return usageError(fmt::format(
          "{} belongs to another run: the contract, the data, how they are read or judged, or the "
          "version of tikc differs; delete it or name another file to start again",
          utf8::tickedPath(path_.string())));
    ByteReader from(bytes.substr(journalHeader));
    whole = journalHeader;
    while (auto payload = unsealed(from, **file)) {
      auto entry = entryIn(*payload, **file);
      if (!entry)
        break;
      entries_.insert_or_assign(entry->first, std::move(entry->second));
      whole += 8 + payload->size() + digestSize;
    }
  } else if (!begin.starts_with(bytes)) {
    return usageError(fmt::format("{} was not written by --resume; it was left unchanged",
                                  utf8::tickedPath(path_.string())));
  }
  before_ = std::move(*file);
  if (::ftruncate(descriptor_, static_cast<off_t>(whole)) != 0)
    return failure("write");
  if (whole == 0 && !writeAll(descriptor_, begin))
    return failure("write");
  isEmpty_ = entries_.empty();
  return llvm::Error::success();
}

Journal::~Journal() {
  if (descriptor_ < 0)
    return;
  // A run that was refused before it read anything leaves no file behind.
  if (isEmpty_ && isOurs())
    ::unlink(path_.c_str());
  ::close(descriptor_);
}

bool Journal::isOurs() const {
  struct stat ours {
  }, there{};
  return ::fstat(descriptor_, &ours) == 0 && ::lstat(path_.c_str(), &there) == 0 &&
         ours.st_dev == there.st_dev && ours.st_ino == there.st_ino;
}

const JournalEntry* Journal::find(std::size_t piece) const {
  const auto at = entries_.find(piece);
  return at == entries_.end() ? nullptr : &at->second;
}

void Journal::keep(std::size_t piece, const JournalEntry& entry, const ContentBytes& content,
                   const Intake& intake) {
  if (intake.report.broken != 0 || intake.report.lost || intake.strangers != 0)
    return;
  const std::string head = headOf(piece, entry, content.size());
  ByteWriter size;
  size.number(head.size() + content.size());
  const std::lock_guard lock(mutex_);
  // Behind what is torn nothing would be found.
  auto write = [&](std::string_view bytes) {
    if (fault_ == 0 && !writeAll(descriptor_, bytes))
      fault_ = errno;
  };
  data::Digest seal;
  auto writeSealed = [&](std::string_view bytes) {
    seal.add(bytes);
    write(bytes);
  };
  isEmpty_ = false;
  write(size.bytes());
  writeSealed(head);
  if (auto error = content.each(writeSealed); error && fault_ == 0)
    fault_ = llvm::errorToErrorCode(std::move(error)).value();
  else
    llvm::consumeError(std::move(error));
  write(bytesOf(seal.id()));
}

llvm::Error Journal::finish() {
  errno = fault_;
  if (fault_ != 0)
    return failure("write");
  if (isOurs() && ::unlink(path_.c_str()) != 0)
    return failure("remove");
  return llvm::Error::success();
}

} // namespace tikc::measure
