#include "diag/report/Forms.h"
#include "diag/report/Parts.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <vector>

namespace tikc::diag {
namespace {

constexpr SeverityWords levels{"error", "warning", "note"};
constexpr SeverityWords problemSeverities{"error", "warning", "recommendation"};

// GitHub refuses a run with more.
constexpr std::string_view root = "%SRCROOT%";

std::string percentEncoded(std::string_view path) {
  static constexpr std::string_view plain = "-._~/!$&'()*+,;=@";
  std::string out;
  for (char c : path) {
    auto byte = static_cast<unsigned char>(c);
    if ((byte < 0x80 && std::isalnum(byte)) || plain.find(c) != std::string_view::npos)
      out += c;
    else
      out += fmt::format("%{:02X}", byte);
  }
  return out;
}

/// Brackets make a link in a message, and a backslash unmakes one.
std::string sarifEscaped(std::string_view text) {
  std::string out;
  for (char c : text) {
    if (c == '[' || c == ']' || c == '\\')
      out += '\\';
    out += c;
  }
  return out;
}

/// A related place shows only where the message links to it.
std::string linkedMessage(const Diagnostic& d) {
  std::string text = sarifEscaped(plainMessage(d));
  for (std::size_t i = 0; i < d.related.size(); ++i)
    text += fmt::format("\n[{}]({})", sarifEscaped(d.related[i].message), i + 1);
  return text;
}

class SarifWriter {
public:
  SarifWriter(llvm::json::OStream& json, const Report& report, std::string_view codesPage)
      : json_(json), report_(report), codesPage_(codesPage) {
    for (const Diagnostic& d : report.diagnostics)
      results_.push_back(&d);
    if (results_.size() > mostSarifResults) {
      std::stable_sort(
          results_.begin(), results_.end(),
          [](const Diagnostic* a, const Diagnostic* b) { return a->severity > b->severity; });
      results_.resize(mostSarifResults);
    }
    for (FileId file : report.checkedFiles)
      artifact(file);
    for (const Diagnostic* d : results_) {
      rules_.emplace(d->code, 0);
      artifact(d->span.file);
      for (const RelatedPlace& related : d->related)
        artifact(related.span.file);
      for (const Fix& fix : d->fixes)
        for (const Edit& edit : fix.edits)
          artifact(edit.span.file);
    }
    std::size_t next = 0;
    for (auto& [code, index] : rules_)
      index = next++;
  }

  void run() {
    json_.object([&] {
      json_.attributeObject("tool", [&] { json_.attributeObject("driver", [&] { driver(); }); });
      json_.attributeArray("invocations", [&] { json_.object([&] { invocation(); }); });
      json_.attribute("columnKind", "unicodeCodePoints");
      json_.attributeObject("originalUriBaseIds", [&] {
        json_.attributeObject(llvm::StringRef(root), [&] {
          json_.attributeObject("description",
                                [&] { json_.attribute("text", "The folder that tikc ran in."); });
        });
      });
      json_.attributeArray("artifacts", [&] {
        for (FileId file : artifactOrder_)
          json_.object([&] { json_.attributeObject("location", [&] { uri(file); }); });
      });
      json_.attributeArray("results", [&] {
        for (const Diagnostic* d : results_)
          json_.object([&] { result(*d); });
      });
    });
  }

private:
  std::size_t artifact(FileId file) {
    auto [entry, isNew] = artifacts_.emplace(file, artifacts_.size());
    if (isNew)
      artifactOrder_.push_back(file);
    return entry->second;
  }

  void driver() {
    json_.attribute("name", "tikc");
    json_.attribute("fullName", "tikc, the compiler for training-inference kernel contracts");
    json_.attribute("version", jsonText(report_.version));
    json_.attributeArray("rules", [&] {
      for (auto [code, index] : rules_)
        json_.object([&, wanted = code] { rule(info(wanted)); });
    });
  }

  void rule(const CodeInfo& row) {
    json_.attribute("id", jsonText(row.id));
    json_.attribute("name", jsonText(row.name));
    message("shortDescription", row.summary);
    message("fullDescription", row.why);
    if (!codesPage_.empty())
      json_.attribute("helpUri", jsonText(placeIn(codesPage_, row.code)));
    std::string page =
        fmt::format("{}\n\n{}\n\nMore: tikc explain {}", row.summary, row.why, row.id);
    std::string markdown =
        fmt::format("**{}**\n\n{}\n\nMore: `tikc explain {}`", row.summary, row.why, row.id);
    json_.attributeObject("help", [&] {
      json_.attribute("text", jsonText(page));
      json_.attribute("markdown", jsonText(markdown));
    });
    json_.attributeObject("defaultConfiguration", [&] {
      json_.attribute("enabled", row.severity != Severity::Off);
      json_.attribute("level", row.severity == Severity::Off
                                   ? "none"
                                   : jsonText(severityWord(levels, row.severity)));
    });
    json_.attributeObject("properties", [&] {
      json_.attributeArray("tags", [&] { json_.value("kernel-contract"); });
      json_.attribute("problem.severity", jsonText(severityWord(problemSeverities, row.severity)));
    });
  }

