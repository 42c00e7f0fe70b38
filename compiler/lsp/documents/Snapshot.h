#pragma once

#include "ide/Surroundings.h"
#include "lsp/documents/WorldChecker.h"
#include "support/Edits.h"

namespace tikc::lsp {

/// An open contract, or file of tests, as it was at one moment, with all that it means. Any thread
/// may ask it.
class Snapshot : public ide::Supposing {
public:
  Snapshot(std::shared_ptr<const World> world, CheckSubject subject)
      : world_(std::move(world)), subject_(std::move(subject)) {}

  const std::string& text() const { return *subject_.text; }

  /// What the pipeline makes of it. The cache is this thread's for as long.
  Analysis analysis(const std::shared_ptr<pipeline::CheckCache>& cache) const;

  /// Its text with every safe fix that can be applied to it alone.
  std::string fixed() const;

  /// It in canonical style, as far as a range of it: the edits, in sources of their own.
  struct Formatted {
    std::unique_ptr<SourceManager> sources;
    std::optional<std::vector<Edit>> edits;
  };
  Formatted format(ide::TextRange range) const;

  bool isThere(const std::filesystem::path& path) const override;
  ide::Analysis suppose(const std::filesystem::path& path, std::string text,
                        const std::map<std::filesystem::path, std::string>& others) const override;

private:
  std::shared_ptr<const World> world_;
  CheckSubject subject_;
};

} // namespace tikc::lsp
