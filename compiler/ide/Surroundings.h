#pragma once

#include "ide/Analysis.h"

#include <filesystem>
#include <map>
#include <set>
#include <string>

namespace tikc::ide {

/// The other texts and settings that an editor has.
class Surroundings {
public:
  virtual ~Surroundings() = default;

  /// Returns the text of an open file, which replaces the one on disk; null if it is not open.
  virtual const std::string* openText(const std::filesystem::path& path) const = 0;
  /// Returns all known contracts.
  virtual const std::set<std::filesystem::path>& files() const = 0;
  /// Returns the folder that a contract's parents must be in.
  virtual const std::filesystem::path& extendsRootOf(const std::filesystem::path& path) = 0;
};

/// Answers what a file would mean with another text.
class Supposing {
public:
  virtual ~Supposing() = default;

  /// Whether the file exists, on disk or only in the editor.
  virtual bool isThere(const std::filesystem::path& path) const = 0;
  /// Returns the analysis of a file with another text, if the given files had other texts, too.
  virtual Analysis suppose(const std::filesystem::path& path, std::string text,
                           const std::map<std::filesystem::path, std::string>& others) const = 0;
};

} // namespace tikc::ide
