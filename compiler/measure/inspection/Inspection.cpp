#include "measure/inspection/Inspection.h"

#include "data/inspect/Diagnosis.h"
#include "support/Check.h"
#include "support/Columns.h"
#include "support/Utf8.h"
#include "support/Wrap.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace tikc::measure {
namespace {

using data::grouped;

std::string numeral(double value) { return fmt::format("{:.4g}", value); }

std::string percent(double part, double whole) {
  return whole == 0 ? "0%" : fmt::format("{:.3g}%", 100 * part / whole);
}

std::string percent(std::uint64_t part, std::uint64_t whole) {
  return percent(static_cast<double>(part), static_cast<double>(whole));
}

std::string countText(std::uint64_t count, std::string_view what) {
  return fmt::format("{} {}{}", grouped(count), what, count == 1 ? "" : "s");
}

/// 1.0003 ± 0.0002, with as many digits as the error leaves.
std::string withError(double value, double error) {
  if (!(error > 0) || !std::isfinite(error) || !std::isfinite(value))
    return fmt::format("{:.6g}", value);
  const int digits = std::clamp(1 - static_cast<int>(std::floor(std::log10(error))), 0, 12);
  return fmt::format("{:.{}f} ± {:.{}f}", value, digits, error, digits);
}

/// The page, section by section.
class InspectionPage {
public:
  explicit InspectionPage(const Inspection& inspection)
      : of_(inspection), summary_(inspection.summary) {}

  std::string text() {
    files();
    if (!of_.source.layout().namesNumbers()) {
      fields();
      return std::move(out_);
    }
    counts();
    if (summary_.rows.rows + summary_.rows.masked > 0)
      rows();
    if (summary_.train.tokens + summary_.infer.tokens > 0)
      scales();
    if (summary_.signs.whole.tokens > 0)
      drift();
    if (summary_.coherence.tokens() + summary_.coherence.impossible() > 0)
      coherence();
    if (summary_.signs.whole.tokens > 0) {
      fact("diagnosis", data::Diagnosis::of(summary_.signs).outcome());
      positions();
      versions();
    }
    for (const trainers::BatchTally& each : summary_.figures)
      figures(each);
    return std::move(out_) + inspectionAdvice(of_);
  }

private:
  void line(std::string_view text) { out_.append(text) += '\n'; }
  void table(const std::vector<std::vector<std::string>>& rows) {
    if (rows.size() > 1)
      out_ += '\n' + inColumns(rows);
  }
  /// A name and what there is to say of it, in the page's width.
  void fact(std::string_view name, std::string_view text) {
    constexpr std::size_t indent = 12;
    out_ += fmt::format("{:<{}}", name, indent) + wrapped(text, indent, indent) + '\n';
  }

  void files() {
    constexpr std::size_t most = 5;
    const auto inputs = of_.source.inputs();
    std::uint64_t bytes = 0;
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      bytes += inputs[i]->bytes();
      if (i >= most)
        continue;
      const auto names = inputs[i]->files();
      std::string name = utf8::printable(names.front());
      if (names.size() > 1)
        name += fmt::format(" and {} more", names.size() - 1);
      const std::uint64_t size = inputs[i]->bytes();
      line(name + "  " + inputs[i]->form() + (size == 0 ? "" : ", " + data::inBytes(size)));
    }
    if (inputs.size() > most)
      line(fmt::format("and {} more, {} in all", inputs.size() - most, data::inBytes(bytes)));
    for (const auto& [name, read] : of_.source.passedOver())
      line(fmt::format("{} is skipped; only {} are read", utf8::ticked(name), read));
    for (const std::string& repeated : of_.source.repeated())
      line(fmt::format("{} was given twice and is read once", utf8::printable(repeated)));
    for (const std::string_view name : presets()) {
      const auto* preset = data::findPreset(name);
      TIKC_CHECK(preset, "a layout has the name of a preset, or none");
      line(fmt::format("{} {}: {}", of_.source.wasRecognised() ? "looks like" : "read as", name,
                       preset->meaning));
    }
    line("");
  }

  /// Each once, in the order of the files.
  std::vector<std::string_view> presets() const {
    std::vector<std::string_view> out;
    for (const data::Layout& each : of_.source.layouts())
      if (!each.preset.empty() && std::find(out.begin(), out.end(), each.preset) == out.end())
        out.push_back(each.preset);
    return out;
  }

