#include "data/bytes/Mapped.h"

#include "unit/data/Recorded.h"

#include <chrono>
#include <filesystem>
#include <fstream>
#include <thread>

namespace tikc::data::tests {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t size = 1 << 20;

class MappedTest : public RecordedTest {
protected:
  std::string path() const { return file("data", std::string(size, 'a')); }
  static std::shared_ptr<const MappedFile> open(const std::string& path) {
    return llvm::cantFail(MappedFile::open(path));
  }
  static void write(const std::string& path, std::size_t at, std::size_t count, char each) {
    std::fstream out(path, std::ios::in | std::ios::out | std::ios::binary);
    out.seekp(static_cast<std::streamoff>(at));
    out << std::string(count, each);
  }
  /// A clock may stand still between two writes.
  static void pass(const std::string& path) {
    fs::last_write_time(path, fs::last_write_time(path) + std::chrono::seconds(1));
  }
};

TEST_F(MappedTest, WhatGrowsIsNotRewritten) {
  const std::string name = path();
  const auto file = open(name);
  EXPECT_FALSE(file->isRewritten());
  write(name, size, 100, 'b');
  pass(name);
  EXPECT_FALSE(file->isRewritten());
}

TEST_F(MappedTest, WhatIsRewrittenAndGrowsIsRewritten) {
  const std::string name = path();
  const auto file = open(name);
  write(name, 8192, size - 2 * 8192, 'b');
  write(name, size, 100, 'b');
  pass(name);
  EXPECT_TRUE(file->isRewritten());
}

TEST_F(MappedTest, ATimeThatIsPutBackHidesNothing) {
  const std::string name = path();
  const fs::file_time_type before = fs::last_write_time(name);
  const auto file = open(name);
  write(name, 8192, size - 2 * 8192, 'b');
  // The clock of changes may tick a few hundred times a second only.
  for (int i = 0; i < 1'000 && !file->isRewritten(); ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
    fs::last_write_time(name, before);
  }
  EXPECT_TRUE(file->isRewritten());
}

TEST_F(MappedTest, ANewNameIsNoRewrite) {
  const std::string name = path();
  const auto file = open(name);
  fs::rename(name, name + ".old");
  EXPECT_FALSE(file->isRewritten());
}

TEST_F(MappedTest, WhatShrinksIsRewritten) {
  const std::string name = path();
  const auto file = open(name);
  fs::resize_file(name, size / 2);
  pass(name);
  EXPECT_TRUE(file->isRewritten());
}

} // namespace
} // namespace tikc::data::tests
