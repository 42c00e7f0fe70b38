#pragma once

#include "project/Lineage.h"
#include "sema/Mentions.h"

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace tikc::ide {

/// The contracts and names of one file, from its text alone. An outline costs a fraction of a
/// check, so a whole workspace can have one.
struct Outline {
  struct Contract {
    std::string name; // empty without a name
    std::optional<project::Parent> parent;
    std::vector<sema::Mention> mentions; // in the order of the text
    Span span;
  };

  std::string id;             // unique among the owner's texts
  std::filesystem::path path; // empty for a text that is not a file
  std::shared_ptr<const SourceManager> sources;
  FileId file = FileId::None;
  std::vector<Contract> contracts;
  std::vector<std::string> parents; // files that it extends, without itself

  const std::string& text() const { return sources->get(file).text; }
};

/// Makes the outline of a text that was read; `tree` may be one that was checked.
std::shared_ptr<const Outline> outlineOf(std::string id, const std::filesystem::path& path,
                                         std::shared_ptr<const SourceManager> sources,
                                         const yaml::Tree& tree);
/// Reads a text and makes its outline; empty for a text beyond tikc's size limit.
std::shared_ptr<const Outline> outlineOf(std::string id, const std::filesystem::path& path,
                                         std::string text, const Limits& limits);

} // namespace tikc::ide
