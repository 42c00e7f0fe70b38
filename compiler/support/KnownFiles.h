#pragma once

#include <filesystem>

struct stat;

namespace tikc {

/// The files that this process read or wrote, by what they are and not by what they are called.
/// Only a program that begins with `keep()` keeps any; a library would never forget them.
namespace known_files {
void keep();
void add(const struct stat& file);
/// Of a file that was written, which has come to be another one by that.
void add(const std::filesystem::path& path);
bool has(const std::filesystem::path& path);
} // namespace known_files

} // namespace tikc
