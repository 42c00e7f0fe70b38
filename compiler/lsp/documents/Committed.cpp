#include "lsp/documents/Committed.h"

#include "project/Inputs.h"
#include "project/Revision.h"

namespace tikc::lsp {

namespace fs = std::filesystem;

namespace {

/// Of what was laid out for this moment: its texts stay in the sources.
std::optional<ide::Analysis> analysisAt(const fs::path& place, const std::string& display,
                                        const Limits& limits) {
  auto sources = std::make_shared<SourceManager>();
  project::Inputs inputs(*sources, limits);
  inputs.ignoreBaselines();
  inputs.addPathAs(place.string(), display);
  llvm::consumeError(inputs.takeErrors());
  llvm::consumeError(inputs.takeUnread());
  if (inputs.files().size() != 1 || inputs.files().front().tooLarge)
    return std::nullopt;
  const project::InputFile& input = inputs.files().front();
  ide::Analysis out;
  out.file = input.file;
  out.checked = pipeline::Checker(*sources, *input.settings, limits).check(input.file);
  out.sources = std::move(sources);
  return out;
}

llvm::Expected<std::shared_ptr<const CommittedFile>>
read(const fs::path& path, std::shared_ptr<const CommittedFile> known, const Limits& limits) {
  auto head = project::treeNamed("HEAD", path.parent_path());
  if (!head)
    return head.takeError();
  if (known && known->tree == head->tree)
    return known;
  auto revision = project::Revision::open(*head, limits);
  if (!revision)
    return revision.takeError();
  auto place = revision->layOut(path);
  if (!place)
    return place.takeError();
  auto out = std::make_shared<CommittedFile>();
  out->tree = head->tree;
  if (*place)
    out->analysis = analysisAt(**place, revision->displayOf(**place), limits);
  return out;
}

} // namespace

std::shared_ptr<const CommittedFile> committedAt(const fs::path& path,
                                                 std::shared_ptr<const CommittedFile> known,
                                                 const Limits& limits) {
  std::error_code error;
  if (!fs::is_directory(path.parent_path(), error))
    return nullptr;
  // Who edits is not at fault for what Git says, nor asked it.
  auto file = read(path, std::move(known), limits);
  if (file)
    return *file;
  llvm::consumeError(file.takeError());
  return nullptr;
}

} // namespace tikc::lsp
