#include "gate/StateFile.h"

#include "support/Files.h"
#include "support/Limits.h"
#include "support/UsageError.h"
#include "support/Utf8.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

namespace tikc::gate {
namespace {

/// It grows with decisions and the pieces that they rest on.
constexpr std::uint32_t mostStateBytes = 1U << 30;

llvm::Error whyNotLocked(const std::filesystem::path& path) {
  const std::error_code error(errno, std::generic_category());
  return usageError(
      fmt::format("cannot lock {}: {}", utf8::tickedPath(path.string()), error.message()));
}

} // namespace

StateFile::StateFile(StateFile&& other) noexcept
    : state(std::move(other.state)), path_(std::move(other.path_)),
      lock_(std::exchange(other.lock_, -1)) {}

StateFile::~StateFile() {
  if (lock_ >= 0)
    ::close(lock_);
}

llvm::Expected<StateFile> StateFile::open(const std::filesystem::path& path,
                                          const std::string& contract, bool mayBegin) {
  const std::string lock = path.string() + ".lock";
  std::error_code error;
  // A folder that is not there, or a name that is mistyped, is to leave no lock behind.
  if (!std::filesystem::exists(path, error) && !mayBegin)
    return usageError(
        fmt::format("state {} not found; use --new to create it", utf8::tickedPath(path.string())));
  // A device or a folder keeps none, and is to have no lock beside it, either.
  if (std::filesystem::exists(path, error) && !std::filesystem::is_regular_file(path, error))
    return usageError(
        fmt::format("invalid state {}: expected a regular file", utf8::tickedPath(path.string())));
  StateFile out(path, ::open(lock.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666));
  if (out.lock_ < 0)
    return whyNotLocked(lock);
  while (::flock(out.lock_, LOCK_EX) != 0)
    if (errno != EINTR)
      return whyNotLocked(lock);
  if (!std::filesystem::exists(path, error)) {
    out.state.contract = contract;
    return out;
  }
  Limits limits;
  limits.fileBytes = mostStateBytes;
  auto file = readFile(path, limits);
  if (!file)
    return usageError(llvm::toString(file.takeError()));
  if (file->tooLarge)
    return usageError(fmt::format("{} is larger than 1 GiB", utf8::tickedPath(path.string())));
  auto state = GateState::read(file->text, path.string());
  if (!state)
    return state.takeError();
  if (state->contract != contract)
    return usageError(fmt::format("{} belongs to the contract {}, expected {}",
                                  utf8::tickedPath(path.string()), utf8::ticked(state->contract),
                                  utf8::ticked(contract)));
  out.state = std::move(*state);
  return out;
}

llvm::Error StateFile::save() const { return writeFile(path_, state.bytes()); }

} // namespace tikc::gate