  void fields() {
    const data::Survey& survey = of_.source.survey();
    if (survey.fields.empty())
      return;
    line(fmt::format("The first {} the fields:",
                     survey.records == 1 ? "record has"
                                         : countText(survey.records, "record") + " have"));
    std::vector<std::vector<std::string>> rows = {{"field", "type", "records", "length"}};
    for (const data::SurveyedField& field : survey.fields)
      rows.push_back(
          {utf8::printable(field.path), field.kind, grouped(field.records),
           !field.shape.empty() ? field.shape
           : !field.isList      ? ""
           : field.shortest == field.longest
               ? grouped(field.longest)
               : fmt::format("{} to {}", grouped(field.shortest), grouped(field.longest))});
    table(rows);
    line("\nUnknown data format. Name the fields of both sides' log-probs:");
    line("  tikc inspect --map train=FIELD,infer=FIELD,mask=FIELD" + typedFiles(of_));
  }

  void counts() {
    const data::PieceReport& report = summary_.report;
    std::string records = grouped(report.records);
    if (report.unpaired > 0)
      records += fmt::format(", {} without a partner", countText(report.unpaired, "response"));
    if (report.broken > 0)
      records += fmt::format(", {} broken", grouped(report.broken));
    if (summary_.repeatedPieces > 0)
      records += fmt::format("; {} not counted",
                             summary_.repeatedPieces == 1
                                 ? "1 duplicate part is"
                                 : grouped(summary_.repeatedPieces) + " duplicate parts are");
    fact("records", records);
    if (report.responses == 0)
      return;
    const double mean =
        static_cast<double>(summary_.tokens) / static_cast<double>(report.responses);
    fact("responses",
         fmt::format("{}, of {} to {} tokens, {:.4g} on average", grouped(report.responses),
                     grouped(summary_.shortest), grouped(summary_.longest), mean));
    fact("tokens",
         fmt::format("{}; {} count ({})", grouped(summary_.tokens), grouped(summary_.counted),
                     summary_.withMask == 0 ? "no mask"
                                            : percent(summary_.counted, summary_.tokens)));
    if (report.padding > 0)
      fact("padding", countText(report.padding, "place") + " after the ends of responses");
    if (report.skipped > 0)
      fact("left out", countText(report.skipped, "place") +
                           (of_.source.layout().shift != 0
                                ? " by the shift"
                                : " at the start of lists, where this format has no token"));
    std::string also;
    auto told = [&](std::string_view what, std::uint64_t count) {
      if (count > 0)
        also +=
            fmt::format("{}{}", also.empty() ? "" : ", ",
                        count == report.responses ? std::string(what)
                                                  : fmt::format("{} ({} of the responses)", what,
                                                                percent(count, report.responses)));
    };
    told("ids", summary_.withIds);
    told("keys", summary_.withKey);
    told("text versions", summary_.withVersionText);
    told("steps" + spanOf(summary_.step), summary_.step.responses);
    told("times", summary_.time.responses);
    told("rewards" + spanOf(summary_.reward), summary_.reward.responses);
    told("advantages" + spanOf(summary_.advantage), summary_.advantage.responses);
    for (const auto& [said, count] : summary_.settings)
      told(utf8::printable(said), count);
    if (!also.empty())
      fact("also found", also);
    nonFinite("trainer", report.train, summary_.train);
    nonFinite("server", report.infer, summary_.infer);
    if (report.unknownValues > 0)
      fact("unknown", countText(report.unknownValues, "value") +
                          " of rewards, versions and the like that are not a single finite number");
  }

  static std::string spanOf(const data::Range& range) {
    if (range.responses == 0)
      return "";
    return range.smallest == range.largest
               ? fmt::format(" {:g}", range.smallest)
               : fmt::format(" {:g} to {:g}", range.smallest, range.largest);
  }

