#include "measure/DiagnosisForms.h"
#include "measure/inspection/Inspection.h"
#include "support/Json.h"

#include <llvm/Support/JSON.h>

namespace tikc::measure {
namespace {

/// The keys of an inspection, in their order.
class InspectionWriter : JsonFields {
public:
  InspectionWriter(llvm::json::OStream& json, const Inspection& inspection)
      : JsonFields(json), of_(inspection), summary_(inspection.summary) {}

  void write() {
    json_.attribute("format", "tikc-inspection/v1");
    json_.attributeArray("inputs", [&] {
      for (std::size_t i = 0; i < of_.source.inputs().size(); ++i)
        json_.object([&] {
          const data::Input& input = *of_.source.inputs()[i];
          texts("files", input.files());
          text("form", input.form());
          count("bytes", input.bytes());
          text("preset", of_.source.layouts()[i].preset);
        });
    });
    texts("repeated", of_.source.repeated());
    text("preset", of_.source.layout().preset);
    json_.attribute("recognised", of_.source.wasRecognised());
    fields();
    counts();
    json_.attributeArray("faults", [&] {
      for (const data::Fault& fault : summary_.report.faults)
        json_.object([&] { at(fault, "message"); });
    });
    json_.attributeObject("train", [&] { side(summary_.train, summary_.report.train); });
    json_.attributeObject("infer", [&] { side(summary_.infer, summary_.report.infer); });
    json_.attributeObject("drift", [&] { drift(summary_.signs.whole); });
    if (summary_.signs.whole.tokens > 0)
      json_.attributeObject("largest", [&] { at(summary_.largest, "token"); });
    json_.attributeObject("coherence", [&] {
      const verdict judged = summary_.coherence.judged();
      text("verdict", name(judged));
      number("log_evidence", summary_.coherence.logEvidence());
      json_.attribute("disproved", judged == verdict::violated);
      json_.attribute("confidence", data::Coherence::confidence);
    });
    if (summary_.signs.whole.tokens > 0)
      json_.attributeObject("diagnosis",
                            [&] { writeDiagnosis(json_, data::Diagnosis::of(summary_.signs)); });
    breakdowns();
    rows();
    for (const trainers::BatchTally& each : summary_.figures)
      json_.attributeObject("figures", [&] { figures(each); });
  }

private:
  void fields() {
    json_.attributeArray("fields", [&] {
      for (const data::SurveyedField& field : of_.source.survey().fields)
        json_.object([&] {
          text("path", field.path);
          text("kind", field.kind);
          count("records", field.records);
          if (!field.shape.empty())
            text("shape", field.shape);
          if (field.isList)
            json_.attributeArray("lengths", [&] {
              json_.value(static_cast<std::int64_t>(field.shortest));
              json_.value(static_cast<std::int64_t>(field.longest));
            });
        });
    });
  }

  void counts() {
    const data::PieceReport& report = summary_.report;
    count("records", report.records);
    count("broken", report.broken);
    count("unpaired", report.unpaired);
    count("responses", report.responses);
    count("repeated_pieces", summary_.repeatedPieces);
    count("tokens", summary_.tokens);
    count("counted", summary_.counted);
    count("padding", report.padding);
    count("skipped", report.skipped);
    count("unknown_values", report.unknownValues);
    count("equal", summary_.signs.equal);
    if (report.responses > 0)
      json_.attributeArray("lengths", [&] {
        json_.value(static_cast<std::int64_t>(summary_.shortest));
        json_.value(static_cast<std::int64_t>(summary_.longest));
      });
  }

  void at(const data::Fault& fault, llvm::StringRef word) {
    text("file", fault.file);
    count("line", fault.line);
    count("byte", fault.byte);
    count("record", fault.record);
    count("response", fault.response);
    text("field", fault.field);
    text(word, fault.message);
  }

  void side(const data::SideScale& scale, const data::ClassCounts& counts) {
    count("tokens", scale.tokens);
    count("non_finite_counted", scale.nonFinite);
    count("above_0", scale.above0);
    if (scale.tokens > 0) {
      number("mean", scale.mean());
      number("smallest", scale.smallest);
      number("largest", scale.largest);
    }
    constexpr const char* keys[] = {"finite",         "nan",  "infinity",
                                    "minus_infinity", "null", "sentinel"};
    json_.attributeObject("values", [&] {
      for (std::size_t i = 0; i < counts.size(); ++i)
        count(keys[i], counts[i]);
    });
  }

  void drift(const data::Drift& drift) {
    count("tokens", drift.tokens);
    count("responses", drift.responses);
    if (drift.tokens == 0)
      return;
    number("mean_abs", drift.meanAbsolute());
    number("largest", drift.largest);
    number("k1", drift.k1());
    number("k3", drift.k3());
    number("mean_weight", drift.meanWeight());
    number("mean_weight_error", drift.standardError());
  }

  void breakdowns() {
    json_.attributeArray("positions", [&] {
      for (std::size_t bin = 0; bin < summary_.signs.positions.size(); ++bin)
        if (const data::Drift& at = summary_.signs.positions[bin]; at.tokens != 0)
          json_.object([&] {
            count("begin", data::beginOfLogBin(bin));
            drift(at);
          });
    });
    json_.attributeArray("versions", [&] {
      for (const auto& each : summary_.versions)
        json_.object([&] {
          number("version", each.first);
          drift(each.second);
        });
    });
  }

  void rows() {
    const data::RowSummary& rows = summary_.rows;
    json_.attributeObject("rows", [&] {
      count("rows", rows.rows);
      count("masked", rows.masked);
      count("non_finite", rows.nonFinite);
      count("left_out", rows.unreadable);
      count("masked_by_one_side", rows.maskedByOne);
      if (rows.compared() == 0)
        return;
      const auto n = static_cast<double>(rows.compared());
      count("vocabulary", rows.vocabulary);
      number("mean_kl", rows.divergence / n);
      number("mean_tv", rows.variation / n);
      number("largest_tv", rows.largestVariation);
      number("same_top", rows.sameTop / n);
    });
  }

  void figures(const trainers::BatchTally& batch) {
    text("trainer", rowOf(batch.trainer()).name);
    number("cap", batch.cap());
    json_.attributeObject("values", [&] {
      for (const trainers::TrainerFigure& each : trainers::figuresOf(batch.trainer()))
        number(each.name, batch.value(each));
    });
  }

  const Inspection& of_;
  const data::Summary& summary_;
};

} // namespace

std::string inspectionJson(const Inspection& inspection) {
  return writeJson([&](llvm::json::OStream& json) {
    json.object([&] { InspectionWriter(json, inspection).write(); });
  });
}

} // namespace tikc::measure
