#pragma once

#include "diag/Sink.h"
#include "support/Limits.h"
#include "support/Source.h"

#include <llvm/Support/Error.h>

#include <array>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace tikc::project {

struct Baseline;

/// The default severities of findings that tikc.yaml does not name.
enum class Profile : std::uint8_t {
#define PROFILE(Name, ...) Name,
#include "project/Profiles.def"
};

struct ProfileInfo {
  Profile profile;
  std::string_view name;
  std::array<diag::Severity, 4> severities; // by the catalogue's severity
  std::string_view meaning;
};

std::span<const ProfileInfo> profiles();
const ProfileInfo& info(Profile profile);

/// The content of a repository's tikc.yaml.
struct Settings {
  /// The folder below which contracts may extend files; canonical.
  std::filesystem::path root;
  std::map<diag::Code, diag::Severity> severities;
  Profile profile = Profile::Default;
  /// Globs over paths relative to the folder of tikc.yaml. A matching folder is skipped as a whole.
  std::vector<std::string> exclude;
  std::filesystem::path folder; // of tikc.yaml; the root if there is none
  /// Whether excluded files are skipped even if they are named.
  bool forceExclude = false;
  /// Whether a tikc.yaml or a repository marks the project.
  bool isMarked = false;
  /// The recorded findings; null if there are none.
  std::shared_ptr<const Baseline> baseline;

  /// Returns the severity of a finding, given its severity by the catalogue or the contract.
  diag::Severity severityOf(diag::Code code, diag::Severity severity) const;
};

inline constexpr std::string_view settingsFile = "tikc.yaml";
inline constexpr std::string_view baselineFile = "tikc-baseline.yaml";
/// Returns whether a file of that name configures checks.
inline bool isOfSettings(const std::filesystem::path& path) {
  return path.filename() == settingsFile || path.filename() == baselineFile;
}

/// Reads a file of the project from disk, or as it is being edited. Returns nothing if it is
/// missing. A file that is too large is reported, and read as empty.
llvm::Expected<std::optional<FileId>> readProjectFile(SourceManager& sources,
                                                      const std::filesystem::path& path,
                                                      const Limits& limits, diag::Sink& sink);

/// Returns whether a tikc.yaml is in the folder, on disk or being edited.
bool hasSettings(const SourceManager& sources, const std::filesystem::path& folder);

/// Returns the settings of a folder: the nearest tikc.yaml at or above it, else those of a
/// repository's root (a folder with .git), else the folder itself. Faults of the file go to the
/// sink.
llvm::Expected<Settings> findSettings(SourceManager& sources, const std::filesystem::path& folder,
                                      const Limits& limits, diag::Sink& sink);

/// Returns whether an exclude pattern covers the path. `*` stays within a folder, `**` does not,
/// and a pattern without a slash matches any name on the path.
bool isExcluded(const Settings& settings, const std::filesystem::path& path);

} // namespace tikc::project
