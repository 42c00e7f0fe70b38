#include "gate/State.h"

#include "measure/Bytes.h"
#include "measure/Sealed.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace tikc::gate {
namespace {

using measure::ByteReader;
using measure::ByteWriter;

constexpr measure::SealedKind stateKind{"TIKCGATE", "a gate state", 1};

constexpr std::uint64_t reasonCount = static_cast<std::uint64_t>(ReasonId::Given) + 1;

void writeIds(ByteWriter& to, const std::vector<data::PieceId>& ids) {
  to.number(ids.size());
  for (const data::PieceId& each : ids)
    to.id(each);
}

std::vector<data::PieceId> readIds(ByteReader& from) {
  std::vector<data::PieceId> out;
  for (std::uint64_t left = from.count(measure::digestSize); left != 0 && from.isGood(); --left)
    out.push_back(from.id());
  return out;
}

void writeDecision(ByteWriter& to, const GateDecision& decision) {
  to.number(static_cast<std::uint64_t>(decision.outcome), 1);
  to.text(decision.stage);
  decision.origin.write(to);
  to.real(decision.at);
  writeIds(to, decision.pieces);
  to.number(decision.restsOn);
  to.number(decision.reasons.size());
  for (const Reason& each : decision.reasons) {
    // By its name, which stays what it is when rows are added.
    to.text(info(each.id).name);
    to.text(each.text);
    to.text(each.clause);
    to.text(each.slice);
  }
}

std::optional<ReasonId> reasonNamed(std::string_view name) {
  for (std::uint64_t i = 0; i < reasonCount; ++i)
    if (info(static_cast<ReasonId>(i)).name == name)
      return static_cast<ReasonId>(i);
  return std::nullopt;
}

double readTime(ByteReader& from) {
  const double out = from.real();
  from.require(std::isfinite(out));
  return out;
}

GateDecision readDecision(ByteReader& from) {
  GateDecision out;
  const std::uint64_t outcome = from.number(1);
  from.require(outcome <= static_cast<std::uint64_t>(GateOutcome::RollBack));
  out.outcome = static_cast<GateOutcome>(from.isGood() ? outcome : 0);
  out.stage = from.text();
  out.origin = measure::EvidenceOrigin::read(from);
  out.at = readTime(from);
  out.pieces = readIds(from);
  out.restsOn = from.number();
  constexpr std::uint64_t least = 4 * 8;
  for (std::uint64_t left = from.count(least); left != 0 && from.isGood(); --left) {
    const auto id = reasonNamed(from.text());
    from.require(id.has_value());
    Reason reason{id.value_or(ReasonId::Given), std::string(from.text()), {}, {}};
    reason.clause = from.text();
    reason.slice = from.text();
    out.reasons.push_back(std::move(reason));
  }
  return out;
}

void writeRun(ByteWriter& to, const AcceptedRun& run) {
  to.text(run.stage);
  run.origin.write(to);
  to.real(run.at);
  to.text(run.by);
  to.text(run.because);
  writeIds(to, run.pieces);
  to.number(run.rows.size());
  for (const AcceptedRow& each : run.rows) {
    to.text(each.clause);
    to.text(each.says);
    to.text(each.slice);
    each.sums.write(to);
  }
}

AcceptedRun readRun(ByteReader& from) {
  AcceptedRun out;
  out.stage = from.text();
  out.origin = measure::EvidenceOrigin::read(from);
  out.at = readTime(from);
  out.by = from.text();
  out.because = from.text();
  out.pieces = readIds(from);
  constexpr std::uint64_t least = 3 * 8 + 10 * 8;
  for (std::uint64_t left = from.count(least); left != 0 && from.isGood(); --left) {
    AcceptedRow row;
    for (std::string* text : {&row.clause, &row.says, &row.slice})
      *text = from.text();
    row.sums = measure::UnitSums::read(from);
    out.rows.push_back(std::move(row));
  }
  return out;
}

using PiecesOfStages = std::map<std::size_t, std::set<data::PieceId>>;

void goBack(KernelProgress& to, const GateDecision& by, std::size_t stage, std::size_t requested) {
  to.stage = std::min(to.stage, stage == 0 ? 0 : stage - 1);
  ++to.attempt;
  if (stage == requested) {
    to.sentBack = by;
    to.sentBackBy = std::move(to.used);
  }
  to.used.clear();
  to.spent.clear();
  to.since.reset();
  to.passed.reset();
}

/// `looked`: at which pieces each stage looked in this attempt.
void goOn(KernelProgress& to, const GateDecision& by, std::size_t stage, std::size_t requested,
          PiecesOfStages& looked) {
  std::set<data::PieceId>& all = looked[stage];
  all.insert(by.pieces.begin(), by.pieces.end());
  if (stage == requested) {
    to.used = all;
    to.sentBack.reset();
    to.sentBackBy.clear();
  }
  if (by.outcome == GateOutcome::RollBack) {
    goBack(to, by, stage, requested);
    looked.clear();
    return;
  }
  if (by.outcome == GateOutcome::Promote)
    to.stage = std::max(to.stage, stage + 1);
  if (stage != requested) {
    if (by.outcome == GateOutcome::Promote)
      to.spent.insert(all.begin(), all.end());
    return;
  }
  if (!to.since)
    to.since = by.at; // a clock that went back since then has not made it earlier
  if (by.outcome == GateOutcome::Promote)
    to.passed = by;
}

} // namespace

measure::EvidenceOrigin kernelOf(measure::EvidenceOrigin origin) {
  origin.stage.clear();
  origin.version.clear(); // a word of the contract's author, and no other kernel
  return origin;
}

KernelProgress GateState::progressOf(const measure::EvidenceOrigin& kernel,
                                     std::span<const std::string> stages,
                                     std::size_t requested) const {
  KernelProgress out;
  std::set<data::PieceId> seen;
  PiecesOfStages looked;
  for (const GateDecision& each : decisions) {
    const auto stage = std::find(stages.begin(), stages.end(), each.stage);
    if (each.origin != kernel || stage == stages.end())
      continue;
    seen.insert(each.pieces.begin(), each.pieces.end());
    goOn(out, each, static_cast<std::size_t>(stage - stages.begin()), requested, looked);
    if (each.outcome == GateOutcome::RollBack)
      out.closed = seen;
  }
  return out;
}

std::string GateState::bytes() const {
  ByteWriter out;
  out.text(contract);
  out.real(latest);
  out.number(decisions.size());
  for (const GateDecision& each : decisions)
    writeDecision(out, each);
  out.number(history.size());
  for (const AcceptedRun& each : history)
    writeRun(out, each);
  return measure::sealedFile(stateKind, out.take());
}

llvm::Expected<GateState> GateState::read(std::string_view bytes, std::string_view name) {
  auto body = measure::unsealedFile(stateKind, bytes, name);
  if (!body)
    return body.takeError();
  ByteReader from(*body);
  GateState out;
  out.contract = from.text();
  out.latest = from.real();
  from.require(!std::isnan(out.latest));
  constexpr std::uint64_t leastDecision = 1 + 11 * 8, leastRun = 12 * 8;
  for (std::uint64_t left = from.count(leastDecision); left != 0 && from.isGood(); --left)
    out.decisions.push_back(readDecision(from));
  for (std::uint64_t left = from.count(leastRun); left != 0 && from.isGood(); --left)
    out.history.push_back(readRun(from));
  if (!from.isDone())
    return measure::sealFault(name, "has invalid contents");
  return out;
}

} // namespace tikc::gate
