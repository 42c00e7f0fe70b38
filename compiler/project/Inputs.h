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

/// A contract file that was read, with the settings that hold for it.
struct InputFile {
  FileId file = FileId::None;
  const Settings* settings = nullptr;
  /// Where the file was not read whole; it is not analysed then.
  std::optional<diag::Diagnostic> tooLarge;
  bool standardInput = false;
  /// Read from a pipe that a path names: there is no file to change.
  bool stream = false;
  /// Whether the command line names the file, or a folder that it lies in: not where a link found
  /// in a folder leads out of it.
  bool mayChange = true;
  /// Of a file that is here only since it extends a named one, directly or not: that one's name.
  std::string heirOf;
};

/// Turns the paths of a command line into texts. Faults of the world are gathered, so that one run
/// names them all: those of what was named, and those met on the way through folders, where the
/// rest is read all the same.
class Inputs {
public:
  /// In folders, of those that end in one of the suffixes, as ".a|.b".
  Inputs(SourceManager& sources, const Limits& limits, std::string_view suffixes = contractSuffix)
      : sources_(sources), limits_(limits), suffixes_(suffixes),
        projects_(sources, limits, suffixes) {}

  /// Overrides the root of every tikc.yaml.
  llvm::Error setRoot(const std::string& folder);
  void addPath(const std::string& path) { addPathAs(path, path); }
  /// The same, called otherwise where it is told of.
  void addPathAs(const std::string& path, const std::string& display);
  /// What may be gone, or a folder that has nothing left: that it lacks is no fault.
  void addPathIfThere(const std::string& path);
  void addStandardInput(const std::string& name);
  /// A text that is no file, as standard input is read.
  void addGivenText(std::string_view text, const std::string& name);
  void ignoreBaselines() { projects_.ignoreBaselines(); }
  /// What tikc.yaml excludes is passed over even where it is named.
  void forceExclude() { forceExclude_ = true; }
  /// Adds all contracts that extend a named file, as far as the projects of those files have them:
  /// what a change of a parent breaks is a child. Folders are not named files. A project that
  /// neither tikc.yaml nor a repository marks is not searched: nothing says how large it is.
  void addHeirs(unsigned jobs);

  /// A usage error of one line a fault of what was named; also of what was met in folders, if
  /// there is nothing else.
  llvm::Error takeErrors();
  /// The same of what was met in folders and could not be read.
  llvm::Error takeUnread();
  /// A sentence for each thing in a folder that has a contract's name and is no file.
  const std::vector<std::string>& passedOver() const { return passedOver_; }
  const std::vector<InputFile>& files() const { return files_; }
  /// Findings in the tikc.yaml files that were met.
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
  /// The index of each file; npos where it could not be read.
  std::map<std::filesystem::path, std::size_t> known_;
  std::vector<std::string> faults_, unread_, passedOver_;
  struct Named {
    std::string display;
    const Settings* settings = nullptr;
  };
  /// Files, also those that are excluded: what extends them is not.
  std::map<std::filesystem::path, Named> named_;
  bool forceExclude_ = false, mayLack_ = false;
};

} // namespace tikc::project
