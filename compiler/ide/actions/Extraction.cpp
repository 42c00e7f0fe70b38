#include "ide/Grounds.h"
#include "ide/actions/Actions.h"
#include "ide/actions/Inserting.h"
#include "project/Projects.h"
#include "support/Check.h"

#include <fmt/format.h>

#include <algorithm>

namespace tikc::ide {
namespace {

namespace fs = std::filesystem;
using yaml::Entry;
using yaml::Node;

/// Whole lines of a section that go to the base.
struct MovedClauses {
  std::string_view section;
  std::vector<Span> lines; // of each clause, with the comments above it
  Span whole;              // of the section itself, where nothing of it stays
  bool isWhole = false;
};

class Extraction {
public:
  explicit Extraction(const ActionRequest& request)
      : request_(request), text_(request.source().text), break_(lineBreakOf(text_)) {}

  /// Nothing where the selection has no clause that could go.
  bool choose() {
    const auto& documents = request_.analysis.checked.tree->documents;
    if (documents.size() != 1 || request_.path.empty())
      return false;
    root_ = documents.front().root.get();
    const Entry* contract = root_->findEntry("contract");
    if (root_->flow || !contract || root_->find("extends") || root_->find("abstract"))
      return false;
    for (std::string_view section : {"numerical", "statistical", "runtime"})
      if (const Entry* entry = root_->findEntry(section))
        chooseFrom(*entry);
    return count_ > 0;
  }

  std::size_t count() const { return count_; }

  bool makeTexts() {
    base_ = freeName();
    if (base_.empty())
      return false;
    const Entry* contract = root_->findEntry("contract");
    TIKC_CHECK(contract, "what is extracted from is a contract with a name");
    std::string name = contract->value->value + "-base";
    baseText_ =
        fmt::format("tikc: v1{0}contract: {1}{0}version: 1.0.0{0}abstract: true{0}", break_, name);
    for (const MovedClauses& part : parts_) {
      baseText_ += fmt::format("{0}{1}:{0}", break_, part.section);
      for (const Span& lines : part.lines)
        baseText_ += linesOf(lines);
      if (part.isWhole)
        edits_.push_back({part.whole, ""});
      else
        for (const Span& lines : part.lines)
          edits_.push_back({lines, ""});
    }
    std::uint32_t at = lineEnd(text_, contract->span.end);
    edits_.push_back({{request_.analysis.file, at, at},
                      fmt::format("{}extends: {}", break_, base_.filename().string())});
    return true;
  }

  /// Whether the child says what it said, and the base has no error.
  bool isFaithful() const {
    EditSet set;
    if (!set.add(edits_))
      return false;
    // What extends it looks for the file.
    Analysis base = request_.supposing.suppose(base_, baseText_, {});
    if (hasError(base))
      return false;
    Analysis after = request_.supposing.suppose(
        request_.path, set.apply(request_.analysis.file, text_), {{base_, baseText_}});
    return printed(after) == printed(request_.analysis);
  }

  std::vector<Edit> takeEdits() { return std::move(edits_); }
  CodeAction::NewFile takeBase() { return {std::move(base_), std::move(baseText_)}; }

private:
  static bool hasError(const Analysis& analysis) {
    const auto& findings = analysis.checked.diagnostics;
    return std::any_of(findings.begin(), findings.end(), [](const diag::Diagnostic& diagnostic) {
      return diagnostic.severity == diag::Severity::Error;
    });
  }

  static std::string printed(const Analysis& analysis) {
    std::string out = hasError(analysis) ? "with errors\n" : "";
    for (const model::Contract& contract : analysis.checked.contracts)
      out += model::print(contract);
    return out;
  }

  void chooseFrom(const Entry& section) {
    const Node& map = *section.value;
    if (map.kind != Node::Kind::Mapping || map.flow || map.aliasSpan.valid())
      return;
    MovedClauses part{section.key->value, {}, {}, false};
    for (const Entry& entry : map.entries)
      if (request_.range.begin <= entry.key->span.begin &&
          entry.key->span.begin < request_.range.end)
        part.lines.push_back(blockOf(entry.span));
    if (part.lines.empty())
      return;
    count_ += part.lines.size();
    part.isWhole = part.lines.size() == map.entries.size();
    part.whole = blockOf(section.span);
    parts_.push_back(std::move(part));
  }

  /// The lines of an entry and those of comments right above it.
  Span blockOf(const Span& entry) const {
    std::uint32_t begin = lineStart(text_, entry.begin);
    while (begin > 0) {
      std::uint32_t above = lineStart(text_, begin - 1);
      std::string_view line = std::string_view(text_).substr(above, begin - above);
      auto at = line.find_first_not_of(" \t");
      bool isComment = at != std::string_view::npos && line[at] == '#';
      if (!isComment)
        break;
      begin = above;
    }
    std::uint32_t end = lineEnd(text_, entry.end);
    while (end < text_.size() && text_[end] != '\n')
      ++end;
    return {entry.file, begin, end < text_.size() ? end + 1 : end};
  }

  std::string linesOf(const Span& span) const {
    std::string lines = text_.substr(span.begin, span.end - span.begin);
    return lines.ends_with('\n') ? lines : lines + std::string(break_);
  }

  /// Beside the contract, under a name that no file has.
  fs::path freeName() const {
    std::string stem = request_.path.filename().string();
    if (!stem.ends_with(project::contractSuffix))
      return {};
    stem.resize(stem.size() - project::contractSuffix.size());
    constexpr int most = 100;
    for (int i = 1; i < most; ++i) {
      std::string name = fmt::format("{}-base{}{}", stem, i == 1 ? "" : std::to_string(i),
                                     project::contractSuffix);
      fs::path path = request_.path.parent_path() / name;
      if (!request_.supposing.isThere(path))
        return path;
    }
    return {};
  }

  const ActionRequest& request_;
  const std::string& text_;
  std::string_view break_;
  const Node* root_ = nullptr;
  std::vector<MovedClauses> parts_;
  std::size_t count_ = 0;
  fs::path base_;
  std::string baseText_;
  std::vector<Edit> edits_;
};

} // namespace

void addExtraction(const ActionRequest& request, std::vector<CodeAction>& out) {
  if (request.range.begin == request.range.end)
    return;
  Extraction extraction(request);
  if (!extraction.choose())
    return;
  CodeAction action{extraction.count() == 1
                        ? std::string("extract the clause to a base contract")
                        : fmt::format("extract {} clauses to a base contract", extraction.count()),
                    ActionKind::Extract, std::vector<Edit>()};
  if (extraction.makeTexts() && extraction.isFaithful()) {
    action.does = extraction.takeEdits();
    action.creates = extraction.takeBase();
  } else {
    action.whyNot = "the contract would change: the base lacks some names, or clauses would move; "
                    "select from the first clause of a section";
  }
  out.push_back(std::move(action));
}

} // namespace tikc::ide
