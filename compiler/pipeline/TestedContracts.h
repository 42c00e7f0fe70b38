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

/// A contract whose rules are tested, and what its router would run on.
struct TestedContract {
  std::string name; // the path and the contract
  const model::Contract* contract = nullptr;
  const bounds::Proof* proof = nullptr; // of what it claims
  plan::Plan plan;
};

/// Contracts that tests are about, each file checked once.
class TestedContracts {
public:
  /// `root` is that of --root, or empty. Who asks again and again keeps the cache.
  TestedContracts(SourceManager& sources, const Limits& limits, std::string root,
                  std::shared_ptr<CheckCache> cache = nullptr)
      : sources_(sources), limits_(limits), root_(std::move(root)), cache_(std::move(cache)) {}

  /// By a path from a folder, with `#name` where the file holds several. An error says why not, as
  /// the end of a sentence.
  llvm::Expected<TestedContract*> find(const std::filesystem::path& folder,
                                       const std::string& reference);
  /// The files that were asked for, there or not, and those that they extend.
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
