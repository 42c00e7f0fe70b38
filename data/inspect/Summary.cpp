#include "data/inspect/Summary.h"

#include <algorithm>
#include <cmath>
#include <set>

namespace tikc::data {
namespace {

constexpr std::size_t listedVersions = 64;

std::string_view formatName(number_format format) {
  constexpr std::string_view names[] = {"f32", "bf16", "f16", "e4m3", "e5m2"};
  return names[static_cast<std::size_t>(format)];
}

/// Adds responses and rows to the summary of a piece.
class PieceSummary {
public:
  explicit PieceSummary(const SummaryAsked& asked) { out_.figures = asked.figures; }

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
    const bool isFinite =
        read(rows.train, rows.vocabulary, train_) && read(rows.infer, rows.vocabulary, infer_);
    if (!isFinite) {
      ++out.nonFinite;
      return;
    }
    double variation = 0, divergence = 0;
    for (std::size_t i = 0; i < train_.size(); ++i) {
      const double p = std::exp(train_[i]), q = std::exp(infer_[i]);
      variation += std::abs(p - q) / 2;
      if (p > 0)
        divergence += p * (train_[i] - infer_[i]);
    }
    out.variation += variation;
    out.divergence += divergence;
    out.largestVariation = std::max(out.largestVariation, variation);
    const bool isSameTop = top(train_) == top(infer_);
    out.sameTop += isSameTop;
    const bool isOfAToken =
        rows.id && *rows.id >= 0 && static_cast<std::uint64_t>(*rows.id) < train_.size();
    if (!out_.figures.empty() && isOfAToken)
      addFigures(static_cast<std::size_t>(*rows.id), isSameTop);
  }

  Summary take(PieceReader& reader) {
    out_.report = reader.report();
    return std::move(out_);
  }

private:
  void addFigures(std::size_t token, bool isSameTop) {
    constexpr double least = -16; // what llama.cpp leaves out
    trainers::RowNumbers of{0, train_[token], infer_[token], isSameTop};
    for (std::size_t i = 0; i < train_.size(); ++i)
      if (train_[i] > least)
        of.divergence += std::exp(train_[i]) * (train_[i] - infer_[i]);
    for (trainers::BatchTally& each : out_.figures)
      each.add(of);
  }

  static std::ptrdiff_t top(const std::vector<double>& row) {
    return std::max_element(row.begin(), row.end()) - row.begin();
  }

  /// Logs of the law of a row of logits; a token that is cut has none, and no share in it.
  static bool read(row_view row, std::size_t vocabulary, std::vector<double>& out) {
    out.resize(vocabulary);
    double largest = -std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < vocabulary; ++i) {
      out[i] = static_cast<double>(value_at(row, i));
      if (!std::isfinite(out[i]))
        return false;
      largest = std::max(largest, out[i]);
    }
    double sum = 0;
    for (const double logit : out)
      sum += std::exp(logit - largest);
    const double normaliser = largest + std::log(sum);
    for (double& logit : out)
      logit -= normaliser;
    return true;
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
    for (std::size_t i = 0; i < std::min(response.train.size(), response.infer.size()); ++i) {
      if (!response.counts(i) || !std::isfinite(response.train[i]) ||
          !std::isfinite(response.infer[i]))
        continue;
      out_.bets.add(std::exp(std::min(response.gap(i), largestExponent)));
    }
    if (drift.largest > before)
      noteLargest(response, drift.largest);
  }

  /// Where the first token is that is so far apart.
  void noteLargest(const Response& response, double largest) {
    for (std::size_t i = 0; i < response.size(); ++i)
      if (response.counts(i) && std::abs(response.gap(i)) == largest) {
        out_.largest = faultAt(response.at, std::to_string(i));
        return;
      }
  }

  Summary out_;
  std::vector<double> train_, infer_;
};

} // namespace

void SideScale::add(float value) {
  if (!std::isfinite(value)) {
    ++nonFinite;
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
  bets.add(other.bets);
  unlistedVersions += other.unlistedVersions;
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
                  const SummaryAsked& asked) {
  Summary out;
  out.figures = asked.figures;
  std::set<PieceId> known;
  forEachPiece(source, jobs, [&](std::size_t, PieceReader& reader) -> HandOver {
    PieceSummary of(asked);
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
