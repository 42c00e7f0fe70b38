#include "support/KnownFiles.h"

#include <mutex>
#include <set>
#include <sys/stat.h>
#include <utility>

namespace tikc::known_files {
namespace {

struct KnownFiles {
  std::mutex mutex;
  bool isAsked = false;
  std::set<std::pair<dev_t, ino_t>> files;
};

KnownFiles& known() {
  static KnownFiles out;
  return out;
}

} // namespace

void keep() { known().isAsked = true; }

void add(const struct stat& file) {
  const std::lock_guard lock(known().mutex);
  if (known().isAsked && S_ISREG(file.st_mode))
    known().files.emplace(file.st_dev, file.st_ino);
}

void add(const std::filesystem::path& path) {
  struct stat file = {};
  if (::stat(path.c_str(), &file) == 0)
    add(file);
}

bool has(const struct stat& file) {
  const std::lock_guard lock(known().mutex);
  return S_ISREG(file.st_mode) && known().files.contains({file.st_dev, file.st_ino});
}

bool has(const std::filesystem::path& path) {
  struct stat file = {};
  return ::stat(path.c_str(), &file) == 0 && has(file);
}

} // namespace tikc::known_files
