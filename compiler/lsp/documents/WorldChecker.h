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

/// What the pipeline made of a text that the client may know.
struct Analysis : ide::Analysis {
  std::string uri;
  std::int64_t version = 0;                   // of the open document
  std::vector<std::filesystem::path> restsOn; // files that it extends, however far
};

/// A text to be checked: a file, or what stands for one.
struct CheckSubject {
  std::string uri;
  std::filesystem::path path;      // empty where it is no file
  std::optional<std::string> text; // else what the world has, or the file
  const project::Settings* settings = nullptr;
};

/// What counts at one moment. Nobody changes it; who checks by it may take his time.
struct World {
  std::map<std::filesystem::path, std::string> texts; // of files that are open
  std::shared_ptr<const project::Projects> projects;  // whose settings they are
  std::string root;                                   // that of --root, or empty
  Limits limits;
};

/// Sources in which the open files have the texts that they have there.
std::unique_ptr<SourceManager> sourcesOf(const World& world);

/// Checks a text in sources that may have others already. One that is larger than tikc reads has
/// that for its only finding.
Analysis analyse(pipeline::Checker& checker, const std::shared_ptr<SourceManager>& sources,
                 const Limits& limits, std::string uri, const std::filesystem::path& path,
                 std::string text);

/// Checks many texts of a world: what they extend is read once. One belongs to one thread.
class WorldChecker {
public:
  /// Nothing where there is no such file.
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

  /// Two, since a world is compared with another.
  std::array<Bench, 2> benches_;
  std::size_t last_ = 0;
  std::shared_ptr<pipeline::CheckCache> cache_ = std::make_shared<pipeline::CheckCache>();
};

} // namespace tikc::lsp
