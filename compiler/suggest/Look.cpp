#include "suggest/Look.h"

#include "data/Impossible.h"
#include "data/inspect/Signs.h"
#include "support/Names.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <set>

namespace tikc::suggest {
namespace {

constexpr std::uint64_t leastForSlope = 8;
constexpr std::size_t mostFaults = data::DataLimits().faults; // that are told of a piece

std::size_t binOf(double number) {
  const auto whole = static_cast<std::uint64_t>(std::clamp(number, 0.0, 0x1p46));
  return data::logBinOf(whole);
}

/// What a response's tokens are apart, by where they are.
struct ResponseSizes {
  Trend line;
  std::array<std::uint64_t, Look::bins> counts{};
  std::array<double, Look::bins> sums{};

  void add(double position, double size) {
    line.add(position, size);
    const std::size_t bin = binOf(position);
    ++counts[bin];
    sums[bin] += size;
  }
};

class PieceLook {
public:
  void add(const data::Response& response) {
    if (response.train.empty() != response.infer.empty()) {
      ++out_.unpaired;
      return;
    }
    if (auto fault = data::impossibleIn(response)) {
      if (impossible_.broken++ < mostFaults)
        impossible_.faults.push_back(std::move(*fault));
      return;
    }
    const ResponseSizes sizes = sizesOf(response);
    out_.reward.add(response.reward);
    out_.advantage.add(response.advantage);
    if (sizes.line.count == 0)
      return;
    out_.longest = std::max(out_.longest, sizes.line.count);
    Group one;
    one.tokens = sizes.line.count;
    const double mean = sizes.line.y / static_cast<double>(sizes.line.count);
    one.size.add(mean);
    if (sizes.line.count >= leastForSlope && sizes.line.isAny())
      one.slope.add(sizes.line.slope());
    if (response.step)
      out_.steps.add(*response.step, mean);
    addPlaces(sizes);
    addTo(one, response.labels);
  }

  void add(const data::RowPair& row) {
    if (!row.counts)
      return;
    out_.vocabulary = row.vocabulary;
    Group one;
    one.rows = 1;
    addTo(one, row.labels);
  }

  Look take(data::PieceReader& reader) {
    out_.report = reader.report();
    out_.report.add(impossible_, mostFaults);
    return std::move(out_);
  }

private:
  ResponseSizes sizesOf(const data::Response& response) {
    ResponseSizes out;
    const double first = response.position.value_or(0);
    for (std::size_t i = 0; i < response.size(); ++i) {
      if (!response.counts(i))
        continue;
      const float train = response.train[i], infer = response.infer[i];
      if (!std::isfinite(train) || !std::isfinite(infer)) {
        ++out_.nonFinite;
        continue;
      }
      out_.grid.add(train);
      out_.grid.add(infer);
      out.add(first + static_cast<double>(i), std::abs(response.gap(i)));
    }
    return out;
  }

  void addPlaces(const ResponseSizes& sizes) {
    std::uint64_t before = 0;
    double sumBefore = 0;
    for (std::size_t bin = 1; bin < Look::bins; ++bin) {
      before += sizes.counts[bin - 1];
      sumBefore += sizes.sums[bin - 1];
      const std::uint64_t behind = sizes.line.count - before;
      if (behind == 0)
        return;
      Later& at = out_.later[bin];
      at.tokens += behind;
      if (before == 0)
        continue;
      const double early = sumBefore / static_cast<double>(before);
      const double late = (sizes.line.y - sumBefore) / static_cast<double>(behind);
      at.before.add(early);
      at.behind.add(late);
      at.change.add(late - early);
    }
  }

  void addTo(const Group& one, std::span<const data::LabelValue> labels) {
    out_.all.add(one);
    for (const data::LabelValue& each : labels) {
      if (each.name == promptField) {
        double length = 0;
        const char* const end = each.value.data() + each.value.size();
        const auto read = std::from_chars(each.value.data(), end, length);
        if (read.ec == std::errc() && read.ptr == end && length >= 0)
          out_.prompts[binOf(length)].add(one);
        continue;
      }
      auto& values = out_.labels[std::string(each.name)];
      const auto found = values.find(std::string(each.value));
      if (found != values.end())
        found->second.add(one);
      else if (values.size() <= Look::mostValues)
        values.emplace(each.value, one);
    }
  }

