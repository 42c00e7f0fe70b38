#include "project/Baseline.h"

#include "support/Utf8.h"
#include "support/Yaml.h"
#include "yaml/YamlReader.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>

namespace tikc::project {

namespace fs = std::filesystem;
using utf8::ticked;
using yaml::Entry;
using yaml::Node;

namespace {

constexpr std::string_view header =
    "# Known findings, which `tikc check` does not report. `tikc baseline` writes this file. Keep\n"
    "# the reasons, and make the list shorter over time.\n";

// The rest is told by its number: a limit on findings would make errors of notes.
constexpr std::size_t mostTold = 50;

class BaselineReader {
public:
  BaselineReader(Baseline& baseline, const Settings& settings, diag::Sink& sink)
      : baseline_(baseline), settings_(settings), sink_(sink) {}

  void read(const Node& root) {
    readRoot(root);
    tell<diag::StaleRecord>(lost_, "the file does not exist");
    tell<diag::RecordWithoutReason>(unreasoned_);
  }

private:
  using Row = std::map<RecordKey, Record>::value_type;
  /// An entry as far as it was read.
  struct Draft {
    RecordKey key;
    Record record;
    bool isGood = true;
    bool hasCode = false;
  };

  void readRoot(const Node& root) {
    if (root.isNull())
      return;
    if (root.kind != Node::Kind::Mapping)
      return bad(root.span, "a baseline", "must be a map");
    for (const Entry& entry : root.entries) {
      if (entry.key->value == "findings")
        readList(*entry.value);
      else if (entry.key->value != "version")
        unknown(entry, {"version", "findings"}, "a baseline");
      else if (entry.value->value != "1")
        bad(entry.value->span, "`version`", "must be 1");
    }
  }

  void bad(const Span& span, std::string_view what, std::string_view why) {
    sink_.report<diag::BadBaseline>(span, what, why);
  }

  void unknown(const Entry& entry, const std::vector<std::string_view>& known,
               std::string_view map) {
    auto& found = sink_.report<diag::UnknownKey>(entry.key->span, ticked(entry.key->value), map);
    found.offerNearest(entry.key->span, entry.key->value, known, Likeness::Slip);
    found.note(fmt::format("keys here: {}", fmt::join(known, ", ")));
  }

  void readList(const Node& list) {
    if (list.isNull())
      return;
    if (list.kind != Node::Kind::Sequence)
      return bad(list.span, "`findings`", "must be a list");
    for (const auto& item : list.items)
      readEntry(*item);
  }

  void readEntry(const Node& item) {
    if (item.kind != Node::Kind::Mapping)
      return bad(item.span, "an entry", "must be a map");
    Draft draft;
    draft.record.span = item.span;
    for (const Entry& entry : item.entries)
      readKey(draft, entry);
    if (!draft.isGood)
      return;
    if (!draft.hasCode || draft.key.file.empty())
      return bad(item.span, "an entry", "must have a `code` and a `file`");
    if (draft.key.checked.empty())
      draft.key.checked = draft.key.file;
    take(draft);
  }

  void readKey(Draft& draft, const Entry& entry) {
    struct Row {
      std::string_view key;
      std::string RecordKey::*text;
    };
    static constexpr Row rows[] = {
        {"contract", &RecordKey::contract}, {"at", &RecordKey::at}, {"about", &RecordKey::about}};
    const std::string& key = entry.key->value;
    const Node& value = *entry.value;
    for (const Row& row : rows)
      if (row.key == key)
        return readText(draft, entry, draft.key.*row.text);
    if (key == "file" || key == "through")
      return readPath(draft, entry, key == "file" ? draft.key.file : draft.key.checked);
    if (key == "reason")
      return readText(draft, entry, draft.record.reason);
    if (key == "code")
      return readCode(draft, value);
    if (key == "count")
      return readCount(draft, value);
    draft.isGood = false;
    unknown(entry, {"code", "file", "contract", "at", "about", "through", "count", "reason"},
            "an entry");
  }

  void readText(Draft& draft, const Entry& entry, std::string& out) {
    if (entry.value->kind == Node::Kind::Scalar && !entry.value->isNull()) {
      out = entry.value->value;
      return;
    }
    draft.isGood = false;
    bad(entry.value->span, ticked(entry.key->value), "must be a text");
  }

  /// No finding is of a file that another path leads to, so that the entry would never be met.
  void readPath(Draft& draft, const Entry& entry, std::string& out) {
    readText(draft, entry, out);
    const fs::path path = out;
    const bool leadsDown = path.is_relative() && path == path.lexically_normal() &&
                           (path.empty() || *path.begin() != "..");
    if (leadsDown)
      return;
    draft.isGood = false;
    bad(entry.value->span, ticked(entry.key->value),
        "must be a path below the baseline's folder, such as `fleet/rollout.tikc.yaml`");
  }

