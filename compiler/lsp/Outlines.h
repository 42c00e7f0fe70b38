#pragma once

#include "lsp/Workspace.h"
#include "pipeline/Lineage.h"
#include "sema/Mentions.h"

#include <optional>
#include <string>
#include <vector>

namespace tikc::lsp {

/// What the text of one file alone tells: its contracts and the names in them. It costs a fraction
/// of a check, so that a whole workspace can be asked.
struct Outline {
  struct Contract {
    std::string name; // empty where it has none
    std::optional<pipeline::Parent> parent;
    std::vector<sema::Mention> mentions; // in the order of the text
    Span span;
  };

  std::string uri;
  std::filesystem::path path; // empty for a document that is no file
  std::shared_ptr<const SourceManager> sources;
  FileId file = FileId::None;
  std::vector<Contract> contracts;
};

/// The outlines of open documents and of files on disk, each made anew when its text is another.
class Outlines {
public:
  Outlines(const Documents& documents, const Workspace& workspace)
      : documents_(documents), workspace_(workspace) {}

  const Outline& of(const Document& document);
  /// Of every contract that is open, that the workspace has, or that one of these extends.
  std::vector<const Outline*> all();

private:
  struct Entry {
    std::string stamp; // of the text, or of the file's time and size
    Outline outline;
  };

  const Outline* onDisk(const std::filesystem::path& path);
  const Outline& read(std::string stamp, std::string uri, const std::filesystem::path& path,
                      std::string text);
  const Outline& keep(std::string stamp, Outline of, const syntax::Tree& tree);

  const Documents& documents_;
  const Workspace& workspace_;
  Limits limits_;
  std::map<std::string, Entry> entries_; // by URI
};

} // namespace tikc::lsp
