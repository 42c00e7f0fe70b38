#include "pipeline/Echoes.h"

#include "model/Keys.h"
#include "support/Check.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <tuple>

namespace tikc::pipeline {

using yaml::Node;
using yaml::YamlDocument;

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
bool isOfName(const diag::Diagnostic& finding) {
  return finding.code == diag::Code::UnknownKernel || finding.code == diag::Code::UnknownSlice ||
         finding.code == diag::Code::UnknownField || finding.code == diag::Code::UnknownClause;
}

/// A key that the contract does not have may be an entry of any section.
bool isUnknown(const yaml::Entry& entry) {
  return entry.value->invalid && !model::findKey(model::Map::Top, entry.key->value);
}

} // namespace

bool isSectionKnown(const YamlDocument& document, std::string_view section,
                    const diag::Sink& sink) {
  const Node* node = document.root->find(section);
  if (!node)
    return document.complete && !sink.has(diag::Code::Indentation) &&
           std::none_of(document.root->entries.begin(), document.root->entries.end(),
                        [](const yaml::Entry& entry) { return entry.value->invalid; });
  return document.complete && !node->invalid &&
         std::none_of(document.root->entries.begin(), document.root->entries.end(), isUnknown) &&
         std::none_of(node->entries.begin(), node->entries.end(),
                      [&](const yaml::Entry& entry) { return sink.hasErrorWithin(entry.span); });
}

