#pragma once

#include "ide/Analysis.h"
#include "project/Projects.h"

#include <array>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace tikc::lsp {

/// The pipeline's result for a text that the client may know.
struct Analysis : ide::Analysis {
  std::string uri;
  std::int64_t version = 0;                   // of the open document
  std::vector<std::filesystem::path> restsOn; // all files that it extends, directly or not
};

/// A text to check: a file or its replacement.
struct CheckSubject {
  std::string uri;
  std::filesystem::path path;      // empty for a text that is not a file
  std::optional<std::string> text; // otherwise from the world or the file
  const project::Settings* settings = nullptr;
};

/// An immutable state of all texts and settings, so that checks can use it for any time.
struct World {
  std::map<std::filesystem::path, std::string> texts; // of open files
  std::shared_ptr<const project::Projects> projects;  // with their settings
  std::string root;                                   // the value of --root, or empty
  Limits limits;
};

/// Returns sources with the world's texts for open files.
std::unique_ptr<SourceManager> sourcesOf(const World& world);

/// Checks a text with sources that may have others already. A text beyond tikc's size limit has
/// only that finding.
Analysis analyse(pipeline::Checker& checker, const std::shared_ptr<SourceManager>& sources,
                 const Limits& limits, std::string uri, const std::filesystem::path& path,
                 std::string text);

/// Checks texts of a world, and reads common parents once. Belongs to one thread.
class WorldChecker {
public:
  /// Returns nothing if the file does not exist.
  std::optional<Analysis> of(const std::shared_ptr<const World>& world,
                             const CheckSubject& subject);

private:
  struct Bench {
    std::shared_ptr<const World> world;
    std::shared_ptr<SourceManager> sources;
    std::map<const project::Settings*, pipeline::Checker> checkers;
    std::size_t checked = 0;
  };
  Bench& benchOf(const std::shared_ptr<const World>& world);

  /// Two, because a rename compares two worlds.
  std::array<Bench, 2> benches_;
  std::size_t last_ = 0;
  std::shared_ptr<pipeline::CheckCache> cache_ = std::make_shared<pipeline::CheckCache>();
};

} // namespace tikc::lsp
