#include "pipeline/Echoes.h"

#include "model/Keys.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

namespace tikc::pipeline {

using syntax::Document;
using syntax::Node;

namespace {

/// Whether no line between the two, nor the second, begins at the margin.
bool isOneSection(const Source& source, std::size_t first, std::size_t last) {
  for (std::size_t line = first + 1; line <= last; ++line) {
    std::string_view text = source.lines.lineText(source.text, static_cast<std::uint32_t>(line));
    if (!text.empty() && text.front() != ' ' && text.front() != '#' && text.front() != '\r')
      return false;
  }
  return true;
}

/// A name that may be declared in a section that was not understood.
bool isOfName(const diag::Diagnostic& found) {
  return found.code == diag::Code::UnknownKernel || found.code == diag::Code::UnknownSlice ||
         found.code == diag::Code::UnknownField || found.code == diag::Code::UnknownClause;
}

} // namespace

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
  const Node* chain = document.root->find("chain");
  if (chain && std::any_of(chain->items.begin(), chain->items.end(),
                           [](const auto& item) { return item->invalid; }))
    out.push_back(diag::Code::ChainTooShort);
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
  std::set<std::size_t> returns;  // lines that some readers take for several
  std::set<std::size_t> broken;   // lines
  std::set<std::size_t> bent;     // those of them where structure was not understood
  std::set<std::size_t> mendable; // those of them that a fix mends
  std::set<std::size_t> hasFix;   // those where any fault of YAML has a fix
  std::set<std::size_t> unread;   // those where anything was not understood
  std::set<std::string_view> unknownKeys;
  for (const diag::Diagnostic& found : diagnostics) {
    if (found.span.file != file)
      continue;
    if (found.code == diag::Code::LoneCarriageReturn)
      returns.insert(lineOf(found));
    if (isOfYaml(found))
      broken.insert(lineOf(found));
    if (found.code < diag::Code::UnitMismatch && found.severity == diag::Severity::Error)
      unread.insert(lineOf(found));
    if (found.code == diag::Code::Indentation && !found.fixes.empty())
      mendable.insert(lineOf(found));
    if (isOfYaml(found) && !found.fixes.empty())
      hasFix.insert(lineOf(found));
    if (found.code == diag::Code::UnknownKey)
      unknownKeys.insert(sources.text(found.span));
    bool isOfStructure = found.code == diag::Code::UnknownKey ||
                         found.code == diag::Code::Indentation ||
                         (found.code == diag::Code::WrongKind && found.fixes.empty());
    if (isOfStructure)
      bent.insert(lineOf(found));
  }
  auto isBelow = [&](std::size_t line) {
    auto after = bent.lower_bound(line);
    return after != bent.begin() && isOneSection(sources.get(file), *std::prev(after), line);
  };
  // A clause without a link, where the fault may be that the link went to another.
  auto isOfOneClause = [&](std::size_t line) {
    constexpr std::size_t longest = 4;
    return std::any_of(unread.begin(), unread.end(), [&](std::size_t other) {
      auto [first, last] = std::minmax(line, other);
      return last - first <= longest && isOneSection(sources.get(file), first, last);
    });
  };
  auto isBeside = [](const std::set<std::size_t>& lines, std::size_t line) {
    return lines.contains(line) || lines.contains(line + 1) ||
           (line > 0 && lines.contains(line - 1));
  };
  std::erase_if(diagnostics, [&](const diag::Diagnostic& found) {
    if (found.span.file != file)
      return false;
    if (returns.contains(lineOf(found)) && found.severity == diag::Severity::Error)
      return found.code != diag::Code::LoneCarriageReturn;
    if (found.code == diag::Code::Indentation)
      return found.fixes.empty() && (isBeside(mendable, lineOf(found)) || isBelow(lineOf(found)));
    if (found.code == diag::Code::SyntaxError && found.fixes.empty())
      return hasFix.contains(lineOf(found));
    if (found.code == diag::Code::LinkMissing)
      return isOfOneClause(lineOf(found));
    if (isOfName(found) && unknownKeys.contains(sources.text(found.span)))
      return true;
    return found.severity == diag::Severity::Error && found.code >= diag::Code::UnknownKey &&
           found.code < diag::Code::UnknownSuppressedCode && isBeside(broken, lineOf(found));
  });
}

void joinMentions(const SourceManager& sources, std::vector<diag::Diagnostic>& diagnostics) {
  std::map<std::tuple<diag::Code, FileId, std::string_view>, std::size_t> first;
  std::vector<diag::Diagnostic> out;
  for (diag::Diagnostic& found : diagnostics) {
    if (isOfName(found) && found.fixes.empty()) {
      auto [place, fresh] =
          first.try_emplace({found.code, found.span.file, sources.text(found.span)}, out.size());
      if (!fresh) {
        out[place->second].relatedTo(found.span, "and here");
        continue;
      }
    }
    out.push_back(std::move(found));
  }
  diagnostics = std::move(out);
}

} // namespace tikc::pipeline
