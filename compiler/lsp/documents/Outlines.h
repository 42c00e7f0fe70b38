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

/// A cache of outlines by URI, for open documents and files on disk. An outline is renewed when its
/// text changes.
class Outlines {
public:
  Outlines(const Documents& documents, const Workspace& workspace)
      : documents_(documents), workspace_(workspace) {}

  const Outline& of(const Document& document);

  /// The files that the crew is reading. The destructor stops it.
  class Gathering {
  public:
    Gathering() = default;
    Gathering(const Gathering&) = delete;
    Gathering& operator=(const Gathering&) = delete;
    ~Gathering();

    bool isDone() const;
    /// Whether an internal error prevented some outlines.
    bool hasFailed() const;

  private:
    friend Outlines;
    std::unordered_set<std::string> seen_; // paths
    std::vector<std::shared_ptr<Crew::Errand>> errands_;
  };
  /// Starts reading every contract that is open, in the workspace, or extended by one of these.
  std::shared_ptr<Gathering> gather(Crew& crew);
  /// Returns all outlines of the last gathering, in any order.
  std::vector<std::shared_ptr<const Outline>> all();

private:
  struct Entry {
    std::string stamp; // hash of the text, or time and size of the file
    std::shared_ptr<const Outline> outline;
  };
  /// A file's known state, and its new outline if it changed.
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
  /// By path, or by URI for texts without one. Paths are strings here, because fs::path compares
  /// part by part and is slow to copy.
  std::unordered_map<std::string, Entry> entries_;
};

} // namespace tikc::lsp
