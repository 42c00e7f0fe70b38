#include "explain/Formats.h"
#include "explain/JsonParts.h"
#include "explain/Words.h"

namespace tikc::explain {
namespace {

using llvm::json::OStream;

void step(OStream& out, const ChainStep& row, std::size_t id) {
  auto outward = row.isLower ? bounds::Rounding::Down : bounds::Rounding::Up;
  auto inward = row.isLower ? bounds::Rounding::Up : bounds::Rounding::Down;
  out.object([&] {
    out.attribute("id", static_cast<std::int64_t>(id));
    jsonText(out, "says", stepText(row));
    out.attribute("meaning", asRef(row.meaning));
    if (!row.isWords) {
      out.attribute("relation", row.isGiven    ? "="
                                : row.isLower  ? (row.isStrict ? ">" : ">=")
                                : row.isStrict ? "<"
                                               : "<=");
      amount(out, "bound", row.bound, outward);
      amount(out, "other_end", row.otherEnd, inward);
    }
    if (row.lemma)
      out.attribute("lemma", asRef(row.lemma->id));
    if (row.curve)
      out.attribute("curve", asRef(row.curve->id));
    if (row.ground)
      out.attributeObject("rests_on", [&] { ground(out, *row.ground); });
    out.attributeArray("inputs", [&] {
      for (const FormulaInput& input : row.inputs)
        out.object([&] {
          jsonText(out, "name", input.name);
          amount(out, "value", input.value, bounds::Rounding::Up);
        });
    });
    out.attributeArray("premises", [&] {
      for (const ChainStep::Premise& premise : row.premises)
        out.object([&] {
          out.attribute("step", static_cast<std::int64_t>(premise.step));
          out.attribute("times", premise.times);
        });
    });
    out.attributeArray("folded", [&] {
      for (const FoldedStep& fold : row.folds)
        out.object([&] {
          out.attribute("lemma", asRef(fold.lemma->id));
          jsonText(out, "from", fold.from);
        });
    });
  });
}

void derivation(OStream& out, const Chapter& chapter) {
  out.attributeArray("steps", [&] {
    for (std::size_t i = 0; i < chapter.steps.size(); ++i)
      step(out, chapter.steps[i], i);
  });
  out.attributeArray("conditions", [&] {
    for (const Ground& row : chapter.conditions)
      out.object([&] { ground(out, row); });
  });
  out.attributeArray("tolerances", [&] {
    for (const Reach& row : chapter.reaches)
      if (!row.isHorizon)
        out.object([&] { reach(out, row); });
  });
  for (const Reach& row : chapter.reaches)
    if (row.isHorizon)
      out.attributeObject("horizon", [&] { reach(out, row); });
}

void logits(OStream& out, std::string_view name, const std::vector<Rational>& row) {
  out.attributeArray(asRef(name), [&] {
    for (const Rational& logit : row)
      out.value(logit.get_str());
  });
}

void witness(OStream& out, const bounds::Witness& row) {
  out.attribute("steps", static_cast<std::int64_t>(row.steps));
  out.attributeArray("copies", [&] {
    for (unsigned long count : row.copies)
      out.value(static_cast<std::int64_t>(count));
  });
  out.attributeArray("kinds", [&] {
    for (const bounds::Witness::Kind& kind : row.kinds)
      out.object([&] {
        amount(out, "weight", kind.weight, bounds::Rounding::Down);
        logits(out, "train", kind.train);
        logits(out, "infer", kind.infer);
      });
  });
  out.attributeArray("rows", [&] {
    for (const bounds::Witness::Row& each : row.rows)
      out.object([&] {
        jsonText(out, "what", each.what);
        amount(out, "lower", each.value.lower(), bounds::Rounding::Down);
        amount(out, "upper", each.value.upper(), bounds::Rounding::Up);
        jsonText(out, "asked", each.limit);
      });
  });
}

void weighed(OStream& out, const WeighedClaim& row, bool isLower) {
  out.object([&] {
    out.attribute("way", row.isAnytime ? "anytime" : "fixed");
    out.attribute("shown", row.isShown);
    if (!row.statements.empty())
      out.attribute("about", row.isOfServed() ? "contexts served" : "population");
    if (row.bound)
      amount(out, "bound", *row.bound, isLower ? bounds::Rounding::Down : bounds::Rounding::Up);
    amount(out, "alpha", row.alpha, bounds::Rounding::Up);
    out.attributeArray("statements", [&] {
      for (const ObservedStatement& each : row.statements)
        out.object([&] {
          jsonText(out, "clause", each.clause);
          if (!each.slice.empty())
            jsonText(out, "slice", each.slice);
          amount(out, "observations", each.observations, bounds::Rounding::Down);
          out.attribute("unit", each.unit);
          out.attribute("about", each.isOfServed ? "contexts served" : "population");
          out.attribute("of", each.isShare ? "share" : "mean");
          amount(out, "value", each.value, bounds::Rounding::Up);
          out.attribute("by", asRef(each.lemma));
        });
    });
  });
}

void observed(OStream& out, const Observations& row) {
  amount(out, "tokens", *row.tokens, bounds::Rounding::Down);
  if (row.sequences)
    amount(out, "sequences", *row.sequences, bounds::Rounding::Down);
  if (row.prompts)
    amount(out, "prompts", *row.prompts, bounds::Rounding::Down);
  amount(out, "violations", *row.violations, bounds::Rounding::Up);
  amount(out, "windows", *row.windows, bounds::Rounding::Up);
  amount(out, "confidence", *row.confidence, bounds::Rounding::Down);
}

void claim(OStream& out, const Chapter& chapter) {
  out.object([&] {
    jsonText(out, "claim", chapter.claim);
    jsonText(out, "text", chapter.text);
    if (!chapter.because.empty())
      jsonText(out, "because", chapter.because);
    spot(out, chapter.spot);
    jsonTexts(out, "slices", chapter.slices);
    out.attribute("mixture", chapter.isOfMixture);
    if (!chapter.link.empty())
      jsonText(out, "link", chapter.link);
    out.attribute("verdict", asRef(bounds::verdictName(chapter.verdict)));
    out.attribute("relation", chapter.isLower    ? (chapter.isStrict ? ">" : ">=")
                              : chapter.isStrict ? "<"
                                                 : "<=");
    auto inward = chapter.isLower ? bounds::Rounding::Up : bounds::Rounding::Down;
    amount(out, "budget", chapter.budget, inward);
    if (chapter.slack)
      amount(out, "slack", *chapter.slack, bounds::Rounding::Down);
    out.attribute("infeasible", chapter.isInfeasible);
    jsonTexts(out, "missing", chapter.missing);
    jsonTexts(out, "passed_over", chapter.passedOver);
    if (chapter.witness)
      out.attributeObject("witness", [&] { witness(out, *chapter.witness); });
    if (!chapter.weighed.empty())
      out.attributeArray("on_evidence", [&] {
        for (const WeighedClaim& row : chapter.weighed)
          weighed(out, row, chapter.isLower);
      });
    derivation(out, chapter);
  });
}

void contract(OStream& out, const Explanation& explanation) {
  out.object([&] {
    jsonText(out, "contract", explanation.contract);
    if (!explanation.version.empty())
      jsonText(out, "version", explanation.version);
    out.attribute("draft", explanation.isDraft);
    jsonText(out, "file", explanation.file);
    if (explanation.observed)
      out.attributeObject("observed", [&] { observed(out, *explanation.observed); });
    out.attributeArray("claims", [&] {
      for (const Chapter& chapter : explanation.chapters)
        claim(out, chapter);
    });
    out.attributeArray("lemmas", [&] {
      for (const bounds::Lemma* lemma : explanation.lemmas)
        out.object([&] {
          out.attribute("id", asRef(lemma->id));
          out.attribute("statement", asRef(lemma->statement));
          out.attribute("hypotheses", asRef(lemma->hypotheses));
          out.attribute("formula", asRef(lemma->formula));
        });
    });
  });
}

} // namespace

std::string json(std::span<const Explanation> explanations) {
  return writeJson([&](OStream& out) {
    out.object([&] {
      out.attribute("format", "tikc-explanation/v1");
      out.attributeArray("contracts", [&] {
        for (const Explanation& explanation : explanations)
          contract(out, explanation);
      });
    });
  });
}

} // namespace tikc::explain
