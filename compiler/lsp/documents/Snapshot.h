#pragma once

#include "ide/Surroundings.h"
#include "lsp/documents/WorldChecker.h"
#include "support/Edits.h"

namespace tikc::lsp {

/// An open contract or test file at one moment, with everything that it depends on. Safe on any
/// thread.
class Snapshot : public ide::Supposing {
public:
  Snapshot(std::shared_ptr<const World> world, CheckSubject subject)
      : world_(std::move(world)), subject_(std::move(subject)) {}

  const std::string& text() const { return *subject_.text; }

  /// Returns the pipeline's result. Only this thread may use the cache during the call.
  Analysis analysis(const std::shared_ptr<pipeline::CheckCache>& cache) const;

  /// Returns the text with all safe fixes that can be applied to it alone.
  std::string fixed() const;

  /// The edits that format a range, with their own sources.
  struct FormattingResult {
    std::unique_ptr<SourceManager> sources;
    std::optional<std::vector<Edit>> edits;
  };
  FormattingResult format(ide::TextRange range) const;

  bool isThere(const std::filesystem::path& path) const override;
  ide::Analysis suppose(const std::filesystem::path& path, std::string text,
                        const std::map<std::filesystem::path, std::string>& others) const override;

private:
  std::shared_ptr<const World> world_;
  CheckSubject subject_;
};

} // namespace tikc::lsp
