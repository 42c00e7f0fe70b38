#include "data/inspect/Summary.h"

#include "tikc/row.h"

#include <algorithm>
#include <cmath>
#include <set>

namespace tikc::data {
namespace {

constexpr std::size_t listedVersions = 64, listedSettings = 16;
constexpr std::uint32_t rowWants = row_want::tv | row_want::kl_train_infer | row_want::top1_flip;

std::string_view formatName(number_format format) {
  constexpr std::string_view names[] = {"f32", "bf16", "f16", "e4m3", "e5m2"};
  return names[static_cast<std::size_t>(format)];
}

/// Adds responses and rows to the summary of a piece.
class PieceSummary {
public:
  explicit PieceSummary(const SummaryOptions& options) { out_.figures = options.figures; }

  void add(const Response& response) {
    const std::size_t size = response.size();
    out_.tokens += size;
    out_.shortest = std::min<std::uint64_t>(out_.shortest, size);
    out_.longest = std::max<std::uint64_t>(out_.longest, size);
    out_.withMask += !response.mask.empty();
    out_.withIds += !response.ids.empty();
    out_.withKey += !response.key.empty();
    out_.withVersionText += !response.versionText.empty();
    out_.step.add(response.step);
    out_.time.add(response.time);
    out_.reward.add(response.reward);
    out_.advantage.add(response.advantage);
    addSettings(response.labels);
    addSides(response);
    // To a trainer a response of no token is a row of which nothing counts.
    if (response.train.size() == response.infer.size())
      for (trainers::BatchTally& each : out_.figures)
        each.add(response.train, response.infer, response.mask);
    if (!response.train.empty() && !response.infer.empty())
      addPairs(response);
  }

  void add(const RowPair& rows) {
    RowSummary& out = out_.rows;
    if (!rows.counts) {
      ++out.masked;
      return;
    }
    ++out.rows;
    out.vocabulary = rows.vocabulary;
    if (out.trainFormat.empty()) {
      out.trainFormat = formatName(rows.train.format);
      out.inferFormat = formatName(rows.infer.format);
    }
    if (rows.vocabulary < 2 || rows.vocabulary > detail::rows::row_tokens_limit) {
      ++out.unreadable;
      return;
    }
    scratch_.resize(row_scratch_floats(rows.vocabulary));
    const row_stats found = tikc::row_pass<rowWants>(rows.train, rows.infer, rows.vocabulary, 1, 1,
                                                     -1, scratch_.data());
    if (found.unknown != 0) {
      ++out.nonFinite;
      return;
    }
    out.maskedByOne += found.nonfinite > 0;
    out.variation += found.tv;
    out.divergence += found.kl_train_infer;
    out.largestVariation = std::max(out.largestVariation, found.tv);
    out.sameTop += 1 - found.top1_flip;
    const bool isOfAToken =
        rows.id && *rows.id >= 0 && static_cast<std::uint64_t>(*rows.id) < rows.vocabulary;
    if (!out_.figures.empty() && isOfAToken)
      addFigures(rows, static_cast<std::size_t>(*rows.id), found.top1_flip == 0);
  }

  Summary take(PieceReader& reader) {
    out_.report = reader.report();
    return std::move(out_);
  }

private:
  /// llama.cpp's own divergence leaves out tokens, which no statistic of the row pass does.
  void addFigures(const RowPair& rows, std::size_t token, bool isSameTop) {
    constexpr double least = -16; // of their log-probs
    readLaw(rows.train, rows.vocabulary, train_);
    readLaw(rows.infer, rows.vocabulary, infer_);
    trainers::RowNumbers numbers{0, train_[token], infer_[token], isSameTop};
    for (std::size_t i = 0; i < train_.size(); ++i)
      if (train_[i] > least)
        numbers.divergence += std::exp(train_[i]) * (train_[i] - infer_[i]);
    for (trainers::BatchTally& each : out_.figures)
      each.add(numbers);
  }

  /// The log-probs of a row of logits with at least one finite entry.
  static void readLaw(row_view row, std::size_t vocabulary, std::vector<double>& out) {
    out.resize(vocabulary);
    for (std::size_t i = 0; i < vocabulary; ++i)
      out[i] = static_cast<double>(value_at(row, i));
    const double largest = *std::max_element(out.begin(), out.end());
    double total = 0;
    for (const double logit : out)
      total += std::exp(logit - largest);
    const double normaliser = largest + std::log(total);
    for (double& logit : out)
      logit -= normaliser;
  }

  void addSettings(std::span<const LabelValue> labels) {
    for (const LabelValue& each : labels) {
      if (!isSetting(each.name) || each.value.empty())
        continue;
      std::string said = std::string(each.name) + ' ' + std::string(each.value);
      if (out_.settings.contains(said) || out_.settings.size() < listedSettings)
        ++out_.settings[std::move(said)];
    }
  }

  void addSides(const Response& response) {
    for (std::size_t i = 0; i < response.size(); ++i) {
      if (!response.counts(i))
        continue;
      ++out_.counted;
      if (!response.train.empty())
        out_.train.add(response.train[i]);
      if (!response.infer.empty())
        out_.infer.add(response.infer[i]);
    }
  }

