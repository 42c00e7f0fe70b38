#include "yaml/FitFixes.h"

#include <algorithm>
#include <string_view>

namespace tikc::yaml {
namespace {

using diag::Edit;

void gatherScalars(const Node& node, std::vector<const Node*>& out) {
  if (node.kind == Node::Kind::Scalar && !node.aliasSpan.valid())
    out.push_back(&node);
  for (const Entry& entry : node.entries) {
    gatherScalars(*entry.key, out);
    gatherScalars(*entry.value, out);
  }
  for (const auto& item : node.items)
    gatherScalars(*item, out);
}

/// What a code's fixes speak of. The YAML reader and the check of the structure write YAML; a fault
/// of an expression is about the whole text of its scalar; what is found later may be about a part
/// of it or about the value as YAML.
enum class FixScope { Yaml, PartOfScalar, WholeScalar };

FixScope scopeOf(diag::Code code) {
  auto number = static_cast<unsigned>(code);
  return number < 3000   ? FixScope::Yaml
         : number < 4000 ? FixScope::WholeScalar
                         : FixScope::PartOfScalar;
}

bool isInside(const Node& scalar, const Edit& edit, FixScope scope) {
  if (!scalar.span.contains(edit.span) || scope == FixScope::WholeScalar)
    return scalar.span.contains(edit.span);
  bool beside = edit.span.empty() &&
                (edit.span.begin == scalar.span.begin || edit.span.end == scalar.span.end);
  return !beside && edit.span != scalar.span;
}

/// Whether the text can stand as a plain scalar where this one stands.
bool canBePlain(const Node& scalar, std::string_view text) {
  bool starts = !text.empty() && std::string_view("\"'[]{},&*!|>%@`#?:-").find(text.front()) ==
                                     std::string_view::npos;
  bool breaks = text.find(": ") != std::string_view::npos ||
                text.find(" #") != std::string_view::npos || text.ends_with(':');
  bool ends = scalar.inFlow && text.find_first_of(",[]{}") != std::string_view::npos;
  return starts && !breaks && !ends;
}

std::string applied(std::string_view text, std::uint32_t base, std::vector<Edit> edits) {
  std::stable_sort(edits.begin(), edits.end(),
                   [](const Edit& a, const Edit& b) { return a.span < b.span; });
  std::string out;
  std::size_t at = 0;
  for (const Edit& edit : edits) {
    out.append(text.substr(at, edit.span.begin - base - at)).append(edit.text);
    at = edit.span.end - base;
  }
  return out.append(text.substr(at));
}

void fitPlain(const SourceManager& sources, const Node& scalar, std::vector<Edit>& edits) {
  std::vector<Edit> inner;
  for (const Edit& edit : edits)
    if (scalar.span.contains(edit.span))
      inner.push_back(edit);
  std::string_view before = sources.text(scalar.span);
  std::string text = applied(before, scalar.span.begin, inner);
  // What could not be plain before is not a scalar that was read, but one that was reported.
  bool oneLine = text.find('\n') == std::string::npos;
  if (canBePlain(scalar, text) || !canBePlain(scalar, before) || !oneLine)
    return;
  std::erase_if(edits, [&](const Edit& edit) { return scalar.span.contains(edit.span); });
  edits.push_back({scalar.span, "'" + escaped(Style::SingleQuoted, text) + "'"});
}

void fit(const SourceManager& sources, const std::vector<const Node*>& scalars, FixScope scope,
         std::vector<Edit>& edits) {
  auto after = [](const Edit& edit, const Node* scalar) {
    return edit.span.begin < scalar->span.begin;
  };
  for (const Edit& edit : std::vector<Edit>(edits)) {
    auto next = std::upper_bound(scalars.begin(), scalars.end(), edit, after);
    if (next == scalars.begin() || !isInside(**std::prev(next), edit, scope))
      continue;
    const Node& scalar = **std::prev(next);
    if (scalar.style == Style::Plain)
      return fitPlain(sources, scalar, edits);
    for (Edit& each : edits)
      if (isInside(scalar, each, scope))
        each.text = escaped(scalar.style, each.text);
    return;
  }
}

/// What replaces a block scalar would take the comment of its header along, perhaps a suppression.
void keepHeadersComment(const SourceManager& sources, const Tree& tree, Edit& edit) {
  std::string_view before = sources.text(edit.span);
  if (edit.text.empty() || (!before.starts_with('|') && !before.starts_with('>')))
    return;
  auto comment =
      std::lower_bound(tree.comments.begin(), tree.comments.end(), edit.span.begin,
                       [](const Comment& each, std::uint32_t at) { return each.span.begin < at; });
  if (comment != tree.comments.end() && edit.span.contains(comment->span))
    edit.text += "  " + std::string(sources.text(comment->span));
}

} // namespace

std::string escaped(Style style, std::string_view text) {
  std::string out;
  for (char c : text) {
    if (style == Style::SingleQuoted && c == '\'')
      out += '\'';
    if (style == Style::DoubleQuoted && (c == '"' || c == '\\'))
      out += '\\';
    out += c;
  }
  return out;
}

void fitFixes(const SourceManager& sources, const Tree& tree,
              std::vector<diag::Diagnostic>& diagnostics) {
  std::vector<const Node*> scalars;
  for (diag::Diagnostic& diagnostic : diagnostics)
    for (diag::Fix& fix : diagnostic.fixes) {
      FixScope scope = scopeOf(diagnostic.code);
      if (fix.edits.empty() || fix.edits.front().span.file != tree.file)
        continue;
      for (Edit& edit : fix.edits)
        keepHeadersComment(sources, tree, edit);
      if (scope == FixScope::Yaml)
        continue;
      if (scalars.empty()) {
        for (const YamlDocument& document : tree.documents)
          gatherScalars(*document.root, scalars);
        std::sort(scalars.begin(), scalars.end(),
                  [](const Node* a, const Node* b) { return a->span < b->span; });
      }
      fit(sources, scalars, scope, fix.edits);
    }
}

} // namespace tikc::yaml
