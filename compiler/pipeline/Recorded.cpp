#include "pipeline/Recorded.h"

#include "pipeline/CheckedFiles.h"
#include "support/Utf8.h"
#include "support/Yaml.h"
#include "yaml/NodePath.h"

#include <fmt/format.h>
#include <llvm/ADT/StringExtras.h>

#include <algorithm>

namespace tikc::pipeline {

using diag::Code;
using diag::Diagnostic;
using project::Record;
using project::RecordKey;
using yaml::Node;

namespace {

const yaml::Tree* treeOf(const CheckedFile& file, FileId text) {
  if (file.tree && text == file.file)
    return file.tree.get();
  for (const auto& parent : file.parents)
    if (parent->file == text)
      return parent.get();
  return nullptr;
}

/// A key as a step of a path; what would be mistaken for several steps is in quotes.
std::string stepOf(const Node& key) {
  bool isPlain = !key.value.empty() && std::all_of(key.value.begin(), key.value.end(), [](char c) {
    return llvm::isAlnum(c) || c == '_' || c == '-';
  });
  return isPlain ? key.value : quoteYaml(key.value);
}

/// An item by what it is called, else by its number.
std::string itemOf(const Node& list, const Node& item) {
  for (std::string_view key : {"stage", "name"})
    if (const Node* name = item.find(key); name && name->isText())
      return stepOf(*name);
  auto at = std::find_if(list.items.begin(), list.items.end(),
                         [&](const auto& each) { return each.get() == &item; });
  return std::to_string(at - list.items.begin());
}

std::string shownPath(const yaml::NodePath& path) {
  std::string out;
  auto add = [&](const std::string& step) { out += (out.empty() ? "" : ".") + step; };
  for (std::size_t i = 1; i < path.steps.size(); ++i) {
    const yaml::NodeStep& step = path.steps[i];
    if (step.entry)
      add(stepOf(*step.entry->key));
    else
      out += "[" + itemOf(*path.steps[i - 1].node, *step.node) + "]";
  }
  if (path.key)
    add(stepOf(*path.key->key));
  return out;
}

/// Files name the first of their contracts by themselves.
std::string contractOf(const yaml::Tree& tree, const yaml::YamlDocument& document) {
  const Node* name = document.root->find("contract");
  return &document != &tree.documents.front() && name ? name->value : std::string();
}

bool isOfWord(char c) { return llvm::isAlnum(c) || c == '_' || c == '-' || c == '.'; }

/// Without what a formatter changes, and what marks a text: a space is left between words.
std::string squeezed(std::string_view text) {
  std::string out;
  bool isApart = false;
  for (char c : text) {
    if (llvm::isSpace(c) || c == '"' || c == '\'' || c == '\\') {
      isApart = true;
      continue;
    }
    if (isApart && !out.empty() && isOfWord(out.back()) && isOfWord(c))
      out += ' ';
    out += c;
    isApart = false;
  }
  return out;
}

/// Whether it stands there, and not as a part of a longer word.
bool hasWords(std::string_view text, std::string_view words) {
  for (auto at = text.find(words); at != std::string_view::npos; at = text.find(words, at + 1)) {
    auto end = at + words.size();
    bool isCut = (at > 0 && isOfWord(text[at - 1]) && isOfWord(words.front())) ||
                 (end < text.size() && isOfWord(text[end]) && isOfWord(words.back()));
    if (!isCut)
      return true;
  }
  return false;
}

/// The node of the last key around a place, key and all; the document where there is none.
std::string textAround(const Source& source, const yaml::NodePath& path) {
  const yaml::Entry* entry = path.key;
  for (auto step = path.steps.rbegin(); !entry && step != path.steps.rend(); ++step)
    entry = step->entry;
  const yaml::Node& root = *path.document->root;
  std::uint32_t begin = entry ? entry->key->span.begin : root.span.begin;
  std::uint32_t end = entry ? entry->value->span.end : root.span.end;
  return end > begin && end <= source.text.size()
             ? squeezed(std::string_view(source.text).substr(begin, end - begin))
             : std::string();
}

/// Findings of a node and another one, of which each is another fault.
constexpr Code betweenNodes[] = {Code::ShadowedSlice,     Code::SlicesOverlap, Code::ClauseTwice,
                                 Code::ClauseWithoutRule, Code::RuleOverruled, Code::TrafficFlaps};
/// Findings of all that the marked text says, whatever of it they name.
constexpr Code ofText[] = {Code::EmptySlice, Code::RuleNeverActs, Code::RuleNeverEnds};

template <std::size_t size> bool isAmong(const Code (&codes)[size], Code code) {
  return std::find(std::begin(codes), std::end(codes), code) != std::end(codes);
}

/// What a finding names in backticks, each once.
std::vector<std::string> namesIn(const Diagnostic& finding) {
  std::vector<std::string> out;
  llvm::StringRef rest = finding.message;
  while (rest.contains('`')) {
    auto [word, after] = rest.split('`').second.split('`');
    std::string name = squeezed({word.data(), word.size()});
    bool isName = !name.empty() && !llvm::isDigit(name.front()) && name.front() != '-';
    if (isName && std::find(out.begin(), out.end(), name) == out.end())
      out.push_back(std::move(name));
    rest = after;
  }
  return out;
}

bool isOnPath(const yaml::NodePath& path, const std::string& name) {
  return (path.key && path.key->key->value == name) ||
         std::any_of(path.steps.begin(), path.steps.end(), [&](const yaml::NodeStep& step) {
           return step.entry && step.entry->key->value == name;
         });
}

/// What a finding names of the node where it stands. Its other words are tikc's, and may be others
/// tomorrow; other numbers follow from what stands elsewhere, and names of other nodes with them,
/// but where the fault is between the two.
std::string aboutOf(const Diagnostic& finding, const Source& source, const yaml::NodePath& path) {
  if (isAmong(ofText, finding.code))
    return squeezed(std::string_view(source.text)
                        .substr(finding.span.begin, finding.span.end - finding.span.begin));
  std::vector<std::string> named = namesIn(finding);
  if (isAmong(betweenNodes, finding.code)) {
    std::erase_if(named, [&](const std::string& name) { return isOnPath(path, name); });
    return llvm::join(named, ", ");
  }
  const std::string around = textAround(source, path);
  std::erase_if(named, [&](const std::string& name) { return !hasWords(around, name); });
  // A node is named by where it is.
  if (named.size() == 1 && llvm::StringRef(shownPath(path)).rsplit('.').second == named.front())
    named.clear();
  return llvm::join(named, ", ");
}

/// The lines of an entry, where nothing else stands on them.
std::optional<Span> linesOf(const Source& source, Span entry) {
  std::string_view text = source.text;
  std::uint32_t begin = source.lines.lineStart(source.lines.lineIndex(entry.begin));
  auto end = static_cast<std::uint32_t>(std::min(text.find('\n', entry.end), text.size()));
  std::string_view before = text.substr(begin, entry.begin - begin),
                   after = text.substr(entry.end, end - entry.end);
  bool isAlone = before.find_first_not_of(" \t-") == std::string_view::npos &&
                 std::count(before.begin(), before.end(), '-') == 1 &&
                 after.find_first_not_of(" \t\r") == std::string_view::npos;
  if (!isAlone)
    return std::nullopt;
  return Span{entry.file, begin, end < text.size() ? end + 1 : end};
}

} // namespace

std::optional<RecordKey> recordKeyOf(const SourceManager& sources,
                                     const std::filesystem::path& folder, const CheckedFile& file,
                                     const Diagnostic& finding) {
  const yaml::Tree* tree = finding.span.valid() ? treeOf(file, finding.span.file) : nullptr;
  const auto& checked = sources.get(file.file).path;
  if (!tree || checked.empty())
    return std::nullopt;
  const auto& path = sources.get(finding.span.file).path;
  RecordKey out;
  out.checked = checked.lexically_relative(folder).string();
  out.file = path.lexically_relative(folder).string();
  out.code = finding.code;
  if (utf8::firstInvalid(out.checked) || utf8::firstInvalid(out.file))
    return std::nullopt; // no YAML can name it
  if (auto at = yaml::pathAt(*tree, finding.span.begin)) {
    out.contract = contractOf(*tree, *at->document);
    out.at = shownPath(*at);
    out.about = aboutOf(finding, sources.get(finding.span.file), *at);
  }
  return out;
}

RecordedFindings::RecordedFindings(const SourceManager& sources, const project::Baseline& baseline,
                                   CheckedFile& file)
    : sources_(sources), baseline_(baseline), file_(file) {
  for (const Diagnostic& finding : file.diagnostics) {
    keys_.push_back(recordKeyOf(sources, baseline.folder, file, finding));
    if (!keys_.back())
      continue;
    RecordKey& key = *keys_.back();
    if (RecordKey broad = project::withoutAbout(key); allowed(key) == 0 && allowed(broad) > 0)
      key = std::move(broad);
    ++found_[key];
  }
}

/// What a parent's own check finds is recorded once, however many contracts extend it.
std::uint64_t RecordedFindings::allowed(const RecordKey& key) const {
  std::uint64_t own = baseline_.countOf(key);
  if (key.checked == key.file)
    return own;
  RecordKey parents = key;
  parents.checked = key.file;
  return own + baseline_.countOf(parents);
}

void RecordedFindings::passOver() {
  std::vector<Diagnostic> shown;
  for (std::size_t i = 0; i < keys_.size(); ++i) {
    Diagnostic& finding = file_.diagnostics[i];
    std::uint64_t most = keys_[i] ? allowed(*keys_[i]) : 0;
    if (most == 0 || !isSettable(finding)) {
      shown.push_back(std::move(finding));
    } else if (std::uint64_t count = found_.at(*keys_[i]); count <= most) {
      file_.recorded.push_back(std::move(finding));
    } else {
      finding.note(fmt::format("this finding occurs {1} times here; {2} records {0}, without "
                               "saying which",
                               most, count, utf8::tickedPath(baseline_.name)));
      shown.push_back(std::move(finding));
    }
  }
  file_.diagnostics = std::move(shown);
}

std::uint64_t RecordedFindings::left(const RecordKey& key, const Record& record) const {
  auto found = found_.find(key);
  std::uint64_t count = found == found_.end() ? 0 : found->second;
  std::uint64_t parents = allowed(key) - record.count;
  return std::min(record.count, count - std::min(count, parents));
}

void RecordedFindings::reportStale(llvm::function_ref<FileId()> text, diag::Sink& sink) const {
  if (isFaulty(file_))
    return;
  RecordKey first;
  first.checked = baseline_.nameOf(sources_.get(file_.file).path);
  for (auto at = baseline_.records.lower_bound(first);
       at != baseline_.records.end() && at->first.checked == first.checked; ++at)
    if (left(at->first, at->second) < at->second.count)
      reportOne(at->first, at->second, text(), sink);
}

void RecordedFindings::reportOne(const RecordKey& key, const Record& record, FileId text,
                                 diag::Sink& sink) const {
  std::uint64_t count = left(key, record);
  Span entry = record.span;
  entry.file = text;
  std::string now = count == 0 ? "it no longer occurs"
                               : fmt::format("expected {} findings, found {}", record.count, count);
  auto& found = sink.report<diag::StaleRecord>(entry, utf8::ticked(diag::info(key.code).id),
                                               shownPlace(key), now);
  if (count > 0) {
    Span written = record.countSpan;
    written.file = text;
    found.fix("correct the count", {{written, std::to_string(count)}});
  } else if (auto lines = linesOf(sources_.get(text), entry)) {
    found.fix("drop the entry", {{*lines, ""}});
  }
}

} // namespace tikc::pipeline