  Drift* versionOf(const Response& response) {
    if (!response.version)
      return nullptr;
    const auto found = out_.versions.find(*response.version);
    if (found != out_.versions.end())
      return &found->second;
    if (out_.versions.size() < listedVersions)
      return &out_.versions[*response.version];
    ++out_.unlistedVersions;
    return nullptr;
  }

  void addPairs(const Response& response) {
    const double before = out_.signs.whole.largest;
    const Drift drift = out_.signs.add(response);
    if (Drift* const version = versionOf(response))
      version->addResponse(drift);
    out_.coherence.add(response);
    if (drift.largest > before)
      noteLargest(response, drift.largest);
  }

  /// Where the first token is that is so far apart.
  void noteLargest(const Response& response, double largest) {
    for (std::size_t i = 0; i < response.size(); ++i)
      if (response.counts(i) && std::abs(response.gap(i)) == largest) {
        out_.largest = faultAt(response.at, std::to_string(response.offset + i));
        return;
      }
  }

  Summary out_;
  std::vector<double> train_, infer_;
  std::vector<float> scratch_;
};

} // namespace

void SideScale::add(float value) {
  if (!std::isfinite(value)) {
    ++nonFinite;
    infinite += std::isinf(value);
    return;
  }
  const auto number = static_cast<double>(value);
  ++tokens;
  above0 += number > 0;
  sum += number;
  square += number * number;
  smallest = std::min(smallest, number);
  largest = std::max(largest, number);
}

void SideScale::add(const SideScale& other) {
  tokens += other.tokens;
  nonFinite += other.nonFinite;
  infinite += other.infinite;
  above0 += other.above0;
  sum += other.sum;
  square += other.square;
  smallest = std::min(smallest, other.smallest);
  largest = std::max(largest, other.largest);
}

void RowSummary::add(const RowSummary& other) {
  rows += other.rows;
  masked += other.masked;
  nonFinite += other.nonFinite;
  unreadable += other.unreadable;
  maskedByOne += other.maskedByOne;
  vocabulary = std::max(vocabulary, other.vocabulary);
  divergence += other.divergence;
  variation += other.variation;
  sameTop += other.sameTop;
  largestVariation = std::max(largestVariation, other.largestVariation);
  if (trainFormat.empty()) {
    trainFormat = other.trainFormat;
    inferFormat = other.inferFormat;
  }
}

void Range::add(std::optional<double> value) {
  if (!value)
    return;
  ++responses;
  smallest = std::min(smallest, *value);
  largest = std::max(largest, *value);
}

void Range::add(const Range& other) {
  responses += other.responses;
  smallest = std::min(smallest, other.smallest);
  largest = std::max(largest, other.largest);
}

void Summary::add(const Summary& other, std::size_t mostFaults) {
  if (other.signs.whole.largest > signs.whole.largest)
    largest = other.largest;
  report.add(other.report, mostFaults);
  repeatedPieces += other.repeatedPieces;
  tokens += other.tokens;
  counted += other.counted;
  withMask += other.withMask;
  withIds += other.withIds;
  withKey += other.withKey;
  withVersionText += other.withVersionText;
  shortest = std::min(shortest, other.shortest);
  longest = std::max(longest, other.longest);
  train.add(other.train);
  infer.add(other.infer);
  signs.add(other.signs);
  coherence.add(other.coherence);
  unlistedVersions += other.unlistedVersions;
  for (const auto& [said, count] : other.settings)
    if (settings.contains(said) || settings.size() < listedSettings)
      settings[said] += count;
  for (const auto& [version, ofVersion] : other.versions)
    if (versions.contains(version) || versions.size() < listedVersions)
      versions[version].add(ofVersion);
    else
      unlistedVersions += ofVersion.responses;
  rows.add(other.rows);
  step.add(other.step);
  time.add(other.time);
  reward.add(other.reward);
  advantage.add(other.advantage);
  for (std::size_t i = 0; i < figures.size(); ++i)
    figures[i].add(other.figures[i]);
}

Summary summarise(const Source& source, unsigned jobs, const DataLimits& limits,
                  const SummaryOptions& options) {
  Summary out;
  out.figures = options.figures;
  std::set<PieceId> known;
  forEachPiece(source, jobs, [&](std::size_t, PieceReader& reader) -> HandOver {
    PieceSummary of(options);
    Response response;
    while (reader.next(response))
      of.add(response);
    RowPair rows;
    while (reader.nextRow(rows))
      of.add(rows);
    return [&, piece = of.take(reader), id = reader.id()] {
      // Where a line is longer than a piece, the next begins behind it and is empty.
      if (piece.report.records + piece.report.broken == 0)
        return;
      if (known.insert(id).second)
        out.add(piece, limits.faults);
      else
        ++out.repeatedPieces;
    };
  });
  for (Fault& fault : out.report.faults)
    fault = source.located(std::move(fault));
  out.largest = source.located(std::move(out.largest));
  return out;
}

} // namespace tikc::data
