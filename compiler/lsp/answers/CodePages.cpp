#include "lsp/answers/CodePages.h"

#include "lsp/documents/Documents.h"
#include "tikc/Version.h"

#include <filesystem>

namespace tikc::lsp {
namespace {

namespace fs = std::filesystem;

/// Where they are published, else beside the program as it is installed: bin/tikc and
/// share/doc/tikc.
std::string findPages() {
  if (!codesAddress.empty())
    return std::string(codesAddress);
  std::error_code error;
  fs::path program = fs::read_symlink("/proc/self/exe", error);
  fs::path page =
      program.parent_path().parent_path() / "share/doc/tikc/docs/reference/diagnostics.md";
  return !error && fs::exists(page, error) ? uriOf(page) : std::string();
}

} // namespace

std::optional<std::string> pageOf(diag::Code code) {
  static const std::string pages = findPages();
  if (pages.empty())
    return std::nullopt;
  return diag::placeIn(pages, code);
}

} // namespace tikc::lsp
