#include "support/Programs.h"

#include "support/UsageError.h"
#include "support/Utf8.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <spawn.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <thread>

extern char** environ;

namespace tikc {
namespace {

llvm::Error programFault(std::string_view program, std::string_view why) {
  return llvm::createStringError(std::make_error_code(std::errc::io_error),
                                 fmt::format("{}: {}", utf8::ticked(program), why));
}

std::string reason(int code) { return std::error_code(code, std::generic_category()).message(); }

/// A file that has no name, so that nothing of it is left whatever happens.
class Scratch {
public:
  Scratch() {
    std::error_code error;
    std::filesystem::path folder = std::filesystem::temp_directory_path(error);
    if (error)
      folder = "/tmp";
    number_ = ::open(folder.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, S_IRUSR | S_IWUSR);
    if (number_ >= 0)
      return;
    // Where the file system knows no such thing it has a name for a moment.
    std::string name = (folder / "tikc-XXXXXX").string();
    number_ = ::mkostemp(name.data(), O_CLOEXEC);
    if (number_ >= 0)
      ::unlink(name.c_str());
  }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  ~Scratch() {
    if (number_ >= 0)
      ::close(number_);
  }

  int number() const { return number_; }
  bool valid() const { return number_ >= 0; }

  bool fill(std::string_view text) const {
    while (!text.empty()) {
      ssize_t count = ::write(number_, text.data(), text.size());
      if (count < 0 && errno == EINTR)
        continue;
      if (count <= 0)
        return false;
      text.remove_prefix(static_cast<std::size_t>(count));
    }
    return ::lseek(number_, 0, SEEK_SET) == 0;
  }
  std::uint64_t size() const {
    struct stat about {};
    return ::fstat(number_, &about) == 0 ? static_cast<std::uint64_t>(about.st_size) : 0;
  }
  std::string text() const {
    std::string out(size(), '\0');
    std::size_t read = 0;
    while (read < out.size()) {
      ssize_t count =
          ::pread(number_, out.data() + read, out.size() - read, static_cast<off_t>(read));
      if (count < 0 && errno == EINTR)
        continue;
      if (count <= 0)
        break;
      read += static_cast<std::size_t>(count);
    }
    out.resize(read);
    return out;
  }

private:
  int number_ = -1;
};

struct Channels {
  Scratch input, output, complaint;

  bool valid() const { return input.valid() && output.valid() && complaint.valid(); }
};

/// As the system wants them: it changes none.
std::vector<char*> pointersTo(const std::vector<std::string>& words) {
  std::vector<char*> out;
  out.reserve(words.size() + 1);
  for (const std::string& word : words)
    out.push_back(const_cast<char*>(word.c_str()));
  out.push_back(nullptr);
  return out;
}

/// The number of the process, or the system's reason.
llvm::Expected<pid_t> start(const std::vector<std::string>& words,
                            const std::vector<std::string>& added, const Channels& channels) {
  std::vector<char*> arguments = pointersTo(words), variables = pointersTo(added);
  for (char** each = environ; *each; ++each)
    variables.insert(variables.end() - 1, *each);
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawnattr_init(&attributes);
  ::posix_spawn_file_actions_adddup2(&actions, channels.input.number(), STDIN_FILENO);
  ::posix_spawn_file_actions_adddup2(&actions, channels.output.number(), STDOUT_FILENO);
  ::posix_spawn_file_actions_adddup2(&actions, channels.complaint.number(), STDERR_FILENO);
  // What this process ignores is no business of the other's.
  sigset_t signals;
  ::sigemptyset(&signals);
  ::sigaddset(&signals, SIGPIPE);
  ::sigaddset(&signals, SIGXFSZ);
  ::posix_spawnattr_setsigdefault(&attributes, &signals);
  ::posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF);
  pid_t process = 0;
  int code = ::posix_spawnp(&process, arguments[0], &actions, &attributes, arguments.data(),
                            variables.data());
  ::posix_spawnattr_destroy(&attributes);
  ::posix_spawn_file_actions_destroy(&actions);
  // PATH may name folders that this user must not search, and then nothing says more than that.
  bool isUnsearched = code == EACCES && words[0].find('/') == std::string::npos;
  if (code == ENOENT || isUnsearched)
    return usageError(fmt::format("{} is required, but is not installed{}", words[0],
                                  isUnsearched ? " or not executable" : ""));
  if (code != 0)
    return programFault(words[0], reason(code));
  return process;
}

/// Nothing while it runs.
std::optional<int> statusOf(pid_t process, int options) {
  int status = 0;
  pid_t ended = 0;
  do
    ended = ::waitpid(process, &status, options);
  while (ended < 0 && errno == EINTR);
  if (ended == 0)
    return std::nullopt;
  return ended == process && WIFEXITED(status) ? WEXITSTATUS(status) : 128;
}

} // namespace

llvm::Expected<ProgramResult> runProgram(const std::vector<std::string>& words,
                                         std::string_view input, const ProgramLimits& limits,
                                         const std::vector<std::string>& added) {
  Channels channels;
  if (!channels.valid() || !channels.input.fill(input))
    return programFault(words[0], "no room for temporary files");
  auto process = start(words, added, channels);
  if (!process)
    return process.takeError();
  auto end = std::chrono::steady_clock::now() + limits.time;
  std::chrono::microseconds pause(200);
  std::optional<int> status;
  while (!(status = statusOf(*process, WNOHANG))) {
    bool isLate = std::chrono::steady_clock::now() > end;
    if (isLate || channels.output.size() > limits.outputBytes ||
        channels.complaint.size() > limits.outputBytes) {
      ::kill(*process, SIGKILL);
      statusOf(*process, 0);
      return programFault(words[0],
                          isLate ? fmt::format("took more than {} s", limits.time.count())
                                 : fmt::format("wrote more than {} bytes", limits.outputBytes));
    }
    std::this_thread::sleep_for(pause);
    pause = std::min(pause * 2, std::chrono::microseconds(20'000));
  }
  if (channels.output.size() > limits.outputBytes)
    return programFault(words[0], fmt::format("wrote more than {} bytes", limits.outputBytes));
  return ProgramResult{*status, channels.output.text(), channels.complaint.text()};
}

} // namespace tikc
