#include "lsp/answers/Convert.h"

#include "lsp/answers/CodePages.h"

namespace tikc::lsp {
namespace {

int severityOf(diag::Severity severity) {
  enum { Error = 1, Warning, Information };
  return severity == diag::Severity::Error     ? Error
         : severity == diag::Severity::Warning ? Warning
                                               : Information;
}

/// Text that does nothing is shown faded.
bool isOfUnused(diag::Code code) {
  switch (code) {
  case diag::Code::VacuousBound:
  case diag::Code::AbsOfPositive:
  case diag::Code::ShadowedSlice:
  case diag::Code::StaleSuppression:
    return true;
  default:
    return false;
  }
}

} // namespace

json::Value workspaceEdit(const Session& session, std::map<std::string, json::Array>&& changes) {
  if (!session.client.hasDocumentChanges) {
    json::Object out;
    for (auto& [uri, list] : changes)
      out[uri] = std::move(list);
    return json::Object{{"changes", std::move(out)}};
  }
  json::Array out;
  for (auto& [uri, list] : changes) {
    const Document* open = session.documents.find(uri);
    json::Value version = open ? json::Value(open->version) : json::Value(nullptr);
    out.push_back(
        json::Object{{"textDocument", json::Object{{"uri", uri}, {"version", std::move(version)}}},
                     {"edits", std::move(list)}});
  }
  return json::Object{{"documentChanges", std::move(out)}};
}

const Lines& Places::linesOf(FileId file) {
  auto known = lines_.find(file);
  if (known == lines_.end())
    known = lines_.emplace(file, Lines(sources_.get(file).text)).first;
  return known->second;
}

json::Value Places::position(FileId file, std::uint32_t offset) {
  ProtocolPlace at = linesOf(file).placeOf(sources_.get(file).text, offset, encoding_);
  return json::Object{{"line", at.line}, {"character", at.character}};
}

json::Value Places::range(const Span& span) {
  return json::Object{{"start", position(span.file, span.begin)},
                      {"end", position(span.file, span.end)}};
}

std::string Convert::uri(FileId file) const {
  const Source& source = sources_.get(file);
  if (source.path.empty())
    return source.name; // the document's own
  const Document* open = session_.documents.findPath(source.path);
  return open ? open->uri : uriOf(source.path);
}

json::Value Convert::location(const Span& span) {
  return json::Object{{"uri", uri(span.file)}, {"range", range(span)}};
}

/// A gap that the author is to fill becomes a place to type at, where the client has such.
json::Value Convert::textEdit(const Edit& edit) {
  constexpr std::string_view gap = "…";
  if (session_.client.hasSnippetEdits && edit.text.find(gap) != std::string::npos) {
    std::string snippet;
    unsigned place = 0;
    for (std::size_t i = 0; i < edit.text.size(); ++i) {
      if (edit.text.compare(i, gap.size(), gap) == 0) {
        snippet += "${" + std::to_string(++place) + ":" + std::string(gap) + "}";
        i += gap.size() - 1;
        continue;
      }
      if (edit.text[i] == '$' || edit.text[i] == '}' || edit.text[i] == '\\')
        snippet += '\\';
      snippet += edit.text[i];
    }
    return json::Object{
        {"range", range(edit.span)},
        {"snippet", json::Object{{"kind", "snippet"}, {"value", std::move(snippet)}}}};
  }
  return json::Object{{"range", range(edit.span)}, {"newText", edit.text}};
}

json::Value Convert::workspaceEdit(std::span<const Edit> edits) {
  std::map<std::string, json::Array> changes;
  for (const Edit& edit : edits)
    changes[uri(edit.span.file)].push_back(textEdit(edit));
  return lsp::workspaceEdit(session_, std::move(changes));
}

json::Value Convert::diagnostic(const diag::Diagnostic& diagnostic) {
  // Clients show one text: the message as on the command line, then what the carets say and the
  // notes.
  std::string message = diagnostic.message;
  if (!diagnostic.label.empty())
    message += "\n" + diagnostic.label;
  for (const std::string& note : diagnostic.notes)
    message += "\nnote: " + note;
  json::Object out{{"range", range(diagnostic.span)},
                   {"severity", severityOf(diagnostic.severity)},
                   {"code", std::string(diag::info(diagnostic.code).id)},
                   {"source", "tikc"},
                   {"message", std::move(message)}};
  if (session_.client.hasCodeDescription)
    if (auto page = pageOf(diagnostic.code))
      out["codeDescription"] = json::Object{{"href", *page}};
  if (session_.client.hasTags && isOfUnused(diagnostic.code))
    out["tags"] = json::Array{1};
  if (session_.client.hasRelatedInformation && !diagnostic.related.empty()) {
    json::Array related;
    for (const diag::RelatedPlace& each : diagnostic.related)
      related.push_back(json::Object{{"location", location(each.span)}, {"message", each.message}});
    out["relatedInformation"] = std::move(related);
  }
  return out;
}

} // namespace tikc::lsp
