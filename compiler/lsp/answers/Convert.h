#pragma once

#include "diag/Diagnostic.h"
#include "lsp/session/Session.h"

namespace tikc::lsp {

/// Changes of texts, by their URIs, as one edit: with versions where the client has them.
json::Value workspaceEdit(const Session& session, std::map<std::string, json::Array>&& changes);

/// Places of texts as the client counts them. Any thread may ask.
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

/// From what the pipeline knows to what the protocol says, in the client's encoding.
class Convert : public Places {
public:
  Convert(const Session& session, const SourceManager& sources)
      : Places(sources, session.documents.encoding()), session_(session) {}

  json::Value location(const Span& span);
  json::Value textEdit(const Edit& edit);
  /// Edits of several files as one change.
  json::Value workspaceEdit(std::span<const Edit> edits);
  json::Value diagnostic(const diag::Diagnostic& found);
  /// The URI of a source: that of the document, where one is open.
  std::string uri(FileId file) const;

private:
  const Session& session_;
};

} // namespace tikc::lsp
