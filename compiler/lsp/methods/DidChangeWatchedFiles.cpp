#include "lsp/methods/Methods.h"
#include "lsp/session/Work.h"

namespace tikc::lsp {
namespace {

/// Any other number that a client sends is taken for a change.
enum Change : std::int64_t { Created = 1, Changed, Deleted };

void changedOnDisk(Session& session, const std::filesystem::path& path, Change change) {
  if (project::isOfSettings(path))
    return touchAll(session);
  if (session.documents.findPath(path))
    return; // what is open counts
  if (change == Deleted)
    session.workspace.removeFile(path);
  else
    session.workspace.addFile(path);
  // Also one that no root has may be extended.
  touch(session, uriOf(path), path);
  // Which files a missing one was to extend is not known.
  if (change == Created)
    for (const auto& [uri, document] : session.documents.all())
      touch(session, uri, {});
}

} // namespace

llvm::Error onDidChangeWatchedFiles(Session& session, const json::Object& params) {
  const json::Array* changes = params.getArray("changes");
  if (!changes)
    return failure(ErrorCode::InvalidParams, "missing changes");
  for (const json::Value& value : *changes) {
    const json::Object* change = value.getAsObject();
    auto uri = change ? change->getString("uri") : std::nullopt;
    auto path = uri ? pathOf(*uri) : std::nullopt;
    if (!path)
      continue;
    std::error_code error;
    auto real = std::filesystem::weakly_canonical(*path, error);
    changedOnDisk(session, error ? *path : real,
                  static_cast<Change>(change->getInteger("type").value_or(Changed)));
  }
  askHeadOfAll(session); // a checkout, perhaps
  return llvm::Error::success();
}

} // namespace tikc::lsp
