#pragma once

#include "diag/Sink.h"
#include "support/Limits.h"
#include "support/Source.h"

#include <llvm/Support/Error.h>

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace tikc::project {

/// What a repository says in its tikc.yaml.
struct Settings {
  /// Contracts may extend files below it only; canonical.
  std::filesystem::path root;
  std::map<diag::Code, diag::Severity> severities;
  /// Globs over paths relative to the folder of tikc.yaml; a folder that matches is passed over
  /// whole.
  std::vector<std::string> exclude;
  std::filesystem::path folder; // of tikc.yaml; the root where there is none
  /// Whether what is excluded is passed over even where it is named.
  bool forceExclude = false;
  /// Whether a tikc.yaml or a repository says where the project is.
  bool isMarked = false;
};

inline constexpr std::string_view settingsFile = "tikc.yaml";

/// Whether a tikc.yaml is in the folder, on disk or being edited.
bool hasSettings(const SourceManager& sources, const std::filesystem::path& folder);

/// The settings that hold for a folder: the nearest tikc.yaml at or above it, else those of a
/// repository's root (a folder with .git), else the folder itself. Faults of the file go to the
/// sink.
llvm::Expected<Settings> findSettings(SourceManager& sources, const std::filesystem::path& folder,
                                      const Limits& limits, diag::Sink& sink);

/// Whether an exclude pattern covers the path. `*` stays within a folder, `**` does not, a pattern
/// without a slash matches any name on the way.
bool isExcluded(const Settings& settings, const std::filesystem::path& path);

} // namespace tikc::project
