#include "diag/report/Forms.h"
#include "diag/report/Parts.h"

namespace tikc::diag {
namespace {

constexpr SeverityWords gitlabWords{"major", "minor", "info"};

} // namespace

std::string formGitlab(const Report& report, const RenderOptions&) {
  return writeJson([&](llvm::json::OStream& json) {
    Fingerprints fingerprints;
    json.array([&] {
      for (const Diagnostic& d : report.diagnostics) {
        json.object([&] {
          json.attribute("description", jsonText(plainMessage(d)));
          json.attribute("check_name", jsonText(info(d.code).id));
          json.attribute("fingerprint", fingerprints.next(report.sources, d));
          json.attribute("severity", jsonText(severityWord(gitlabWords, d.severity)));
          json.attributeObject("location", [&] {
            json.attribute("path", jsonText(normalPath(report.sources.get(d.span.file))));
            json.attributeObject("lines", [&] {
              json.attribute("begin", report.sources.position(d.span.file, d.span.begin).line);
              json.attribute("end", report.sources.position(d.span.file, d.span.end).line);
            });
          });
        });
      }
    });
  });
}

} // namespace tikc::diag
