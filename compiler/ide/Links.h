#pragma once

#include "ide/Analysis.h"

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace tikc::ide {

/// Words that name a file that there is, or a page of the web.
struct DocumentLink {
  Span span;
  std::filesystem::path file; // empty: the page
  std::string page;
  std::string_view tip;
};
/// `path` is the text's own, empty where it is no file: then it names no other.
std::vector<DocumentLink> linksIn(const Analysis& analysis, const std::filesystem::path& path);

} // namespace tikc::ide
