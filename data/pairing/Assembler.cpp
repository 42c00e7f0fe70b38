#include "data/pairing/Assembler.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace tikc::data {
namespace {

template <typename Value> std::span<const Value> from(std::span<const Value> list, std::size_t n) {
  return list.subspan(std::min(n, list.size()));
}

std::string tokens(std::size_t count) {
  return fmt::format("{} token{}", grouped(count), count == 1 ? "" : "s");
}

} // namespace

void applyShift(std::int64_t shift, Response& out, PieceReport& report) {
  if (shift == 0 || out.train.empty() || out.infer.empty())
    return;
  const std::size_t size = out.size();
  const auto moved = static_cast<std::size_t>(shift < 0 ? -(shift + 1) + 1 : shift);
  const std::size_t left = size - std::min(moved, size);
  report.skipped += size - left;
  out.train = shift > 0 ? out.train.last(left) : out.train.first(left);
  auto cut = [&](auto& list) {
    const std::size_t count = std::min(left, list.size());
    list = shift > 0 ? list.first(count) : list.last(count);
  };
  cut(out.infer);
  cut(out.ids);
  cut(out.mask);
}

std::string Assembler::assemble(const ResponseFields& fields, Response& out, PieceReport& report,
                                std::string& field) {
  if (std::string fault = takeTokens(fields, out, report, field); !fault.empty())
    return fault;
  trim(fields, out, report);
  const std::span<const double> kept = fields.numbers[static_cast<std::size_t>(Role::Kept)];
  if (kept.size() == 1 && kept.front() == 0) {
    nothing_.assign(out.size(), 0);
    out.mask = nothing_;
  }
  out.position = numberOf(fields, Role::Position, out, report);
  out.version = numberOf(fields, Role::Version, out, report);
  out.step = numberOf(fields, Role::Step, out, report);
  out.time = numberOf(fields, Role::Time, out, report);
  out.reward = numberOf(fields, Role::Reward, out, report);
  out.advantage = numberOf(fields, Role::Advantage, out, report);
  out.handed = {furthestOf(fields, Role::Reward, out), furthestOf(fields, Role::Advantage, out),
                furthestOf(fields, Role::ScoreNorm, out)};
  out.key = fields.key;
  out.labels = fields.labels;
  ++report.responses;
  return {};
}

std::string Assembler::takeTokens(const ResponseFields& fields, Response& out, PieceReport& report,
                                  std::string& field) {
  // Before a shift everything is as long as it was written.
  const std::size_t written = fields.infer ? fields.infer->size() : fields.train->size();
  auto matches = [&](std::string_view name, std::size_t size) {
    if (size == written)
      return std::string();
    field = name;
    return fmt::format("{} has {}, and {} has {}", name, tokens(size),
                       fields.infer ? "infer" : "train", tokens(written));
  };
  const std::size_t skipped = layout_.traps.skipped;
  if (fields.train && fields.infer)
    if (std::string fault = matches("train", fields.train->size()); !fault.empty())
      return fault;
  if (fields.mask) {
    if (std::string fault = matches("mask", fields.mask->size()); !fault.empty())
      return fault;
    out.mask = from(*fields.mask, skipped);
  }
  if (fields.ids) {
    std::span<const std::int64_t> ids = *fields.ids;
    if (layout_.traps.hasLongIds && ids.size() > written)
      ids = ids.last(written);
    if (std::string fault = matches("ids", ids.size()); !fault.empty())
      return fault;
    out.ids = from(ids, skipped);
  }
  if (fields.train)
    out.train = from(*fields.train, skipped);
  if (fields.infer)
    out.infer = from(*fields.infer, skipped);
  report.skipped += std::min(skipped, written);
  return {};
}

void Assembler::trim(const ResponseFields& fields, Response& out, PieceReport& report) {
  std::size_t size = out.size();
  const std::span<const double> length = fields.numbers[static_cast<std::size_t>(Role::Length)];
  if (length.size() == 1 && length.front() >= 0) {
    const double end = std::max(0.0, length.front() - layout_.traps.skipped);
    if (end < static_cast<double>(size))
      size = static_cast<std::size_t>(end);
  }
  // A token that counts is none that pads, whatever its numbers are.
  if (trimsZeros_)
    while (size > 0 && (out.train.empty() || out.train[size - 1] == 0) &&
           (out.infer.empty() || out.infer[size - 1] == 0) &&
           (out.mask.empty() || out.mask[size - 1] == 0))
      --size;
  report.padding += out.size() - size;
  auto cut = [&](auto& list) { list = list.first(std::min(size, list.size())); };
  cut(out.train);
  cut(out.infer);
  cut(out.ids);
  cut(out.mask);
  applyShift(layout_.shift, out, report);
}

/// One number of a response: of a list by token the one that all tokens have that count.
std::optional<double> Assembler::numberOf(const ResponseFields& fields, Role role,
                                          const Response& response, PieceReport& report) const {
  const std::span<const double> all = fields.numbers[static_cast<std::size_t>(role)];
  std::optional<double> value;
  if (all.empty())
    return value;
  const std::size_t skipped = all.size() == 1 ? 0 : layout_.traps.skipped;
  bool isOne = true;
  for (std::size_t i = skipped; i < all.size(); ++i) {
    const std::size_t token = i - skipped;
    if (all.size() > 1 && (token >= response.size() || !response.counts(token)))
      continue;
    isOne = isOne && (!value || *value == all[i]);
    value = all[i];
  }
  if (isOne && value && std::isfinite(*value))
    return value;
  ++report.unknownValues;
  return std::nullopt;
}

/// What is NaN was not known.
std::optional<double> Assembler::furthestOf(const ResponseFields& fields, Role role,
                                            const Response& response) const {
  const std::span<const double> all = fields.numbers[static_cast<std::size_t>(role)];
  const std::size_t skipped = all.size() > 1 ? layout_.traps.skipped : 0;
  std::optional<double> out;
  for (std::size_t i = skipped; i < all.size(); ++i) {
    const std::size_t token = i - skipped;
    const bool counts = all.size() == 1 || (token < response.size() && response.counts(token));
    if (counts && !std::isnan(all[i]) && (!out || std::abs(all[i]) > std::abs(*out)))
      out = all[i];
  }
  return out;
}

} // namespace tikc::data
