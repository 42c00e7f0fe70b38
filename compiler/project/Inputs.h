#pragma once

#include "diag/Diagnostic.h"
#include "project/Lineage.h"
#include "project/Projects.h"
#include "support/Files.h"
#include "support/Limits.h"
#include "support/Source.h"

#include <llvm/Support/Error.h>

#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace tikc::project {

/// A contract file that was read, with its settings.
struct InputFile {
  FileId file = FileId::None;
  const Settings* settings = nullptr;
  /// Set if the file was not read completely; it is not analysed then.
  std::optional<diag::Diagnostic> tooLarge;
  bool standardInput = false;
  /// Read from a named pipe, so there is no file to change.
  bool stream = false;
  /// Whether the command line names the file, or a folder that contains it. False if a link in a
  /// folder leads out of it.
  bool mayChange = true;
  /// For a file that is included only because it extends a named one, directly or not: that file's
  /// name.
  std::string heirOf;
};

/// Reads the files that a command line names. Errors of the environment are collected, so that one
/// run reports them all. Errors inside folders do not stop the rest from being read.
class Inputs {
public:
  /// In folders, selects files with one of the suffixes, given as ".a|.b".
  Inputs(SourceManager& sources, const Limits& limits, std::string_view suffixes = contractSuffix)
      : sources_(sources), limits_(limits), suffixes_(suffixes),
        projects_(sources, limits, suffixes) {}

  /// Overrides the root of every tikc.yaml.
  llvm::Error setRoot(const std::string& folder);
  void addPath(const std::string& path) { addPathAs(path, path); }
  /// Adds a path under another name for messages.
  void addPathAs(const std::string& path, const std::string& display);
  /// Adds a path that may be missing, or a folder that may be empty, without an error.
  void addPathIfThere(const std::string& path);
  void addStandardInput(const std::string& name);
  /// Adds a text that is not a file, as if it were standard input.
  void addGivenText(std::string_view text, const std::string& name);
  void ignoreBaselines() { projects_.ignoreBaselines(); }
  /// Skips files that tikc.yaml excludes even if they are named.
  void forceExclude() { forceExclude_ = true; }
  /// Adds all contracts that extend a named file, within the projects of those files: a change of a
  /// parent may break a child. Folders are not named files. Projects without a tikc.yaml or a
  /// repository are not searched, because their size is unknown.
  void addHeirs(unsigned jobs);

  /// Returns the errors of named paths as one usage error, one per line; also those inside folders,
  /// if there are no others.
  llvm::Error takeErrors();
  /// Returns the errors inside folders.
  llvm::Error takeUnread();
  /// Messages about entries in folders that have a contract's name and are not files.
  const std::vector<std::string>& passedOver() const { return passedOver_; }
  const std::vector<InputFile>& files() const { return files_; }
  /// The findings in the tikc.yaml files that were read.
  const std::vector<diag::Diagnostic>& settingsFindings() const { return projects_.findings(); }

private:
  Lineage lineageOf(std::vector<std::filesystem::path> paths, unsigned jobs) const;
  void addFile(const std::string& display, const std::filesystem::path& path,
               const std::filesystem::path& start, bool mayChange);
  void addStream(const std::string& name);
  void addNamed(const std::string& name, const std::string& nameless,
                llvm::Expected<FileText> text);
  void addFolder(const std::string& display, const std::filesystem::path& path);
  bool addText(const std::string& display, const std::filesystem::path& path,
               const std::filesystem::path& folder, const std::filesystem::path& start,
               llvm::Expected<FileText> text);
  void takeFaults();

  SourceManager& sources_;
  const Limits& limits_;
  std::string_view suffixes_;
  Projects projects_;
  std::vector<InputFile> files_;
  /// The index of each file; npos if it could not be read.
  std::map<std::filesystem::path, std::size_t> known_;
  std::vector<std::string> faults_, unread_, passedOver_;
  struct NamedFile {
    std::string display;
    const Settings* settings = nullptr;
  };
  /// Named files, including excluded ones, since their heirs may not be excluded.
  std::map<std::filesystem::path, NamedFile> named_;
  bool forceExclude_ = false, mayLack_ = false;
};

} // namespace tikc::project
