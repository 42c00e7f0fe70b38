#include "ide/Grounds.h"
#include "ide/actions/Inserting.h"
#include "lsp/Actions.h"
#include "lsp/Convert.h"
#include "support/Check.h"

#include <fmt/format.h>

#include <algorithm>

namespace tikc::lsp {
namespace {

namespace fs = std::filesystem;
using syntax::Entry;
using syntax::Node;

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
      : request_(request), text_(request.source().text), break_(ide::lineBreakOf(text_)) {}

  /// Nothing where the selection has no clause that could go.
  bool choose() {
    const auto& documents = request_.analysis.checked.tree->documents;
    if (documents.size() != 1 || request_.document.path.empty())
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
    std::uint32_t at = ide::lineEnd(text_, contract->span.end);
    edits_.push_back({{request_.analysis.file, at, at},
                      fmt::format("{}extends: {}", break_, base_.filename().string())});
    return true;
  }

  /// Whether the child says what it said, and the base has no error.
  bool isFaithful() const {
    EditSet set;
    if (!set.add(edits_))
      return false;
    Workspace& workspace = request_.session.workspace;
    // What extends it looks for the file.
    ide::Analysis base = workspace.suppose(base_, baseText_, {});
    if (hasError(base))
      return false;
    ide::Analysis after = workspace.suppose(
        request_.document.path, set.apply(request_.analysis.file, text_), {{base_, baseText_}});
    return printed(after) == printed(request_.analysis);
  }

  json::Value edit(Convert& convert) const {
    std::string uri = uriOf(base_);
    json::Value child = convert.workspaceEdit(edits_);
    json::Array changes{
        json::Object{{"kind", "create"}, {"uri", uri}},
        json::Object{
            {"textDocument", json::Object{{"uri", uri}, {"version", nullptr}}},
            {"edits", json::Array{json::Object{{"range", emptyRange()}, {"newText", baseText_}}}}}};
    for (const json::Value& change : *child.getAsObject()->getArray("documentChanges"))
      changes.push_back(change);
    return json::Object{{"documentChanges", std::move(changes)}};
  }

private:
  static json::Value emptyRange() {
    auto start = [] { return json::Object{{"line", 0}, {"character", 0}}; };
    return json::Object{{"start", start()}, {"end", start()}};
  }

  static bool hasError(const ide::Analysis& analysis) {
    const auto& findings = analysis.checked.diagnostics;
    return std::any_of(findings.begin(), findings.end(), [](const diag::Diagnostic& found) {
      return found.severity == diag::Severity::Error;
    });
  }

  static std::string printed(const ide::Analysis& analysis) {
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
    std::uint32_t begin = ide::lineStart(text_, entry.begin);
    while (begin > 0) {
      std::uint32_t above = ide::lineStart(text_, begin - 1);
      std::string_view line = std::string_view(text_).substr(above, begin - above);
      auto at = line.find_first_not_of(" \t");
      bool isComment = at != std::string_view::npos && line[at] == '#';
      if (!isComment)
        break;
      begin = above;
    }
    std::uint32_t end = ide::lineEnd(text_, entry.end);
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
    std::string stem = request_.document.path.filename().string();
    if (!stem.ends_with(project::contractSuffix))
      return {};
    stem.resize(stem.size() - project::contractSuffix.size());
    constexpr int most = 100;
    for (int i = 1; i < most; ++i) {
      std::string name = fmt::format("{}-base{}{}", stem, i == 1 ? "" : std::to_string(i),
                                     project::contractSuffix);
      fs::path path = request_.document.path.parent_path() / name;
      std::error_code error;
      if (!fs::exists(path, error) && !request_.session.documents.findPath(path))
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

void addExtraction(const ActionRequest& request, json::Array& out) {
  if (!request.wants(kinds::extract) || !request.session.client.createsFiles ||
      request.range.begin == request.range.end)
    return;
  Extraction extraction(request);
  if (!extraction.choose())
    return;
  json::Object action =
      actionOf(extraction.count() == 1
                   ? std::string("extract the clause to a base contract")
                   : fmt::format("extract {} clauses to a base contract", extraction.count()),
               kinds::extract);
  Convert convert(request.session, *request.analysis.sources);
  if (extraction.makeTexts() && extraction.isFaithful())
    action["edit"] = extraction.edit(convert);
  else if (request.session.client.showsDisabled)
    action["disabled"] = json::Object{
        {"reason",
         "the contract would not say the same: names that the base lacks, or clauses that "
         "would change places; select from the first of a section"}};
  else
    return;
  out.push_back(std::move(action));
}

} // namespace tikc::lsp
