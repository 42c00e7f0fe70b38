#pragma once

#include "diag/Diagnostic.h"
#include "pipeline/Projects.h"
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

namespace tikc::pipeline {

/// A contract file that was read, with the settings that hold for it.
struct Input {
  FileId file = FileId::None;
  const Settings* settings = nullptr;
  /// Where the file was not read whole; it is not analysed then.
  std::optional<diag::Diagnostic> tooLarge;
  bool standardInput = false;
  /// Whether the command line names the file, or a folder that it lies in: not where a link found
  /// in a folder leads out of it.
  bool mayChange = true;
};

/// Turns the paths of a command line into texts. Faults of the world are gathered, so that one run
/// names them all.
class Inputs {
public:
  Inputs(SourceManager& sources, const Limits& limits)
      : sources_(sources), limits_(limits), projects_(sources, limits) {}

  /// Overrides the root of every tikc.yaml.
  llvm::Error setRoot(const std::string& folder);
  void addPath(const std::string& path);
  void addStandardInput(const std::string& name);

  /// A usage error of one line a fault.
  llvm::Error takeErrors();
  const std::vector<Input>& files() const { return files_; }
  /// Findings in the tikc.yaml files that were met.
  const std::vector<diag::Diagnostic>& settingsFindings() const { return projects_.findings(); }

private:
  void addFile(const std::string& display, const std::filesystem::path& path,
               const std::filesystem::path& start, bool mayChange);
  void addFolder(const std::string& display, const std::filesystem::path& path);
  bool addText(const std::string& display, const std::filesystem::path& path,
               const std::filesystem::path& folder, const std::filesystem::path& start,
               llvm::Expected<FileText> text);
  void takeFaults();

  SourceManager& sources_;
  const Limits& limits_;
  Projects projects_;
  std::vector<Input> files_;
  /// The index of each file; npos where it could not be read.
  std::map<std::filesystem::path, std::size_t> known_;
  std::vector<std::string> faults_;
};

} // namespace tikc::pipeline
