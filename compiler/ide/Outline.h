#pragma once

#include "project/Lineage.h"
#include "sema/Mentions.h"

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace tikc::ide {

/// What the text of one file alone tells: its contracts and the names in them. It costs a fraction
/// of a check, so that a whole workspace can be asked.
struct Outline {
  struct Contract {
    std::string name; // empty where it has none
    std::optional<project::Parent> parent;
    std::vector<sema::Mention> mentions; // in the order of the text
    Span span;
  };

  std::string id;             // what its owner knows it by: no other text has the same
  std::filesystem::path path; // empty for a text that is no file
  std::shared_ptr<const SourceManager> sources;
  FileId file = FileId::None;
  std::vector<Contract> contracts;
  std::vector<std::string> parents; // files that it extends, but for itself

  const std::string& text() const { return sources->get(file).text; }
};

/// Of a text that was read; `tree` may be one that was checked.
std::shared_ptr<const Outline> outlineOf(std::string id, const std::filesystem::path& path,
                                         std::shared_ptr<const SourceManager> sources,
                                         const syntax::Tree& tree);
/// Reads it. Of a text that is larger than tikc reads nothing is told.
std::shared_ptr<const Outline> outlineOf(std::string id, const std::filesystem::path& path,
                                         std::string text, const Limits& limits);

} // namespace tikc::ide
