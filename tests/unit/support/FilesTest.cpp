#include "support/Files.h"
#include "support/Descriptors.h"
#include "unit/ScratchFolder.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <fstream>
#include <thread>
#include <vector>

/// Stands in the place of the system's: a signal that comes in the middle of a write.
int signalAtFlush = 0;
extern "C" int fsync(int) {
  if (signalAtFlush != 0)
    ::raise(signalAtFlush);
  return 0;
}

namespace tikc {
namespace {

namespace fs = std::filesystem;

class FilesTest : public ::testing::Test {
protected:
  fs::path file(std::string_view name, std::string_view text) const {
    std::ofstream(folder_ / name, std::ios::binary) << text;
    return folder_ / name;
  }
  static std::string contents(const fs::path& path) {
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  std::vector<std::string> names() const {
    std::vector<std::string> found;
    for (const auto& entry : fs::directory_iterator(folder_))
      found.push_back(entry.path().filename());
    std::sort(found.begin(), found.end());
    return found;
  }
  static std::string readFailure(const fs::path& path, const Limits& limits = {}) {
    auto text = readFile(path, limits);
    return text ? "read" : llvm::toString(text.takeError());
  }

  tests::ScratchFolder scratch_;
  fs::path folder_ = scratch_.path();
};

/// Puts another descriptor in the place of one of the standard ones for a while.
class Redirected {
public:
  Redirected(int standard, int replacement) : standard_(standard), saved_(::dup(standard)) {
    ::fflush(nullptr);
    ::dup2(replacement, standard);
  }
  ~Redirected() {
    ::dup2(saved_, standard_);
    ::close(saved_);
  }

private:
  int standard_;
  int saved_;
};

TEST_F(FilesTest, ReadsWhatIsThere) {
  std::string text("a\0b\r\n\xFF", 6);
  auto read = readFile(file("a", text), {});
  ASSERT_TRUE(static_cast<bool>(read));
  EXPECT_EQ(read->text, text);
  EXPECT_EQ(read->size, 6u);
  EXPECT_FALSE(read->tooLarge);
  auto empty = readFile(file("empty", ""), {});
  ASSERT_TRUE(static_cast<bool>(empty));
  EXPECT_EQ(empty->text, "");
}

TEST_F(FilesTest, FilesWithoutASizeOfTheirOwnAreReadToTheEnd) {
  auto read = readFile("/proc/self/status", {});
  ASSERT_TRUE(static_cast<bool>(read));
  EXPECT_TRUE(read->text.starts_with("Name:")) << read->text;
  EXPECT_EQ(read->size, read->text.size());
}

TEST_F(FilesTest, ReadingStopsAtTheLimit) {
  Limits limits;
  limits.fileBytes = 10;
  auto exact = readFile(file("exact", "0123456789"), limits);
  ASSERT_TRUE(static_cast<bool>(exact));
  EXPECT_FALSE(exact->tooLarge);
  EXPECT_EQ(exact->text, "0123456789");
  auto over = readFile(file("over", "0123456789a"), limits);
  ASSERT_TRUE(static_cast<bool>(over));
  EXPECT_TRUE(over->tooLarge);
  EXPECT_EQ(over->text, "0123456789");
  EXPECT_EQ(over->size, 11u);

  fs::path huge = file("huge", "");
  fs::resize_file(huge, std::uintmax_t{100} << 30);
  auto read = readFile(huge, limits);
  ASSERT_TRUE(static_cast<bool>(read));
  EXPECT_TRUE(read->tooLarge);
  EXPECT_EQ(read->text.size(), 10u);
  EXPECT_LT(read->text.capacity(), 1000u);
  EXPECT_EQ(read->size, std::uint64_t{100} << 30);
}

TEST_F(FilesTest, SaysWhyAFileCannotBeRead) {
  EXPECT_EQ(readFailure(folder_ / "none"),
            "cannot read `" + (folder_ / "none").string() + "`: No such file or directory");
  EXPECT_EQ(readFailure(folder_), "cannot read `" + folder_.string() + "`: it is a folder");
  EXPECT_EQ(readFailure("/dev/null"), "cannot read `/dev/null`: it is not a regular file");
  EXPECT_EQ(readFailure(file("f", "") / "below"),
            "cannot read `" + (folder_ / "f/below").string() + "`: Not a directory");
  fs::create_symlink("loop", folder_ / "loop");
  EXPECT_EQ(readFailure(folder_ / "loop"),
            "cannot read `" + (folder_ / "loop").string() + "`: Too many levels of symbolic links");
  EXPECT_EQ(readFailure("evil\x1B[31m\n"),
            "cannot read `evil\\u{1B}[31m\\u{A}`: No such file or directory");
  EXPECT_EQ(readFailure(""), "cannot read ``: No such file or directory");
  auto error = readFile(folder_, {}).takeError();
  EXPECT_EQ(llvm::errorToErrorCode(std::move(error)), std::errc::is_a_directory);
}

TEST_F(FilesTest, APipeWithoutAWriterDoesNotHang) {
  fs::path fifo = folder_ / "fifo";
  ASSERT_EQ(::mkfifo(fifo.c_str(), 0600), 0);
  EXPECT_TRUE(readFailure(fifo).ends_with("it is not a regular file")) << readFailure(fifo);
}

TEST_F(FilesTest, StandardInputIsReadToItsEnd) {
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  std::string text(300'000, 'x');
  std::thread writer([&] {
    for (std::size_t at = 0; at < text.size(); at += 1000)
      ASSERT_EQ(::write(ends[1], text.data() + at, 1000), 1000);
    ::close(ends[1]);
  });
  // As a parent may leave it: without blocking.
  ::fcntl(ends[0], F_SETFL, O_NONBLOCK);
  Redirected input(STDIN_FILENO, ends[0]);
  auto read = readStandardInput({});
  writer.join();
  ::close(ends[0]);
  ASSERT_TRUE(static_cast<bool>(read));
  EXPECT_EQ(read->text, text);
  EXPECT_FALSE(read->tooLarge);
}

TEST_F(FilesTest, EndlessStandardInputStopsAtTheLimit) {
  int zero = ::open("/dev/zero", O_RDONLY);
  Redirected input(STDIN_FILENO, zero);
  ::close(zero);
  Limits limits;
  limits.fileBytes = 100'000;
  auto read = readStandardInput(limits);
  ASSERT_TRUE(static_cast<bool>(read));
  EXPECT_TRUE(read->tooLarge);
  EXPECT_EQ(read->text.size(), 100'000u);
}

TEST_F(FilesTest, AFolderAsStandardInputIsAnError) {
  int folder = ::open(folder_.c_str(), O_RDONLY);
  Redirected input(STDIN_FILENO, folder);
  ::close(folder);
  auto read = readStandardInput({});
  ASSERT_FALSE(static_cast<bool>(read));
  EXPECT_EQ(llvm::toString(read.takeError()), "cannot read standard input: Is a directory");
}

TEST_F(FilesTest, WritesANewFileAndLeavesNothingElse) {
  mode_t mask = ::umask(027);
  auto error = writeFile(folder_ / "new", "text\n");
  ::umask(mask);
  ASSERT_FALSE(static_cast<bool>(error)) << llvm::toString(std::move(error));
  EXPECT_EQ(contents(folder_ / "new"), "text\n");
  EXPECT_EQ(names(), std::vector<std::string>{"new"});
  EXPECT_EQ(fs::status(folder_ / "new").permissions(), fs::perms(0640));
}

TEST_F(FilesTest, KeepsModeAndReplacesWhole) {
  fs::path path = file("script", std::string(100'000, 'o'));
  fs::permissions(path, fs::perms(0751));
  std::ifstream reader(path);
  ASSERT_FALSE(static_cast<bool>(writeFile(path, "new")));
  EXPECT_EQ(contents(path), "new");
  EXPECT_EQ(fs::status(path).permissions(), fs::perms(0751));
  // Whoever was reading the old file still has all of it.
  std::string old{std::istreambuf_iterator<char>(reader), {}};
  EXPECT_EQ(old, std::string(100'000, 'o'));
}

TEST_F(FilesTest, WritesThroughLinks) {
  fs::create_directory(folder_ / "deep");
  file("deep/target", "old");
  fs::create_symlink("deep/target", folder_ / "inner");
  fs::create_symlink("inner", folder_ / "outer");
  fs::create_symlink("deep/fresh", folder_ / "dangling");
  ASSERT_FALSE(static_cast<bool>(writeFile(folder_ / "outer", "new")));
  ASSERT_FALSE(static_cast<bool>(writeFile(folder_ / "dangling", "fresh")));
  EXPECT_TRUE(fs::is_symlink(folder_ / "outer"));
  EXPECT_TRUE(fs::is_symlink(folder_ / "inner"));
  EXPECT_TRUE(fs::is_symlink(folder_ / "dangling"));
  EXPECT_EQ(contents(folder_ / "deep/target"), "new");
  EXPECT_EQ(contents(folder_ / "deep/fresh"), "fresh");
}

TEST_F(FilesTest, WritesATextInSteps) {
  const std::string large(200'000, 'l'), small(40'000, 's');
  const std::vector<std::string_view> steps = {"", small, small, "x", large, "", small, "y"};
  auto all = [&](TakeText take) { return std::all_of(steps.begin(), steps.end(), take); };
  ASSERT_FALSE(static_cast<bool>(writeFileInSteps(folder_ / "steps", all)));
  EXPECT_EQ(contents(folder_ / "steps"), small + small + "x" + large + small + "y");
  ASSERT_FALSE(static_cast<bool>(writeFileInSteps(folder_ / "steps", [](auto) { return true; })));
  EXPECT_EQ(contents(folder_ / "steps"), "");
}

TEST_F(FilesTest, ATextThatIsNotHandedOverReplacesNothing) {
  const fs::path path = file("kept", "old");
  auto half = [](TakeText take) {
    take("new");
    errno = EIO;
    return false;
  };
  auto error = writeFileInSteps(path, half);
  ASSERT_TRUE(static_cast<bool>(error));
  llvm::consumeError(std::move(error));
  EXPECT_EQ(contents(path), "old");
}

TEST_F(FilesTest, AnUnnamedFileIsNotInItsFolder) {
  const Descriptor unnamed = openUnnamed(folder_);
  ASSERT_TRUE(unnamed.valid());
  EXPECT_TRUE(fs::is_empty(folder_));
  ASSERT_TRUE(writeAll(unnamed.number(), "text"));
  char read[4] = {};
  ASSERT_EQ(::pread(unnamed.number(), read, sizeof read, 0), 4);
  EXPECT_EQ(std::string(read, sizeof read), "text");
  EXPECT_FALSE(openUnnamed(folder_ / "missing").valid());
}

TEST_F(FilesTest, TheFolderOfAnOutput) {
  fs::create_directory(folder_ / "deep");
  fs::create_symlink("deep/fresh", folder_ / "link");
  EXPECT_EQ(folderOfOutput(folder_ / "fresh"), folder_);
  EXPECT_EQ(folderOfOutput(folder_ / "link"), folder_ / "deep");
  EXPECT_EQ(folderOfOutput("fresh"), ".");
  EXPECT_EQ(folderOfOutput("/dev/null"), "");
}

TEST_F(FilesTest, ARelativeNameLandsInTheWorkingFolder) {
  fs::path before = fs::current_path();
  fs::current_path(folder_);
  auto error = writeFile("plain", "text");
  fs::current_path(before);
  ASSERT_FALSE(static_cast<bool>(error)) << llvm::toString(std::move(error));
  EXPECT_EQ(contents(folder_ / "plain"), "text");
}

TEST_F(FilesTest, SeveralNamesStayOneFile) {
  fs::path path = file("first", std::string(9000, 'o'));
  fs::create_hard_link(path, folder_ / "second");
  for (const std::string& text : {std::string("short"), std::string(100'000, 'n')}) {
    ASSERT_FALSE(static_cast<bool>(writeFile(path, text)));
    EXPECT_EQ(contents(path), text);
    EXPECT_EQ(contents(folder_ / "second"), text);
  }
  EXPECT_TRUE(fs::equivalent(path, folder_ / "second"));
  EXPECT_EQ(names(), (std::vector<std::string>{"first", "second"}));
}

/// Why a write fails part of the way: by a limit on file sizes, as on a full disk.
std::string failureHalfway(const fs::path& path) {
  auto ignored = std::signal(SIGXFSZ, SIG_IGN);
  rlimit before;
  ::getrlimit(RLIMIT_FSIZE, &before);
  rlimit small{4096, before.rlim_max};
  ::setrlimit(RLIMIT_FSIZE, &small);
  std::string reason = llvm::toString(writeFile(path, std::string(100'000, 'n')));
  ::setrlimit(RLIMIT_FSIZE, &before);
  std::signal(SIGXFSZ, ignored);
  return reason;
}

TEST_F(FilesTest, AFailedWriteLeavesAFileOfSeveralNamesAsItWas) {
  fs::path path = file("first", "old");
  fs::create_hard_link(path, folder_ / "second");
  EXPECT_EQ(failureHalfway(path), "cannot write `" + path.string() + "`: File too large");
  EXPECT_EQ(contents(folder_ / "second"), "old");
}

TEST_F(FilesTest, ASignalFindsNoHalfOfAWrite) {
  for (int signal : {SIGHUP, SIGINT, SIGTERM}) {
    file("kept", "old");
    EXPECT_EXIT(
        {
          signalAtFlush = signal;
          llvm::consumeError(writeFile(folder_ / "kept", "new"));
          std::_Exit(0);
        },
        ::testing::KilledBySignal(signal), "");
    EXPECT_EQ(contents(folder_ / "kept"), "new");
    EXPECT_EQ(names(), std::vector<std::string>{"kept"});
  }
}

TEST_F(FilesTest, AKilledWriteLeavesNothingBehind) {
  const int nameless = ::open(folder_.c_str(), O_WRONLY | O_TMPFILE, 0666);
  if (nameless < 0)
    GTEST_SKIP() << "no file without a name here";
  ::close(nameless);
  file("kept", "old");
  EXPECT_EXIT(
      {
        signalAtFlush = SIGKILL;
        llvm::consumeError(writeFile(folder_ / "kept", "new"));
      },
      ::testing::KilledBySignal(SIGKILL), "");
  EXPECT_EQ(contents(folder_ / "kept"), "old");
  EXPECT_EQ(names(), std::vector<std::string>{"kept"});
}

TEST_F(FilesTest, WhatIsOpenAlreadyIsWrittenToAndNotReplaced) {
  fs::path path = file("log", "before\n");
  int log = ::open(path.c_str(), O_WRONLY | O_APPEND);
  auto error = writeFile("/dev/fd/" + std::to_string(log), "text\n");
  ::close(log);
  ASSERT_FALSE(static_cast<bool>(error)) << llvm::toString(std::move(error));
  EXPECT_EQ(contents(path), "before\ntext\n");
  EXPECT_FALSE(static_cast<bool>(writeFile("/dev/null", "text")));
}

TEST_F(FilesTest, APipeThatIsOpenIsReadByItsPath) {
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  ASSERT_EQ(::write(ends[1], "text", 4), 4);
  ::close(ends[1]);
  std::string path = "/dev/fd/" + std::to_string(ends[0]);
  EXPECT_TRUE(namesStream(path));
  auto read = readFile(path, {});
  ::close(ends[0]);
  ASSERT_TRUE(static_cast<bool>(read));
  EXPECT_EQ(read->text, "text");
  int plain = ::open(file("plain", "").c_str(), O_RDONLY);
  for (const std::string& other : {"/dev/fd/" + std::to_string(plain), std::string("/dev/fd/9999"),
                                   std::string("/dev/fd/x"), std::string("/dev/fd/")})
    EXPECT_FALSE(namesStream(other)) << other;
  ::close(plain);
}

TEST_F(FilesTest, SaysWhyAFileCannotBeWritten) {
  auto failure = [](const fs::path& path) { return llvm::toString(writeFile(path, "x")); };
  EXPECT_TRUE(failure(folder_ / "no/such")
                  .ends_with("`: folder `" + (folder_ / "no").string() + "` does not exist"));
  EXPECT_TRUE(failure(folder_).ends_with("`: it is a folder"));
  EXPECT_TRUE(failure(folder_ / "").ends_with("`: it is a folder"));
  EXPECT_TRUE(failure(folder_ / "new" / "").ends_with("`: it names no file"));
  EXPECT_TRUE(failure("").ends_with("`: it names no file"));
  EXPECT_TRUE(failure("/dev/full").ends_with("`: No space left on device"));
  fs::create_symlink("loop", folder_ / "loop");
  EXPECT_TRUE(failure(folder_ / "loop").ends_with("`: Too many levels of symbolic links"));
  // No one may create files here, root neither.
  EXPECT_TRUE(failure("/proc/self/x").starts_with("cannot write `/proc/self/x`: "))
      << failure("/proc/self/x");
}

/// Why a user without privileges cannot write the file. Root may write anywhere, so the write is
/// made by a child that has given its rights up.
std::string failureOfAnOrdinaryUser(const fs::path& path) {
  int ends[2];
  if (::pipe(ends) != 0)
    return "no pipe";
  pid_t child = ::fork();
  if (child == 0) {
    constexpr id_t nobody = 65534;
    bool dropped = ::geteuid() != 0 || (::setgid(nobody) == 0 && ::setuid(nobody) == 0);
    std::string reason = dropped ? llvm::toString(writeFile(path, "new")) : "rights were kept";
    ssize_t put = ::write(ends[1], reason.data(), reason.size());
    ::_exit(put < 0);
  }
  ::close(ends[1]);
  std::string reason(4096, '\0');
  ssize_t got = ::read(ends[0], reason.data(), reason.size());
  reason.resize(got < 0 ? 0 : static_cast<std::size_t>(got));
  ::close(ends[0]);
  ::waitpid(child, nullptr, 0);
  return reason;
}

TEST_F(FilesTest, AFileThatItsOwnerProtectedIsNotReplaced) {
  fs::permissions(folder_, fs::perms(0777));
  fs::path path = file("protected", "old");
  fs::permissions(path, fs::perms(0444));
  EXPECT_EQ(failureOfAnOrdinaryUser(path),
            "cannot write `" + path.string() + "`: Permission denied");
  EXPECT_EQ(contents(path), "old");
}

TEST_F(FilesTest, AReadOnlyFolderIsReported) {
  fs::permissions(folder_, fs::perms(0555));
  fs::path path = folder_ / "new";
  EXPECT_EQ(failureOfAnOrdinaryUser(path),
            "cannot write `" + path.string() + "`: Permission denied");
  fs::permissions(folder_, fs::perms(0755));
  EXPECT_TRUE(names().empty());
}

TEST_F(FilesTest, AFailedWriteLeavesTheOldFileAndNoTemporary) {
  fs::path path = file("kept", "old");
  EXPECT_EQ(failureHalfway(path), "cannot write `" + path.string() + "`: File too large");
  EXPECT_EQ(contents(path), "old");
  EXPECT_EQ(names(), std::vector<std::string>{"kept"});
}

TEST_F(FilesTest, AFullDiskBehindStandardOutputIsReported) {
  int full = ::open("/dev/full", O_WRONLY);
  ASSERT_GE(full, 0);
  std::string reason;
  {
    Redirected output(STDOUT_FILENO, full);
    reason = llvm::toString(writeStandardOutput("text"));
  }
  ::close(full);
  EXPECT_EQ(reason, "cannot write standard output: No space left on device");
}

TEST_F(FilesTest, AClosedPipeIsItsOwnError) {
  auto ignored = std::signal(SIGPIPE, SIG_IGN);
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  ::close(ends[0]);
  llvm::Error error = llvm::Error::success();
  {
    Redirected output(STDOUT_FILENO, ends[1]);
    llvm::consumeError(std::move(error));
    error = writeStandardOutput("text");
  }
  ::close(ends[1]);
  std::signal(SIGPIPE, ignored);
  EXPECT_TRUE(error.isA<ClosedPipe>());
  EXPECT_EQ(llvm::errorToErrorCode(std::move(error)), std::errc::broken_pipe);
}

TEST_F(FilesTest, StandardOutputGetsAllOfALongText) {
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  ::fcntl(ends[1], F_SETFL, O_NONBLOCK);
  std::string text(1 << 20, 'y');
  std::string got;
  std::thread reader([&] {
    char buffer[4096];
    for (ssize_t size; (size = ::read(ends[0], buffer, sizeof buffer)) > 0;)
      got.append(buffer, static_cast<std::size_t>(size));
  });
  {
    Redirected output(STDOUT_FILENO, ends[1]);
    ::close(ends[1]);
    EXPECT_FALSE(static_cast<bool>(writeStandardOutput(text)));
  }
  reader.join();
  ::close(ends[0]);
  EXPECT_EQ(got, text);
}

} // namespace
} // namespace tikc
