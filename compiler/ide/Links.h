#pragma once

#include "ide/Analysis.h"

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace tikc::ide {

/// A word that names an existing file or a page of the web.
struct DocumentLink {
  Span span;
  std::filesystem::path file; // empty for a page
  std::string page;
  std::string_view tip;
};
/// `path` is the text's own; if it is empty, the text can name no other file.
std::vector<DocumentLink> linksIn(const Analysis& analysis, const std::filesystem::path& path);

} // namespace tikc::ide
