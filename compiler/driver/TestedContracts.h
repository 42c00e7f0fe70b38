#pragma once

#include "pipeline/Pipeline.h"
#include "project/Inputs.h"
#include "support/Limits.h"
#include "support/Source.h"

#include <llvm/Support/Error.h>

#include <filesystem>
#include <map>
#include <memory>
#include <string>

namespace tikc::driver {

/// A contract whose rules are tested, and what its router would run on.
struct TestedContract {
  std::string name; // the path and the contract
  const model::Contract* contract = nullptr;
  plan::Plan plan;
};

/// Contracts that tests are about, each file checked once.
class TestedContracts {
public:
  /// `root` is that of --root, or empty.
  TestedContracts(SourceManager& sources, const Limits& limits, std::string root)
      : sources_(sources), limits_(limits), root_(std::move(root)) {}

  /// By a path from a folder, with `#name` where the file holds several. An error says why not, as
  /// the end of a sentence.
  llvm::Expected<TestedContract*> find(const std::filesystem::path& folder,
                                       const std::string& reference);

private:
  struct File {
    std::unique_ptr<project::Inputs> inputs;
    pipeline::CheckedFile checked;
  };

  llvm::Expected<File*> fileOf(const std::filesystem::path& path);

  SourceManager& sources_;
  const Limits& limits_;
  std::string root_;
  std::map<std::filesystem::path, File> files_;
  std::map<const model::Contract*, TestedContract> contracts_;
};

} // namespace tikc::driver
