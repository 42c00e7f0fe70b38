#include "gate/Forms.h"

#include "support/Json.h"

#include <fmt/format.h>

namespace tikc::gate {
namespace {

class GateWriter : JsonFields {
public:
  GateWriter(llvm::json::OStream& json, const GateReport& gateReport)
      : JsonFields(json), of_(gateReport) {}

  void all(bool isDry) {
    json_.object([&] {
      const plan::Plan& plan = of_.request.subject.plan;
      json_.attribute("format", "tikc-gate/v1");
      text("contract", plan.contract);
      text("version", plan.version);
      text("fingerprint", fmt::format("0x{:016x}", of_.request.subject.loaded.fingerprint));
      text("build", plan.build);
      text("digest", plan.digest);
      text("stage", of_.request.stage);
      text("decision", name(of_.outcome));
      text("stage_after", of_.goesTo);
      json_.attribute("dry_run", isDry);
      number("decided_before", of_.repeats);
      number("confidence", of_.confidence);
      number("row_confidence", 1 - of_.alpha);
      count("attempt", of_.attempt);
      number("responses_of_a_prompt", of_.request.terms.shared);
      json_.attributeObject("evidence", [&] { evidence(); });
      json_.attributeArray("reasons", [&] {
        for (const Reason& each : of_.reasons)
          reason(each);
      });
      json_.attributeArray("clauses", [&] {
        for (const GateRow& each : of_.rows)
          row(each);
      });
      json_.attributeArray("quotas", [&] {
        for (const Quota& each : of_.quotas)
          json_.object([&] {
            text("of", each.what);
            number("has", each.has);
            number("wants", each.wants);
          });
      });
      json_.attributeArray("missing", [&] {
        for (const Missing& each : of_.missing)
          json_.object([&] {
            text("what", each.what);
            number("seconds", each.seconds);
          });
      });
    });
  }

private:
  void evidence() {
    count("pieces", of_.pieces);
    count("responses", of_.responses);
    count("tokens", of_.tokens);
    number("first", of_.first);
    number("last", of_.last);
  }

  void reason(const Reason& each) {
    constexpr std::string_view effects[] = {"note", "hold", "roll back"};
    json_.object([&] {
      text("reason", info(each.id).name);
      text("effect", effects[static_cast<std::size_t>(info(each.id).effect)]);
      text("clause", each.clause);
      text("slice", each.slice);
      text("text", each.text);
    });
  }

  void row(const GateRow& each) {
    json_.object([&] {
      text("clause", each.clause);
      text("says", each.says);
      text("slice", each.slice);
      text("verdict", name(each.outcome));
      number("value", each.value);
      number("low", each.low);
      number("high", each.high);
      number("bound", each.bound);
      text("unit", each.unit);
      text("of", each.basis);
      count("responses", each.units);
      count("observations", each.observations);
      number("needed", each.needed);
      text("given", each.premise);
      text("why", each.why);
    });
  }

  const GateReport& of_;
};

} // namespace

std::string gateJson(const GateReport& gateReport, bool isDry) {
  return writeJson([&](llvm::json::OStream& json) { GateWriter(json, gateReport).all(isDry); });
}

} // namespace tikc::gate