std::vector<diag::Code> namesInDoubt(const YamlDocument& document, const diag::Sink& sink) {
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
  bool lacksKernels = !document.root->find("kernels") && sink.has(diag::Code::MissingKey);
  if (lacksKernels)
    out.push_back(diag::Code::UnknownKernel);
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

namespace {

/// What is the echo of what, in one file. A finding is dropped for another one that stays, or whose
/// own cause does: of what was wrong something is always told.
class Echoes {
public:
  Echoes(const Source& source, FileId file, const std::vector<diag::Diagnostic>& all)
      : source_(source), file_(file) {
    for (const diag::Diagnostic& finding : all)
      if (finding.span.file == file_)
        note(finding);
    settleIndentation(all);
  }

  bool isEcho(const diag::Diagnostic& finding) const {
    using enum diag::Code;
    if (finding.span.file != file_)
      return false;
    std::size_t line = lineOf(finding);
    bool isError = finding.severity == diag::Severity::Error;
    if (returns_.contains(line) && isError)
      return finding.code != LoneCarriageReturn;
    if (finding.code == Indentation)
      return finding.fixes.empty() && !told_.contains(line);
    if (finding.code == SyntaxError && !hasSafeFix(finding))
      return hasFix_.contains(line);
    if (finding.code == LinkMissing)
      return isOfOneClause(line);
    if (isOfName(finding) && unknownKeys_.contains(textOf(finding)))
      return true;
    bool isBesideEcho = isBeside(echoed_, line) && !causes_.contains(line);
    return isError && finding.code >= UnknownKey && finding.code < UnknownSuppressedCode &&
           (isBeside(broken_, line) || isBesideEcho);
  }

private:
  using Lines = std::set<std::size_t>;

  std::size_t lineOf(const diag::Diagnostic& finding) const {
    return source_.lines.lineIndex(finding.span.begin);
  }

  std::string_view textOf(const diag::Diagnostic& finding) const {
    return std::string_view(source_.text).substr(finding.span.begin, finding.span.size());
  }

  static bool hasSafeFix(const diag::Diagnostic& finding) {
    return std::any_of(finding.fixes.begin(), finding.fixes.end(),
                       [](const diag::Fix& fix) { return fix.safe; });
  }

  static bool isBeside(const Lines& lines, std::size_t line) {
    return lines.contains(line) || lines.contains(line + 1) ||
           (line > 0 && lines.contains(line - 1));
  }

  void note(const diag::Diagnostic& finding) {
    using enum diag::Code;
    std::size_t line = lineOf(finding);
    bool isError = finding.severity == diag::Severity::Error;
    bool isOfYaml = isError && finding.code >= SyntaxError && finding.code < UnknownKey;
    if (finding.code == LoneCarriageReturn)
      returns_.insert(line);
    if (isOfYaml && finding.code != Indentation)
      broken_.insert(line);
    if (isOfYaml && hasSafeFix(finding))
      hasFix_.insert(line);
    if (isError && finding.code < UnitMismatch)
      unread_.insert(line);
    if (finding.code == UnknownKey)
      unknownKeys_.insert(textOf(finding));
    if (finding.code == UnknownKey || (finding.code == WrongKind && finding.fixes.empty()))
      bent_.insert(line);
  }

  /// What is out of line beside a line that a fix moves is told there; what is out of line below
  /// structure that was not understood, there.
  void settleIndentation(const std::vector<diag::Diagnostic>& all) {
    Lines mended, open;
    for (const diag::Diagnostic& finding : all)
      if (finding.span.file == file_ && finding.code == diag::Code::Indentation)
        (finding.fixes.empty() ? open : mended).insert(lineOf(finding));
    broken_.insert(mended.begin(), mended.end());
    for (std::size_t line : open) {
      auto cause = isBeside(mended, line) ? std::optional(line) : causeAbove(mended, line);
      (cause ? echoed_ : told_).insert(line);
      if (cause)
        causes_.insert(*cause);
      else
        broken_.insert(line);
    }
  }

  /// An unknown key beside a broken line is itself no finding.
  std::optional<std::size_t> causeAbove(const Lines& mended, std::size_t line) const {
    auto isCause = [&](std::size_t above) {
      return mended.contains(above) || told_.contains(above) ||
             (bent_.contains(above) && above + 1 < line && !isBeside(broken_, above));
    };
    std::size_t above = line;
    while (above > 0 && isOneSection(source_, above - 1, above))
      if (isCause(--above))
        return above;
    return std::nullopt;
  }

  /// A clause without a link, where the fault may be that the link went to another.
  bool isOfOneClause(std::size_t line) const {
    constexpr std::size_t longest = 4;
    return std::any_of(unread_.begin(), unread_.end(), [&](std::size_t other) {
      auto [first, last] = std::minmax(line, other);
      return last - first <= longest && isOneSection(source_, first, last);
    });
  }

  const Source& source_;
  FileId file_;
  Lines returns_; // that some readers take for several
  Lines broken_;  // with a fault of YAML that is told
  Lines told_;    // those of them that are out of line, without a fix
  Lines echoed_;  // that are out of line for a cause that is told
  Lines causes_;  // of those
  Lines hasFix_;  // with a fault of YAML that a safe fix mends
  Lines bent_;    // whose structure was not understood
  Lines unread_;  // where anything was not
  std::set<std::string_view> unknownKeys_;
};

bool hasError(const std::vector<diag::Diagnostic>& all) {
  return std::any_of(all.begin(), all.end(), [](const diag::Diagnostic& finding) {
    return finding.severity == diag::Severity::Error;
  });
}

} // namespace

void dropEchoes(const SourceManager& sources, FileId file,
                std::vector<diag::Diagnostic>& diagnostics) {
  bool hadError = hasError(diagnostics);
  const Echoes echoes(sources.get(file), file, diagnostics);
  std::erase_if(diagnostics,
                [&](const diag::Diagnostic& finding) { return echoes.isEcho(finding); });
  TIKC_CHECK(hadError == hasError(diagnostics), "an error remains if there was one");
}

void joinMentions(const SourceManager& sources, std::vector<diag::Diagnostic>& diagnostics) {
  std::map<std::tuple<diag::Code, FileId, std::string_view>, std::size_t> first;
  std::vector<diag::Diagnostic> out;
  for (diag::Diagnostic& finding : diagnostics) {
    if (isOfName(finding) && finding.fixes.empty()) {
      auto [place, fresh] = first.try_emplace(
          {finding.code, finding.span.file, sources.text(finding.span)}, out.size());
      if (!fresh) {
        out[place->second].relatedTo(finding.span, "and here");
        continue;
      }
    }
    out.push_back(std::move(finding));
  }
  diagnostics = std::move(out);
}

} // namespace tikc::pipeline