  void nonFinite(std::string_view side, const data::ClassCounts& counts,
                 const data::SideScale& counting) {
    constexpr std::string_view names[] = {
        "", "NaN", "infinite", "minus infinite", "null", "-9999 (minus infinite)"};
    std::string out;
    for (std::size_t i = 1; i < counts.size(); ++i)
      if (counts[i] > 0)
        out += fmt::format("{}{} {}", out.empty() ? "" : ", ", grouped(counts[i]), names[i]);
    // What was written as a finite number, and is infinite in single precision.
    const std::uint64_t written =
        counts[static_cast<std::size_t>(data::NumberClass::Infinity)] +
        counts[static_cast<std::size_t>(data::NumberClass::MinusInfinity)];
    if (counting.infinite > written)
      out += fmt::format("{}{} too large for single precision", out.empty() ? "" : ", ",
                         grouped(counting.infinite - written));
    if (out.empty())
      return;
    fact("not finite",
         fmt::format("{}: {}; {} of them count", side, out, grouped(counting.nonFinite)));
  }

  void rows() {
    const data::RowSummary& rows = summary_.rows;
    fact("rows", fmt::format("{} over a vocabulary of {}, {} and {}", grouped(rows.rows),
                             grouped(rows.vocabulary), rows.trainFormat, rows.inferFormat));
    if (rows.masked > 0)
      fact("masked", countText(rows.masked, "row") + " in addition, which do not count");
    if (summary_.report.padding > 0)
      fact("padding", countText(summary_.report.padding, "row") + " after the ends of responses");
    if (rows.nonFinite > 0)
      fact("not finite", countText(rows.nonFinite, "row") +
                             " with NaN or infinity, or with each token of a side masked (-inf)");
    if (rows.unreadable > 0)
      fact("left out",
           countText(rows.unreadable, "row") + "; tikc compares rows of 2 to 262,144 tokens");
    if (rows.compared() == 0)
      return;
    if (rows.maskedByOne > 0)
      fact("one side", countText(rows.maskedByOne, "row") +
                           " with a token that only one side masks (-inf); KL "
                           "is infinite if that is the server");
    const auto n = static_cast<double>(rows.compared());
    fact("apart", fmt::format("KL(trainer, server) {} nat on average, total variation {} on "
                              "average and {} at most; both have the same top token in {}",
                              numeral(rows.divergence / n), numeral(rows.variation / n),
                              numeral(rows.largestVariation), percent(rows.sameTop, n)));
  }

  void scales() {
    std::vector<std::vector<std::string>> rows = {
        {"log-probs", "mean", "smallest", "largest", "above 0"}};
    for (const auto& [name, side] :
         {std::pair("trainer", &summary_.train), std::pair("server", &summary_.infer)})
      if (side->tokens > 0)
        rows.push_back({name, numeral(side->mean()), numeral(side->smallest),
                        numeral(side->largest),
                        side->above0 == 0 ? "none" : grouped(side->above0)});
    table(rows);
  }

  void drift() {
    const data::Drift& drift = summary_.signs.whole;
    const double error = drift.standardError();
    line("");
    fact("x", fmt::format("log p - log q: |x| is {} on average and {} at most{}{}{}",
                          numeral(drift.meanAbsolute()), numeral(drift.largest),
                          drift.largest > 0 ? fmt::format(" ({})", largestPlace()) : "",
                          summary_.signs.equal == 0
                              ? ""
                              : fmt::format("; p = q for {} of the tokens",
                                            percent(summary_.signs.equal, drift.tokens)),
                          summary_.signs.nonFinite == 0
                              ? ""
                              : fmt::format("; without {} whose log-prob is not finite on one side",
                                            countText(summary_.signs.nonFinite, "token"))));
    fact("w",
         fmt::format("exp(x): {} on average{}", withError(drift.meanWeight(), error),
                     drift.responses >= 10 ? ", standard error over responses"
                                           : ", standard error as if tokens were independent"));
    fact("k1, k3",
         fmt::format("{} and {} nat; they differ by mean(w) - 1 = {}", numeral(drift.k1()),
                     numeral(drift.k3()), numeral(drift.k3() - drift.k1())));
  }

  std::string largestPlace() const {
    const data::Fault& at = summary_.largest;
    std::string out = utf8::printable(at.file);
    out += at.line != 0 ? fmt::format(":{}", at.line) : fmt::format(", row {}", grouped(at.record));
    if (at.response != 0)
      out += fmt::format(", response {}", grouped(at.response));
    return out + ", token " + at.message;
  }

