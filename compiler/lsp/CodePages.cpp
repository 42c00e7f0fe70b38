#include "lsp/CodePages.h"

#include "lsp/Documents.h"

#include <llvm/ADT/StringExtras.h>

#include <filesystem>

namespace tikc::lsp {
namespace {

namespace fs = std::filesystem;

/// Beside the program as it is installed: bin/tikc and share/doc/tikc.
std::string findPages() {
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
  // As renderers of Markdown make anchors of "### TK1001 UnknownKey".
  const diag::CodeInfo& row = diag::info(code);
  return pages + "#" + llvm::StringRef(row.id).lower() + "-" + llvm::StringRef(row.name).lower();
}

} // namespace tikc::lsp