  void invocation() {
    json_.attribute("executionSuccessful", true);
    if (results_.size() == report_.diagnostics.size())
      return;
    json_.attributeArray("toolExecutionNotifications", [&] {
      json_.object([&] {
        json_.attribute("level", "error");
        message("message",
                fmt::format(
                    "Of {} findings the {} most severe are listed, which is the most that a report "
                    "may hold; the text and json forms list all.",
                    report_.diagnostics.size(), results_.size()));
      });
    });
  }

  void result(const Diagnostic& d) {
    json_.attribute("ruleId", jsonText(info(d.code).id));
    json_.attribute("ruleIndex", rules_.at(d.code));
    json_.attribute("level", jsonText(severityWord(levels, d.severity)));
    message("message", linkedMessage(d));
    json_.attributeArray("locations", [&] { json_.object([&] { place(d.span); }); });
    json_.attributeObject("partialFingerprints", [&] {
      json_.attribute("primaryLocationLineHash", fingerprints_.next(report_.sources, d));
    });
    if (!d.related.empty())
      json_.attributeArray("relatedLocations", [&] {
        for (std::size_t i = 0; i < d.related.size(); ++i)
          json_.object([&] {
            json_.attribute("id", i + 1);
            place(d.related[i].span);
            message("message", sarifEscaped(d.related[i].message));
          });
      });
    if (!d.fixes.empty())
      json_.attributeArray("fixes", [&] {
        for (const Fix& each : d.fixes)
          json_.object([&] { fix(each); });
      });
  }

  void fix(const Fix& fix) {
    message("description", sarifEscaped(fix.title));
    std::map<std::size_t, std::vector<const Edit*>> byArtifact;
    for (const Edit& edit : fix.edits)
      byArtifact[artifacts_.at(edit.span.file)].push_back(&edit);
    json_.attributeArray("artifactChanges", [&] {
      for (auto& [index, edits] : byArtifact)
        json_.object([&, &changes = edits] {
          json_.attributeObject("artifactLocation", [&] { location(changes.front()->span.file); });
          json_.attributeArray("replacements", [&] {
            for (const Edit* edit : changes)
              json_.object([&] {
                json_.attributeObject("deletedRegion", [&] { region(edit->span); });
                message("insertedContent", edit->text);
              });
          });
        });
    });
    json_.attributeObject("properties", [&] { json_.attribute("safe", fix.safe); });
  }

  void place(const Span& span) {
    json_.attributeObject("physicalLocation", [&] {
      json_.attributeObject("artifactLocation", [&] { location(span.file); });
      json_.attributeObject("region", [&] { region(span); });
    });
  }

  void location(FileId file) {
    uri(file);
    json_.attribute("index", artifacts_.at(file));
  }

  void uri(FileId file) {
    std::string path = normalPath(report_.sources.get(file));
    bool absolute = path.starts_with('/');
    json_.attribute("uri", (absolute ? "file://" : "") + percentEncoded(path));
    if (!absolute)
      json_.attribute("uriBaseId", jsonText(root));
  }

  void region(const Span& span) {
    Position begin = report_.sources.position(span.file, span.begin);
    Position end = report_.sources.position(span.file, span.end);
    json_.attribute("startLine", begin.line);
    json_.attribute("startColumn", begin.column);
    json_.attribute("endLine", end.line);
    json_.attribute("endColumn", end.column);
  }

  void message(llvm::StringRef name, std::string_view text) {
    json_.attributeObject(name, [&] { json_.attribute("text", jsonText(text)); });
  }

  llvm::json::OStream& json_;
  const Report& report_;
  std::string_view codesPage_;
  std::vector<const Diagnostic*> results_;
  std::map<Code, std::size_t> rules_;
  std::map<FileId, std::size_t> artifacts_;
  std::vector<FileId> artifactOrder_;
  Fingerprints fingerprints_;
};

} // namespace

std::string formSarif(const Report& report, const RenderOptions& options) {
  return writeJson([&](llvm::json::OStream& json) {
    SarifWriter writer(json, report, options.codesPage);
    json.object([&] {
      json.attribute("$schema", "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/"
                                "schemas/sarif-schema-2.1.0.json");
      json.attribute("version", "2.1.0");
      json.attributeArray("runs", [&] { writer.run(); });
    });
  });
}

} // namespace tikc::diag
