#include "diag/report/Forms.h"
#include "diag/report/Parts.h"

namespace tikc::diag {
namespace {

class JsonWriter {
public:
  JsonWriter(llvm::json::OStream& json, const SourceManager& sources)
      : json_(json), sources_(sources) {}

  void diagnostic(const Diagnostic& d) {
    json_.object([&] {
      const CodeInfo& row = info(d.code);
      json_.attribute("code", jsonText(row.id));
      json_.attribute("name", jsonText(row.name));
      json_.attribute("severity", jsonText(severityName(d.severity)));
      json_.attribute("message", jsonText(d.message));
      json_.attribute("label", jsonText(d.label));
      place(d.span);
      json_.attributeArray("notes", [&] {
        for (const std::string& note : d.notes)
          json_.value(jsonText(note));
      });
      json_.attributeArray("related", [&] {
        for (const RelatedPlace& related : d.related)
          json_.object([&] {
            json_.attribute("message", jsonText(related.message));
            place(related.span);
          });
      });
      json_.attributeArray("fixes", [&] {
        for (const Fix& each : d.fixes)
          fix(each);
      });
    });
  }

  void claim(const ClaimVerdict& row) {
    json_.object([&] {
      json_.attribute("file", jsonText(sources_.get(row.file).name));
      json_.attribute("contract", jsonText(row.contract));
      json_.attribute("draft", row.isDraft);
      json_.attribute("claim", jsonText(row.claim));
      json_.attribute("verdict", jsonText(row.verdict));
      json_.attribute("bound", jsonText(row.bound));
      json_.attribute("budget", jsonText(row.budget));
      json_.attribute("slack", jsonText(row.slack));
      json_.attributeArray("slices", [&] {
        for (const std::string& slice : row.slices)
          json_.value(jsonText(slice));
      });
    });
  }

  void gate(const JudgedGate& row) {
    json_.object([&] {
      json_.attribute("gate", jsonText(row.gate));
      json_.attribute("verdict", jsonText(row.verdict));
      json_.attribute("tv", jsonText(row.tv));
      json_.attribute("bias", jsonText(row.bias));
      place(row.place);
    });
  }

  void fixed(const FixedFinding& row) {
    json_.object([&] {
      json_.attribute("code", jsonText(info(row.code).id));
      json_.attribute("message", jsonText(row.message));
      place(row.span);
      json_.attribute("title", jsonText(row.title));
      json_.attribute("safe", row.safe);
      json_.attributeArray("changed", [&] {
        for (FileId file : row.changed)
          json_.value(jsonText(sources_.get(file).name));
      });
    });
  }

  void held(const HeldFix& row) {
    json_.object([&] {
      json_.attribute("code", jsonText(info(row.code).id));
      place(row.span);
      json_.attribute("title", jsonText(row.title));
      json_.attribute("why", jsonText(row.why));
    });
  }

  void test(const RanTest& row) {
    json_.object([&] {
      json_.attribute("name", jsonText(row.name));
      json_.attribute("passed", row.isPassed);
      place(row.place);
    });
  }

  void covered(const CoveredRules& row) {
    json_.object([&] {
      json_.attribute("contract", jsonText(row.contract));
      json_.attribute("all", row.all);
      json_.attribute("met", row.met);
      json_.attributeArray("missed", [&] {
        for (const std::string& each : row.missed)
          json_.value(jsonText(each));
      });
    });
  }

private:
  void fix(const Fix& fix) {
    json_.object([&] {
      json_.attribute("title", jsonText(fix.title));
      json_.attribute("safe", fix.safe);
      json_.attributeArray("edits", [&] {
        for (const Edit& edit : fix.edits)
          json_.object([&] {
            place(edit.span);
            json_.attribute("text", jsonText(edit.text));
          });
      });
    });
  }

  void place(const Span& span) {
    json_.attribute("file", jsonText(sources_.get(span.file).name));
    json_.attributeObject("range", [&] {
      position("start", span.file, span.begin);
      position("end", span.file, span.end);
    });
  }

  void position(llvm::StringRef name, FileId file, std::uint32_t offset) {
    Position position = sources_.position(file, offset);
    json_.attributeObject(name, [&] {
      json_.attribute("line", position.line);
      json_.attribute("column", position.column);
      json_.attribute("offset", offset);
    });
  }

  llvm::json::OStream& json_;
  const SourceManager& sources_;
};

} // namespace

std::string formJson(const Report& report, const RenderOptions&) {
  return writeJson([&](llvm::json::OStream& json) {
    Counts counts = count(report);
    JsonWriter writer(json, report.sources);
    json.object([&] {
      json.attribute("version", 1);
      json.attributeObject("tool", [&] {
        json.attribute("name", "tikc");
        json.attribute("version", jsonText(report.version));
      });
      json.attributeObject("summary", [&] {
        json.attribute("errors", counts.errors);
        json.attribute("warnings", counts.warnings);
        json.attribute("notes", counts.notes);
        json.attribute("files", report.checkedFiles.size());
        json.attribute("contracts", report.contracts);
        json.attribute("recorded", report.recorded);
      });
      json.attributeArray("claims", [&] {
        for (const ClaimVerdict& claim : report.claims)
          writer.claim(claim);
      });
      if (report.tests) {
        json.attributeArray("tests", [&] {
          for (const RanTest& test : *report.tests)
            writer.test(test);
        });
        json.attributeArray("coverage", [&] {
          for (const CoveredRules& row : report.covered)
            writer.covered(row);
        });
      }
      if (report.gates)
        json.attributeArray("gates", [&] {
          for (const JudgedGate& row : *report.gates)
            writer.gate(row);
        });
      if (report.fixes) {
        json.attributeArray("fixed", [&] {
          for (const FixedFinding& row : report.fixes->fixed)
            writer.fixed(row);
        });
        json.attributeArray("notFixed", [&] {
          for (const HeldFix& row : report.fixes->held)
            writer.held(row);
        });
        json.attribute("fixingStopped", report.fixes->stopped);
      }
      json.attributeArray("diagnostics", [&] {
        for (const Diagnostic& diagnostic : report.diagnostics)
          writer.diagnostic(diagnostic);
      });
    });
  });
}

} // namespace tikc::diag
