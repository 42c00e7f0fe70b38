#pragma once

#include "diag/Diagnostic.h"
#include "lsp/session/Session.h"

namespace tikc::lsp {

/// Returns changes by URI as one edit, with versions if the client supports them.
json::Value workspaceEdit(const Session& session, std::map<std::string, json::Array>&& changes);

/// Converts places to the client's counting. Safe on any thread.
class Places {
public:
  Places(const SourceManager& sources, Encoding encoding)
      : sources_(sources), encoding_(encoding) {}

  json::Value position(FileId file, std::uint32_t offset);
  json::Value range(const Span& span);

protected:
  const SourceManager& sources_;

private:
  const Lines& linesOf(FileId file);

  Encoding encoding_;
  std::map<FileId, Lines> lines_;
};

/// Converts results of the pipeline to the protocol, in the client's encoding.
class Convert : public Places {
public:
  Convert(const Session& session, const SourceManager& sources)
      : Places(sources, session.documents.encoding()), session_(session) {}

  json::Value location(const Span& span);
  json::Value textEdit(const Edit& edit);
  /// Returns edits of several files as one change.
  json::Value workspaceEdit(std::span<const Edit> edits);
  json::Value diagnostic(const diag::Diagnostic& diagnostic);
  /// Returns the URI of a source; that of the open document, if there is one.
  std::string uri(FileId file) const;

private:
  const Session& session_;
};

} // namespace tikc::lsp