  void readCode(Draft& draft, const Node& value) {
    auto code = diag::findCode(value.value);
    if (!code)
      sink_.report<diag::UnknownRecordedCode>(value.span, ticked(value.value));
    else if (diag::info(*code).policy == diag::SeverityPolicy::Fixed)
      sink_.report<diag::FixedRecord>(value.span, ticked(value.value));
    else
      draft.key.code = *code;
    draft.hasCode = true;
    draft.isGood &= code && diag::info(*code).policy == diag::SeverityPolicy::Settable;
  }

  void readCount(Draft& draft, const Node& value) {
    const char* end = value.value.data() + value.value.size();
    auto [rest, error] = std::from_chars(value.value.data(), end, draft.record.count);
    draft.record.countSpan = value.span;
    if (value.kind == Node::Kind::Scalar && error == std::errc() && rest == end &&
        draft.record.count > 0)
      return;
    draft.isGood = false;
    bad(value.span, "`count`", "must be a whole number, at least 1");
  }

  void take(const Draft& draft) {
    auto [known, fresh] = baseline_.records.emplace(draft.key, draft.record);
    if (!fresh) {
      sink_.report<diag::BadBaseline>(draft.record.span, "an entry", "repeats another entry")
          .relatedTo(known->second.span, "the other one is here");
      return;
    }
    std::error_code error;
    if (!fs::exists(baseline_.folder / draft.key.file, error))
      lost_.push_back(&*known);
    else if (draft.record.reason.empty())
      unreasoned_.push_back(&*known);
  }

  /// As severe as the settings have it. Of many alike the first say what there is to do.
  template <typename Kind, typename... Words>
  void tell(const std::vector<const Row*>& rows, const Words&... words) {
    auto severity = settings_.severityOf(Kind::code, diag::info(Kind::code).severity);
    if (severity == diag::Severity::Off)
      return;
    for (std::size_t i = 0; i < std::min(rows.size(), mostTold); ++i) {
      const auto& [key, record] = *rows[i];
      auto& found = sink_.reportAs<Kind>(severity, record.span, ticked(diag::info(key.code).id),
                                         shownPlace(key), words...);
      if (i + 1 == mostTold && rows.size() > mostTold)
        found.note(fmt::format("more entries like it: {}", rows.size() - mostTold));
    }
  }

  Baseline& baseline_;
  const Settings& settings_;
  diag::Sink& sink_;
  std::vector<const Row*> lost_, unreasoned_;
};

} // namespace

RecordKey withoutAbout(RecordKey key) {
  key.about.clear();
  return key;
}

std::string shownPlace(const RecordKey& key) {
  std::string out;
  if (!key.at.empty())
    out = ticked(key.at) + " of ";
  if (!key.contract.empty())
    out += ticked(key.contract) + " of ";
  out += utf8::tickedPath(key.file);
  if (key.checked != key.file)
    out += fmt::format(" (through {})", utf8::tickedPath(key.checked));
  if (!key.about.empty())
    out += " about " + ticked(key.about);
  return out;
}

std::uint64_t Baseline::countOf(const RecordKey& key) const {
  auto found = records.find(key);
  return found == records.end() ? 0 : found->second.count;
}

std::string Baseline::nameOf(const fs::path& file) const {
  return file.empty() ? std::string() : file.lexically_relative(folder).string();
}

llvm::Error addBaseline(SourceManager& sources, Settings& settings, const Limits& limits,
                        diag::Sink& sink) {
  fs::path path = settings.folder / baselineFile;
  auto file = readProjectFile(sources, path, limits, sink);
  if (!file)
    return file.takeError();
  if (!*file)
    return llvm::Error::success();
  yaml::Tree tree = yaml::readYaml(sources, **file, limits, sink);
  auto out = std::make_shared<Baseline>();
  const Source& source = sources.get(**file);
  out->folder = settings.folder;
  out->name = source.name;
  out->path = path;
  out->text = source.text;
  if (!tree.documents.empty())
    BaselineReader(*out, settings, sink).read(*tree.documents.front().root);
  settings.baseline = std::move(out);
  return llvm::Error::success();
}

std::string printBaseline(const std::map<RecordKey, Record>& records) {
  std::string out =
      fmt::format("{}version: 1\nfindings:{}\n", header, records.empty() ? " []" : "");
  for (const auto& [key, record] : records) {
    out += fmt::format("  - {{ code: {}, file: {}", diag::info(key.code).id, quoteYaml(key.file));
    auto add = [&](std::string_view name, const std::string& text) {
      if (!text.empty())
        out += fmt::format(", {}: {}", name, quoteYaml(text));
    };
    add("contract", key.contract);
    add("at", key.at);
    add("about", key.about);
    if (key.checked != key.file)
      add("through", key.checked);
    if (record.count > 1)
      out += fmt::format(", count: {}", record.count);
    add("reason", record.reason);
    out += " }\n";
  }
  return out;
}

} // namespace tikc::project
