#pragma once

#include "ide/Outline.h"
#include "lsp/documents/Workspace.h"
#include "lsp/session/Crew.h"

#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace tikc::lsp {

using ide::Outline;

/// The outlines, by their URIs, of open documents and of files on disk, each made anew when its
/// text is another.
class Outlines {
public:
  Outlines(const Documents& documents, const Workspace& workspace)
      : documents_(documents), workspace_(workspace) {}

  const Outline& of(const Document& document);

  /// Files that the crew is looking at, until there is none left. Whoever forgets it has it stop.
  class Gathering {
  public:
    Gathering() = default;
    Gathering(const Gathering&) = delete;
    Gathering& operator=(const Gathering&) = delete;
    ~Gathering();

    bool isDone() const;
    /// Whether some could not be looked at, by the program's own fault.
    bool hasFailed() const;

  private:
    friend Outlines;
    std::unordered_set<std::string> seen_; // paths
    std::vector<std::shared_ptr<Crew::Errand>> errands_;
  };
  /// Begins to look at every contract that is open, that the workspace has, or that one of these
  /// extends.
  std::shared_ptr<Gathering> gather(Crew& crew);
  /// All that were gathered last, in any order.
  std::vector<std::shared_ptr<const Outline>> all();

private:
  struct Entry {
    std::string stamp; // of the text, or of the file's time and size
    std::shared_ptr<const Outline> outline;
  };
  /// A file as it was, and what became of it where it is another now.
  struct Look {
    std::string path, stamp;
    bool isGone = false;
    std::shared_ptr<const Outline> outline;
  };

  static void look(Look& at, const Limits& limits);
  void lookAt(Crew& crew, const std::shared_ptr<Gathering>& gathering,
              std::vector<std::string> paths);
  void take(Crew& crew, const std::shared_ptr<Gathering>& gathering, std::vector<Look>& looks);

  const Documents& documents_;
  const Workspace& workspace_;
  Limits limits_;
  /// By path, or by URI where there is none. Paths are texts here: as paths they compare part by
  /// part, and are slow to copy.
  std::unordered_map<std::string, Entry> entries_;
};

} // namespace tikc::lsp
