#include "measure/Forms.h"

#include "measure/Comparison.h"
#include "measure/DiagnosisForms.h"
#include "support/Json.h"
#include "support/StringRef.h"

#include <cmath>

#include <fmt/format.h>

namespace tikc::measure {
namespace {

class MeasurementWriter : JsonFields {
public:
  MeasurementWriter(llvm::json::OStream& json, const MeasuredContract& contract)
      : JsonFields(json), of_(contract) {}

  void all() {
    json_.object([&] {
      json_.attribute("format", "tikc-measurement/v1");
      const plan::Plan& plan = of_.subject.plan;
      text("contract", plan.contract);
      text("version", plan.version);
      text("fingerprint", fmt::format("0x{:016x}", of_.subject.loaded.fingerprint));
      text("pair", plan::streamName(plan.streams[of_.subject.stream]));
      text("judged", of_.subject.rounds.text());
      text("verdict", of_.outcome());
      json_.attributeObject("data", [&] { intake(); });
      json_.attributeArray("clauses", [&] {
        for (const Row& each : of_.rows)
          row(each);
      });
      json_.attributeArray("assumptions", [&] {
        for (const AssumptionRow& each : of_.assumptions)
          row(each);
      });
      json_.attributeArray("claims", [&] {
        for (const ClaimRow& each : of_.claims)
          row(each);
      });
      if (of_.against != nullptr)
        json_.attributeObject("against", [&] { comparison(); });
      if (of_.diagnosis)
        json_.attributeObject("diagnosis", [&] { writeDiagnosis(json_, *of_.diagnosis); });
      texts("unasked", unaskedClauses(of_));
      texts("others", of_.others);
      json_.attributeArray("rules", [&] {
        for (const Activation& each : of_.activations().kept())
          rule(each);
      });
      count("rules_left_out", of_.activations().leftOut());
    });
  }

private:
  /// Infinite bounds are texts, which the schema allows.
  void number(std::string_view key, std::optional<double> value) {
    if (!value || std::isnan(*value))
      json_.attribute(asRef(key), nullptr);
    else if (std::isfinite(*value))
      json_.attribute(asRef(key), *value);
    else
      json_.attribute(asRef(key),
                      *value > 0 ? "Infinity" : "-Infinity"); // JSON has no such numbers
  }

  void intake() {
    const Intake& in = of_.measured.intake;
    count("records", in.report.records);
    count("broken", in.report.broken);
    count("responses", in.responses);
    count("unpaired", in.unpaired);
    count("tokens", in.tokens);
    count("rows", in.rows);
    count("padding", in.report.padding);
    count("repeated", in.repeated);
    count("evaluations", of_.measured.records.evaluations());
    count("rest", of_.measured.rest);
    json_.attributeObject("missing", [&] {
      for (const auto& [name, times] : in.missing)
        if (!Stranger::of(name))
          count(name, times);
    });
    json_.attributeArray("strangers", [&] {
      for (const auto& [name, times] : in.missing)
        if (const auto each = Stranger::of(name))
          json_.object([&, &seen = times] {
            text("label", each->label);
            text("value", each->value);
            count("records", seen);
          });
    });
    otherSettings();
  }

  void otherSettings() {
    json_.attributeArray("other_settings", [&] {
      for (const auto& [key, times] : of_.measured.intake.otherSettings)
        json_.object([&, &name = key, &seen = times] {
          const OtherSetting other = of_.settings().read(name);
          text("setting", other.name);
          text("data", other.inData);
          text("contract", other.inContract);
          count("records", seen);
        });
    });
  }

  void row(const Row& each) {
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
      count("observations", each.observations);
      json_.attributeObject("windows", [&] {
        count("satisfied", each.satisfied);
        count("violated", each.violated);
        count("undecided", each.undecided);
      });
      count("open", each.open);
      if (!each.why.empty())
        text("why", each.why);
      worst(each.worst);
    });
  }

  void comparison() {
    text("evidence", of_.againstName);
    text("verdict", of_.against->outcome());
    texts("others", cautionLines(*of_.against));
    json_.attributeArray("clauses", [&] {
      for (const ComparedRow& each : comparedRows(of_))
        json_.object([&] {
          text("clause", each.row.clause);
          text("says", each.row.says);
          text("slice", each.row.slice);
          text("difference", name(each.difference));
          text("unit", each.row.unit);
          json_.attributeObject("here", [&] { whole(each.here); });
          json_.attributeObject("there", [&] { whole(each.there); });
        });
    });
  }

  void whole(const WholeValue& each) {
    number("value", each.value);
    number("low", each.low);
    number("high", each.high);
    count("observations", each.observations);
  }

  void row(const AssumptionRow& each) {
    json_.object([&] {
      text("assumption", each.key);
      text("says", each.says);
      text("state", name(each.state));
      count("observations", each.observations);
      count("numberless", each.numberless);
      number("least", each.least);
      number("greatest", each.greatest);
      number("low", each.low);
      number("high", each.high);
      number("outside", each.outside);
      texts("claims", each.claims);
      worst(each.worst);
    });
  }

  void row(const ClaimRow& each) {
    json_.object([&] {
      text("claim", each.claim);
      text("says", each.says);
      text("state", name(each.state));
      text("why", reasonText(each));
      json_.attributeArray("clauses", [&] {
        for (const ClaimGround& one : each.grounds)
          json_.object([&] {
            text("clause", one.clause);
            text("says", one.says);
            text("slice", one.slice);
            text("verdict", name(one.outcome));
          });
      });
      texts("broken", each.broken);
      texts("trusted", each.trusted);
      json_.attributeArray("observed", [&] {
        for (const ObservedBound& one : each.observed)
          observed(one);
      });
    });
  }

  void observed(const ObservedBound& each) {
    json_.object([&] {
      json_.attribute("side", each.isLower ? "at least" : "at most");
      number("bound", each.bound);
      text("unit", each.unit);
      text("slice", each.slice);
      number("confidence", each.confidence);
      count("unjudged", each.unjudged);
      json_.attribute("beyond", each.isBeyond);
      texts("from", each.from);
      if (!each.why.empty())
        text("why", each.why);
    });
  }

  void worst(const std::vector<Offender>& all) {
    json_.attributeArray("worst", [&] {
      for (const Offender& one : all)
        json_.object([&] {
          number("value", one.value);
          text("place", one.place);
        });
    });
  }

  void rule(const Activation& each) {
    json_.object([&] {
      text("rule", of_.subject.plan.rules[each.rule].id);
      text("slice", of_.subject.plan.slices[each.slice].name);
      text("change", each.starts ? "starts" : "ends");
      count("evaluation", each.evaluation);
    });
  }

  const MeasuredContract& of_;
};

} // namespace

std::string measuredJson(const MeasuredContract& contract) {
  return writeJson([&](llvm::json::OStream& json) { MeasurementWriter(json, contract).all(); });
}

} // namespace tikc::measure
