#include "pipeline/Echoes.h"

#include "model/Keys.h"

#include <algorithm>
#include <set>

namespace tikc::pipeline {

using syntax::Document;
using syntax::Node;

bool isSectionKnown(const Document& document, std::string_view section, const diag::Sink& sink) {
  const Node* node = document.root->find(section);
  if (!node)
    return document.complete && !sink.has(diag::Code::Indentation) &&
           std::none_of(document.root->entries.begin(), document.root->entries.end(),
                        [](const syntax::Entry& entry) { return entry.value->invalid; });
  return document.complete && !node->invalid &&
         std::none_of(node->entries.begin(), node->entries.end(),
                      [&](const syntax::Entry& entry) { return sink.hasErrorWithin(entry.span); });
}

std::vector<diag::Code> namesInDoubt(const Document& document, const diag::Sink& sink) {
  auto isUnknown = [](const syntax::Entry& entry) {
    return entry.value->invalid && !model::findKey(model::Map::Top, entry.key->value);
  };
  const auto& entries = document.root->entries;
  bool mayBeElsewhere = !document.complete || sink.has(diag::Code::Indentation) ||
                        std::any_of(entries.begin(), entries.end(), isUnknown);
  std::vector<diag::Code> out;
  auto add = [&](std::initializer_list<std::string_view> sections, diag::Code code) {
    for (std::string_view section : sections) {
      const Node* node = document.root->find(section);
      if (node ? node->invalid : mayBeElsewhere)
        return out.push_back(code);
    }
  };
  add({"kernels"}, diag::Code::UnknownKernel);
  add({"slices"}, diag::Code::UnknownSlice);
  add({"labels"}, diag::Code::UnknownField);
  add({"numerical", "statistical", "runtime", "observability"}, diag::Code::UnknownClause);
  return out;
}

void dropEchoes(const SourceManager& sources, FileId file,
                std::vector<diag::Diagnostic>& diagnostics) {
  auto lineOf = [&](const diag::Diagnostic& found) {
    return sources.get(file).lines.lineIndex(found.span.begin);
  };
  auto isOfYaml = [](const diag::Diagnostic& found) {
    return found.code >= diag::Code::SyntaxError && found.code < diag::Code::UnknownKey &&
           found.severity == diag::Severity::Error;
  };
  std::set<std::size_t> broken;   // lines
  std::set<std::size_t> mendable; // those of them that a fix mends
  std::set<std::string_view> unknownKeys;
  for (const diag::Diagnostic& found : diagnostics) {
    if (found.span.file != file)
      continue;
    if (isOfYaml(found))
      broken.insert(lineOf(found));
    if (found.code == diag::Code::Indentation && !found.fixes.empty())
      mendable.insert(lineOf(found));
    if (found.code == diag::Code::UnknownKey)
      unknownKeys.insert(sources.text(found.span));
  }
  auto isBeside = [](const std::set<std::size_t>& lines, std::size_t line) {
    return lines.contains(line) || lines.contains(line + 1) ||
           (line > 0 && lines.contains(line - 1));
  };
  std::erase_if(diagnostics, [&](const diag::Diagnostic& found) {
    if (found.span.file != file)
      return false;
    if (found.code == diag::Code::Indentation)
      return found.fixes.empty() && isBeside(mendable, lineOf(found));
    bool isOfNames =
        found.code == diag::Code::UnknownKernel || found.code == diag::Code::UnknownSlice ||
        found.code == diag::Code::UnknownField || found.code == diag::Code::UnknownClause;
    if (isOfNames && unknownKeys.contains(sources.text(found.span)))
      return true;
    return found.severity == diag::Severity::Error && found.code >= diag::Code::UnknownKey &&
           found.code < diag::Code::UnknownSuppressedCode && isBeside(broken, lineOf(found));
  });
}

} // namespace tikc::pipeline
