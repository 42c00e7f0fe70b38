#pragma once

#include "ide/Analysis.h"

#include <filesystem>
#include <map>
#include <set>
#include <string>

namespace tikc::ide {

/// What an editor has beside the text that is asked about.
class Surroundings {
public:
  virtual ~Surroundings() = default;

  /// The text of a file that is open, which stands for the one on disk; null where none is.
  virtual const std::string* openText(const std::filesystem::path& path) const = 0;
  /// All contracts that are known.
  virtual const std::set<std::filesystem::path>& files() const = 0;
  /// The folder that a contract's parents may lie below.
  virtual const std::filesystem::path& extendsRootOf(const std::filesystem::path& path) = 0;
};

/// What there is, and what it would mean if it were otherwise.
class Supposing {
public:
  virtual ~Supposing() = default;

  /// Whether there is such a file, be it only in the editor.
  virtual bool isThere(const std::filesystem::path& path) const = 0;
  /// What a file would mean with a text, if these others had other texts, too.
  virtual Analysis suppose(const std::filesystem::path& path, std::string text,
                           const std::map<std::filesystem::path, std::string>& others) const = 0;
};

} // namespace tikc::ide
