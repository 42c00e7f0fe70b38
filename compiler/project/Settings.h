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

/// How severe findings are that tikc.yaml does not name.
enum class Profile : std::uint8_t {
#define PROFILE(Name, ...) Name,
#include "project/Profiles.def"
};

struct ProfileInfo {
  Profile profile;
  std::string_view name;
  std::array<diag::Severity, 4> severities; // by what the catalogue says
  std::string_view meaning;
};

std::span<const ProfileInfo> profiles();
const ProfileInfo& info(Profile profile);

/// What a repository says in its tikc.yaml.
struct Settings {
  /// Contracts may extend files below it only; canonical.
  std::filesystem::path root;
  std::map<diag::Code, diag::Severity> severities;
  Profile profile = Profile::Default;
  /// Globs over paths relative to the folder of tikc.yaml; a folder that matches is passed over
  /// whole.
  std::vector<std::string> exclude;
  std::filesystem::path folder; // of tikc.yaml; the root where there is none
  /// Whether what is excluded is passed over even where it is named.
  bool forceExclude = false;
  /// Whether a tikc.yaml or a repository says where the project is.
  bool isMarked = false;
  /// What is passed over; null where nothing is.
  std::shared_ptr<const Baseline> baseline;

  /// How severe a finding is here that is so by the catalogue, or by what the contract says.
  diag::Severity severityOf(diag::Code code, diag::Severity severity) const;
};

inline constexpr std::string_view settingsFile = "tikc.yaml";
inline constexpr std::string_view baselineFile = "tikc-baseline.yaml";
/// Whether a file of that name says how contracts are checked.
inline bool isOfSettings(const std::filesystem::path& path) {
  return path.filename() == settingsFile || path.filename() == baselineFile;
}

/// A file of the project that is read where it lies, or as it is being edited. Nothing where there
/// is none; one that is too large is a finding, and empty.
llvm::Expected<std::optional<FileId>> readProjectFile(SourceManager& sources,
                                                      const std::filesystem::path& path,
                                                      const Limits& limits, diag::Sink& sink);

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
