#include "diag/report/Forms.h"
#include "diag/report/Parts.h"

#include <algorithm>

namespace tikc::diag {
namespace {

constexpr SeverityWords rdjsonWords{"ERROR", "WARNING", "INFO"};

class RdjsonWriter {
public:
  RdjsonWriter(llvm::json::OStream& json, const SourceManager& sources, std::string_view codesPage)
      : json_(json), sources_(sources), codesPage_(codesPage) {}

  void diagnostic(const Diagnostic& d) {
    json_.object([&] {
      json_.attribute("message", jsonText(plainMessage(d)));
      json_.attributeObject("location", [&] { location(d.span); });
      json_.attribute("severity", jsonText(severityWord(rdjsonWords, d.severity)));
      json_.attributeObject("code", [&] {
        json_.attribute("value", jsonText(info(d.code).id));
        if (!codesPage_.empty())
          json_.attribute("url", jsonText(placeIn(codesPage_, d.code)));
      });
      json_.attributeArray("suggestions", [&] {
        for (const Fix& fix : d.fixes)
          suggestion(fix, d.span.file);
      });
      json_.attributeArray("related_locations", [&] {
        for (const RelatedPlace& related : d.related)
          json_.object([&] {
            json_.attribute("message", jsonText(related.message));
            json_.attributeObject("location", [&] { location(related.span); });
          });
      });
    });
  }

private:
  /// A suggestion is one range, and two of them are two ways out. So the edits of a fix become one
  /// that carries the text between them along. What no single range can say, an edit of two files
  /// or of places far apart, is left out.
  void suggestion(const Fix& fix, FileId file) {
    static constexpr std::uint32_t longest = 64 << 10;
    std::vector<Edit> edits = fix.edits;
    std::stable_sort(edits.begin(), edits.end(),
                     [](const Edit& a, const Edit& b) { return a.span < b.span; });
    if (edits.empty() || edits.front().span.file != file || edits.back().span.file != file)
      return;
    Span whole = edits.front().span;
    std::string text;
    for (const Edit& edit : edits) {
      if (edit.span.begin > whole.end)
        text += sources_.text({file, whole.end, std::min(edit.span.begin, whole.end + longest)});
      text += edit.text;
      whole = join(whole, edit.span);
      if (whole.size() > longest)
        return;
    }
    json_.object([&] {
      json_.attributeObject("range", [&] { range(whole); });
      json_.attribute("text", jsonText(text));
    });
  }

  void location(const Span& span) {
    json_.attribute("path", jsonText(normalPath(sources_.get(span.file))));
    json_.attributeObject("range", [&] { range(span); });
  }

  void range(const Span& span) {
    position("start", span.file, span.begin);
    position("end", span.file, span.end);
  }

  void position(llvm::StringRef name, FileId file, std::uint32_t offset) {
    const LineTable& lines = sources_.get(file).lines;
    json_.attributeObject(name, [&] {
      json_.attribute("line", lines.lineIndex(offset) + 1);
      json_.attribute("column", lines.byteColumn(offset));
    });
  }

  llvm::json::OStream& json_;
  const SourceManager& sources_;
  std::string_view codesPage_;
};

} // namespace

std::string formRdjson(const Report& report, const RenderOptions& options) {
  return writeJson([&](llvm::json::OStream& json) {
    RdjsonWriter writer(json, report.sources, options.codesPage);
    json.object([&] {
      json.attributeObject("source", [&] { json.attribute("name", "tikc"); });
      json.attributeArray("diagnostics", [&] {
        for (const Diagnostic& diagnostic : report.diagnostics)
          writer.diagnostic(diagnostic);
      });
    });
  });
}

} // namespace tikc::diag
