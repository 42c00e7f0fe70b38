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
#include <vector>

namespace tikc::pipeline {

/// A contract whose rules are tested, with the plan of its router.
struct TestedContract {
  std::string name; // the path and the contract
  const model::Contract* contract = nullptr;
  const bounds::Proof* proof = nullptr; // of its claims
  plan::Plan plan;
};

/// The contracts that tests name. Each file is checked once.
class TestedContracts {
public:
  /// `root` is the value of --root, or empty. Keep the cache if you test repeatedly.
  TestedContracts(SourceManager& sources, const Limits& limits, std::string root,
                  std::shared_ptr<CheckCache> cache = nullptr)
      : sources_(sources), limits_(limits), root_(std::move(root)), cache_(std::move(cache)) {}

  /// Finds a contract by a path from a folder, with `#name` if the file has several. An error is
  /// the end of a sentence.
  llvm::Expected<TestedContract*> find(const std::filesystem::path& folder,
                                       const std::string& reference);
  /// Returns the requested files, existing or not, and their ancestors.
  std::vector<std::filesystem::path> files() const;

private:
  struct File {
    std::unique_ptr<project::Inputs> inputs;
    CheckedFile checked;
  };

  llvm::Expected<File*> fileOf(const std::filesystem::path& path);

  SourceManager& sources_;
  const Limits& limits_;
  std::string root_;
  std::shared_ptr<CheckCache> cache_;
  std::map<std::filesystem::path, File> files_;
  std::map<const model::Contract*, TestedContract> contracts_;
};

} // namespace tikc::pipeline
