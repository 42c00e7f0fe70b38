#include "changes/Formats.h"
#include "support/Json.h"
#include "support/StringRef.h"

namespace tikc::changes {
namespace {

using llvm::json::OStream;

void placeAttribute(OStream& out, const SourceManager& sources, llvm::StringRef name,
                    const Span& span) {
  if (!span.valid())
    return;
  out.attributeObject(name, [&] {
    Position at = sources.position(span.file, span.begin);
    jsonText(out, "file", sources.get(span.file).name);
    out.attribute("line", at.line);
    out.attribute("column", at.column);
  });
}

void textAttribute(OStream& out, std::string_view name, const std::string& text) {
  if (!text.empty())
    jsonText(out, name, text);
}

void jsonChange(OStream& out, const SourceManager& sources, const PartChange& change) {
  const KindInfo& kind = info(change.kind);
  out.attribute("part", asRef(partWord(change.part)));
  out.attribute("kind", asRef(kind.word));
  out.attribute("effect", asRef(effectWord(kind.effect)));
  out.attribute("step", asRef(stepWord(kind.step)));
  jsonText(out, "name", change.name);
  textAttribute(out, "formerly", change.formerly);
  textAttribute(out, "before", change.before);
  textAttribute(out, "after", change.after);
  textAttribute(out, "why", change.why);
  placeAttribute(out, sources, "was", change.oldPlace);
  placeAttribute(out, sources, "is", change.newPlace);
  if (!change.witness.empty())
    out.attributeArray("witness", [&] {
      for (const WitnessValue& each : change.witness)
        out.object([&] {
          jsonText(out, "figure", each.figure);
          jsonText(out, "value", each.value);
        });
    });
  if (change.reuse)
    out.attributeObject("observed", [&] {
      out.attribute("decides", change.reuse->isEnough);
      jsonText(out, "why", change.reuse->why);
    });
}

void jsonOutcome(OStream& out, const ClaimOutcomes& row) {
  jsonText(out, "claim", row.claim);
  textAttribute(out, "slices", row.slices);
  textAttribute(out, "before", row.before);
  textAttribute(out, "after", row.after);
  out.attribute("lost", row.isLost);
  out.attribute("gained", row.isGained);
  out.attribute("nearer", row.isNearer);
}

void jsonVersion(OStream& out, const VersionVerdict& version) {
  textAttribute(out, "before", version.before);
  textAttribute(out, "after", version.after);
  out.attribute("needed", asRef(stepWord(version.needed)));
  if (version.taken)
    out.attribute("taken", asRef(stepWord(*version.taken)));
  textAttribute(out, "next", version.next);
  out.attribute("enough", version.isEnough());
}

void jsonContract(OStream& out, const SourceManager& sources, const ContractChanges& changes) {
  static constexpr std::string_view presences[] = {"both", "old", "new"};
  jsonText(out, "contract", changes.name);
  out.attribute("in", asRef(presences[static_cast<std::size_t>(changes.presence)]));
  out.attribute("effect", asRef(effectWord(changes.effect)));
  textAttribute(out, "why", changes.why);
  placeAttribute(out, sources, "was", changes.oldPlace);
  placeAttribute(out, sources, "is", changes.newPlace);
  out.attributeObject("version", [&] { jsonVersion(out, changes.version); });
  out.attributeArray("changes", [&] {
    for (const PartChange& change : changes.changes)
      out.object([&] { jsonChange(out, sources, change); });
  });
  out.attributeArray("claims", [&] {
    for (const ClaimOutcomes& row : changes.outcomes)
      out.object([&] { jsonOutcome(out, row); });
  });
}

} // namespace

std::string changesJson(const ComparedContracts& compared) {
  return writeJson([&](OStream& out) {
    out.object([&] {
      out.attribute("format", "tikc-changes/v1");
      out.attributeArray("contracts", [&] {
        for (const ContractChanges& each : compared.contracts)
          out.object([&] { jsonContract(out, compared.sources, each); });
      });
      if (!compared.notCompared.empty())
        out.attributeArray("not_compared", [&] {
          for (const NotCompared& each : compared.notCompared)
            out.object([&] {
              jsonText(out, "contract", each.name);
              jsonText(out, "why", each.why);
            });
        });
    });
  });
}

} // namespace tikc::changes
