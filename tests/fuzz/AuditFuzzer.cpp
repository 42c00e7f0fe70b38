#include "Require.h"
#include "audit/gates/Judge.h"
#include "audit/settings/Corrections.h"

#include <cstdint>
#include <string>

/// The first byte picks the form, the rest is the file. Whatever it is, all that is told of it lies
/// in it, and what is read twice is told twice alike.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace tikc;
  if (size == 0)
    return 0;
  static constexpr const char* names[] = {"a.sh", "a.py", "a.yaml", "a"};
  const std::string text(reinterpret_cast<const char*>(data) + 1, size - 1);
  SourceManager sources;
  const Limits limits;
  const FileId file = sources.add(names[data[0] % 4], {}, text);
  const auto inside = [&](const Span& span) {
    return span.file == file && span.begin <= span.end && span.end <= text.size();
  };
  std::string first;
  for (int round = 0; round < 2; ++round) {
    diag::Sink sink(limits);
    const audit::FoundParts reading = audit::readFile(sources, file, limits, sink);
    audit::Gates gates;
    std::string said;
    for (const audit::JudgingText& check : reading.asked) {
      require(check.text.at.empty() || check.text.at.size() == check.text.text.size() + 1,
              "each byte of a check has its place");
      audit::addGates(check, limits, gates);
    }
    std::vector<diag::JudgedGate> judged;
    audit::addRollouts(reading.rollouts, limits, sink, gates, judged);
    for (const diag::JudgedGate& each : judged)
      require(inside(each.place), "a verdict lies in its file");
    for (const audit::PrintedFigure& each : reading.printed)
      require(inside(each.place) && inside(each.value.whole()), "a row lies in its file");
    for (const audit::Gate& gate : gates.gates) {
      require(inside(gate.place) && inside(gate.figurePlace) && inside(gate.limitPlace),
              "a gate lies in its file");
      said += gate.text + printRational(gate.limit);
    }
    for (const audit::Misread& each : gates.misread) {
      require(inside(each.place) && !each.why.empty(), "what was not understood has its place");
      said += each.why;
    }
    for (const audit::SetValue& each : reading.settings)
      require(inside(each.nameSpan) && inside(each.valueSpan), "a setting lies in its file");
    for (const audit::TrainerCorrection& each : audit::correctionsOf(reading.settings, sink)) {
      require(inside(each.place), "a correction lies in its file");
      const audit::TakenShare taken = audit::takenBy(each, 0.012, 4096);
      require(taken.ofUnits >= 0 && taken.ofUnits <= 1.000001, "a share is one");
      require(taken.ofWeight >= -1e-9 && taken.ofWeight <= 1.000001, "a share of weight is one");
    }
    for (const diag::Diagnostic& found : sink.take())
      require(inside(found.span), "a finding lies in its file");
    require(round == 0 || said == first, "a file is read one way");
    first = said;
  }
  return 0;
}