  void coherence() {
    const data::Coherence& coherence = summary_.coherence;
    const data::Drift& drift = summary_.signs.whole;
    std::string out = coherenceVerdict(coherence);
    if (coherence.impossible() > 0)
      out += fmt::format(". Left out: {} with a log-prob above 0",
                         countText(coherence.impossible(), "response"));
    if (coherence.judged() != verdict::violated && drift.excess < 0 &&
        drift.meanWeight() + 2 * drift.standardError() < 1)
      out += ". A mean of w below 1 estimates the mass of the trainer's distribution that the "
             "server kept; a rare large w may be missing, so this is not a test";
    if (drift.tokens == 0)
      line("");
    fact("coherence", out);
  }

  static std::string coherenceVerdict(const data::Coherence& coherence) {
    const double capital = coherence.logEvidence();
    const std::string bet =
        fmt::format("the evidence against it is {} (100 disproves it)",
                    capital < 12 ? numeral(std::exp(capital))
                                 : fmt::format("10^{:.0f}", capital / std::log(10.0)));
    if (coherence.unknown() > 0)
      return fmt::format("disproved at 99%: {} without a log-prob (NaN, infinity, or -inf on both "
                         "sides)",
                         countText(coherence.unknown(), "token"));
    switch (coherence.judged()) {
    case verdict::violated:
      return "disproved at 99%: " + bet +
             ". The logged numbers are not from the distribution that the tokens were sampled "
             "from: a temperature, raw instead of processed log-probs, shifted tokens, an edited "
             "response";
    case verdict::satisfied:
      return "satisfied at 99%: " + bet + "; a mean of w of 1.03 would be disproved";
    default:
      return "undecided at 99%: " + bet + "; too few data to disprove a mean of w of 1.03";
    }
  }

  static std::vector<std::string> driftRow(std::string name, const data::Drift& drift) {
    return {std::move(name), grouped(drift.tokens), numeral(drift.meanAbsolute()),
            numeral(drift.largest), withError(drift.meanWeight(), drift.standardError())};
  }

  void positions() {
    std::vector<std::vector<std::string>> rows = {
        {"position", "tokens", "mean |x|", "largest", "mean w"}};
    for (std::size_t bin = 0; bin < summary_.signs.positions.size(); ++bin)
      if (const data::Drift& drift = summary_.signs.positions[bin]; drift.tokens > 0) {
        const std::uint64_t begin = data::beginOfLogBin(bin);
        const std::uint64_t end = bin == 0 ? 0 : 2 * begin - 1;
        rows.push_back(driftRow(
            begin == end ? grouped(begin) : fmt::format("{} to {}", grouped(begin), grouped(end)),
            drift));
      }
    table(rows);
  }

  void versions() {
    std::vector<std::vector<std::string>> rows = {
        {"version", "tokens", "mean |x|", "largest", "mean w"}};
    for (const auto& [version, drift] : summary_.versions)
      if (drift.tokens > 0)
        rows.push_back(driftRow(fmt::format("{:g}", version), drift));
    table(rows);
    if (summary_.unlistedVersions > 0)
      line(fmt::format("and {} of other versions",
                       countText(summary_.unlistedVersions, "response")));
  }

  void figures(const trainers::BatchTally& batch) {
    const trainers::TrainerRow& trainer = rowOf(batch.trainer());
    line(fmt::format("\nas {} would log it for one batch ({})", trainer.name,
                     batch.cap() == trainer.cap
                         ? std::string(trainer.assumed)
                         : fmt::format("a cap of {:g} on weights", batch.cap())));
    std::vector<std::vector<std::string>> rows{{"figure", "value", "here"}};
    for (const trainers::TrainerFigure& each : trainers::figuresOf(batch.trainer()))
      rows.push_back({std::string(each.name), fmt::format("{:.6g}", batch.value(each)),
                      batch.cap() == trainer.cap ? each.relationText() : std::string()});
    table(rows);
  }

  const Inspection& of_;
  const data::Summary& summary_;
  std::string out_;
};

} // namespace

std::string inspectionText(const Inspection& inspection) {
  return InspectionPage(inspection).text();
}

} // namespace tikc::measure