  Look out_;
  data::PieceReport impossible_; // what of it no log-probs are
};

} // namespace

void Group::add(const Group& other) {
  size.add(other.size);
  slope.add(other.slope);
  tokens += other.tokens;
  rows += other.rows;
}

void Later::add(const Later& other) {
  change.add(other.change);
  before.add(other.before);
  behind.add(other.behind);
  tokens += other.tokens;
}

void Grid::add(float value) {
  constexpr std::uint32_t belowBf16 = 0xffff, belowFp16 = 0x1fff;
  const auto bits = std::bit_cast<std::uint32_t>(value);
  ++numbers;
  asBf16 += (bits & belowBf16) == 0;
  asFp16 += (bits & belowFp16) == 0;
  largest = std::max(largest, std::abs(static_cast<double>(value)));
  sum += std::abs(static_cast<double>(value));
}

void Grid::add(const Grid& other) {
  numbers += other.numbers;
  asBf16 += other.asBf16;
  asFp16 += other.asFp16;
  largest = std::max(largest, other.largest);
  sum += other.sum;
}

std::string_view Grid::format() const {
  return asBf16 == numbers ? "bf16" : asFp16 == numbers ? "fp16" : "fp32";
}

double Grid::usualStep() const {
  return stepAt(sum / static_cast<double>(std::max<std::uint64_t>(1, numbers)));
}

double Grid::stepAt(double size) const {
  const int digits = asBf16 == numbers ? 7 : asFp16 == numbers ? 10 : 23;
  return size > 0 ? std::ldexp(1.0, std::ilogb(size) - digits) : std::ldexp(1.0, -digits);
}

void Look::add(const Look& other, std::size_t most) {
  report.add(other.report, most);
  all.add(other.all);
  for (const auto& [label, values] : other.labels)
    for (const auto& [value, group] : values) {
      auto& into = labels[label];
      const auto found = into.find(value);
      if (found != into.end())
        found->second.add(group);
      else if (into.size() <= mostValues)
        into.emplace(value, group);
    }
  for (std::size_t i = 0; i < bins; ++i) {
    prompts[i].add(other.prompts[i]);
    later[i].add(other.later[i]);
  }
  steps.add(other.steps);
  grid.add(other.grid);
  nonFinite += other.nonFinite;
  unpaired += other.unpaired;
  longest = std::max(longest, other.longest);
  vocabulary = std::max(vocabulary, other.vocabulary);
  reward.add(other.reward);
  advantage.add(other.advantage);
}

Look look(const data::Source& source, unsigned jobs, const data::DataLimits& limits) {
  Look out;
  std::set<data::PieceId> known;
  data::forEachPiece(source, jobs, [&](std::size_t, data::PieceReader& reader) -> data::HandOver {
    PieceLook look;
    data::Response response;
    while (reader.next(response))
      look.add(response);
    data::RowPair rows;
    while (reader.nextRow(rows))
      look.add(rows);
    return [&, piece = look.take(reader), id = reader.id()] {
      if (piece.report.records + piece.report.broken == 0)
        return;
      if (known.insert(id).second)
        out.add(piece, limits.faults);
      else
        ++out.repeated;
    };
  });
  for (data::Fault& fault : out.report.faults)
    fault = source.located(std::move(fault));
  for (const auto& [label, values] : out.labels)
    if (values.size() > Look::mostValues)
      out.crowded.push_back(label);
  for (const std::string& label : out.crowded)
    out.labels.erase(label);
  return out;
}

std::vector<std::string> labelsIn(const data::Source& source) {
  // What is known only afterwards picks tokens by what came of them.
  static const std::set<std::string_view> afterwards{
      "finish_reason", "stop_reason", "finished", "truncated", "status", "correct",
      "passed",        "outcome",     "result",   "response",  "output", "text"};
  std::vector<std::string> out;
  for (const data::SurveyedField& field : source.survey().fields) {
    const bool isOneOfList = field.shortest == 1 && field.longest == 1;
    const bool isWord = field.kind == "text" || (field.kind == "list of text" && isOneOfList);
    const auto isRead = [&](const data::Binding& each) {
      return std::find(each.paths.begin(), each.paths.end(), field.path) != each.paths.end();
    };
    const auto& bindings = source.layout().bindings;
    if (std::any_of(bindings.begin(), bindings.end(), isRead))
      continue;
    if ((isWord || field.path == promptField) && isIdentifier(field.path) &&
        data::isLabel(field.path) && !afterwards.contains(field.path))
      out.push_back(field.path);
  }
  return out;
}

} // namespace tikc::suggest
