#pragma once

#include <filesystem>

struct stat;

namespace tikc {

/// The files that this process has read or written, identified by inode and not by name. Nothing is
/// recorded before `keep()`; a library would never forget them.
namespace known_files {
void keep();
void add(const struct stat& file);
/// Adds a file that was just written, and so has a new inode.
void add(const std::filesystem::path& path);
bool has(const struct stat& file);
bool has(const std::filesystem::path& path);
} // namespace known_files

} // namespace tikc
