#include "data/inspect/Diagnosis.h"

#include "data/Report.h"
#include "data/inspect/Looks.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace tikc::data {
namespace {

constexpr double agreed = 1e-6, leastOff = 0.002;

template <class... Ids> constexpr std::uint32_t hiding(Ids... ids) {
  return (0U | ... | (1U << static_cast<unsigned>(ids)));
}

constexpr Cause causeRows[] = {
#define CAUSE(Id, ...) {CauseId::Id, __VA_ARGS__},
#include "data/inspect/Causes.def"
};

void hideEchoes(std::vector<CauseFinding>& causes) {
  std::array<const Cause*, std::size(causeRows)> hiding{};
  for (CauseFinding& each : causes) {
    const auto at = static_cast<std::size_t>(each.cause);
    const bool isThere = each.state == CauseState::named || each.state == CauseState::undecided;
    if (isThere && hiding[at] != nullptr) {
      each.state = CauseState::echoed;
      each.why = fmt::format("{} would explain it as well", hiding[at]->name);
    }
    if (each.state != CauseState::named)
      continue;
    for (std::size_t i = at + 1; i < hiding.size(); ++i)
      if (hiding[i] == nullptr && (rowOf(each.cause).hides >> i & 1U) != 0)
        hiding[i] = &rowOf(each.cause);
  }
}

std::vector<std::string> notesOf(const Signs& signs) {
  std::vector<std::string> out;
  if (signs.passedOver != 0)
    out.push_back(fmt::format("{} more response{} skipped: a measurement uses the first {} tokens "
                              "of each piece of data, and one response of {} after them",
                              grouped(signs.passedOver), signs.passedOver == 1 ? " was" : "s were",
                              grouped(Signs::firstTokens), Signs::oneOf));
  if (signs.nonFinite != 0)
    out.push_back(fmt::format("{} counted token{} not finite on one side, and included in the "
                              "clauses' values, but not in this diagnosis",
                              grouped(signs.nonFinite), signs.nonFinite == 1 ? " is" : "s are"));
  if (signs.whole.tokens != 0 && signs.whole.meanAbsolute() <= agreed)
    out.push_back("the sides agree to a millionth on average, as deterministic kernels do");
  return out;
}

/// Why weights of whole responses, products of w, have no usable mean; empty if they have one. Of n
/// responses of T tokens, n·exp(-T·χ²) count effectively if tokens drift independently.
std::string whyNoWeights(const Drift& whole) {
  constexpr double fewest = 10; // responses that count
  const auto responses = static_cast<double>(whole.responses),
             tokens = static_cast<double>(whole.tokens);
  const double chi2 = whole.excessSquare / tokens, length = tokens / responses;
  if (!(length * chi2 > std::log(responses / fewest)))
    return {};
  const auto longest = static_cast<std::uint64_t>(std::log(responses / fewest) / chi2);
  return fmt::format(
      "importance weights of whole responses cannot be averaged: the mean of (w - 1)² "
      "is {:.2g} per token, so beyond about {} tokens fewer than {:g} of the {} "
      "responses would count; responses have {} tokens on average",
      chi2, grouped(longest), fewest, grouped(whole.responses),
      grouped(static_cast<std::uint64_t>(std::llround(length))));
}

} // namespace

const Cause& rowOf(CauseId id) { return causeRows[static_cast<std::size_t>(id)]; }

std::string_view name(CauseState state) {
  constexpr std::string_view names[] = {"named", "echoed", "undecided", "unseen", "unasked"};
  return names[static_cast<std::size_t>(state)];
}

std::string_view name(DiagnosisState state) {
  constexpr std::string_view names[] = {"named", "none", "undecided"};
  return names[static_cast<std::size_t>(state)];
}

std::string SignFigure::text() const {
  if (!(error > 0))
    return fmt::format("{}: {:.3g}", says, value);
  constexpr double least = 1e-9, most = 1e9; // that are read more easily without an exponent
  if (!(error >= least && error <= most && std::abs(value) <= most))
    return fmt::format("{}: {:.3g} ± {:.1g}", says, value, error);
  // Both have the place of the error's first digit.
  const int places = std::max(0, static_cast<int>(-std::floor(std::log10(error))));
  return fmt::format("{}: {:.{}f} ± {:.{}f}", says, value, places, error, places);
}

std::vector<const CauseFinding*> Diagnosis::thatAre(CauseState wanted) const {
  std::vector<const CauseFinding*> out;
  for (const CauseFinding& each : causes)
    if (each.state == wanted)
      out.push_back(&each);
  return out;
}

std::string Diagnosis::outcome() const {
  if (state != DiagnosisState::named)
    return state == DiagnosisState::none ? "no known cause stands out" : "undecided";
  std::string out;
  for (const CauseFinding* each : thatAre(CauseState::named))
    out += fmt::format("{}{}", out.empty() ? "consistent with " : ", and with ",
                       rowOf(each->cause).name);
  if (mayBeStale())
    out += fmt::format(", or with {}", rowOf(CauseId::Weights).name);
  return out;
}

bool Diagnosis::mayBeStale() const {
  const auto isIn = [&](CauseId cause, CauseState is) {
    return std::any_of(causes.begin(), causes.end(), [&](const CauseFinding& each) {
      return each.cause == cause && each.state == is;
    });
  };
  return isIn(CauseId::Quantisation, CauseState::named) &&
         isIn(CauseId::Weights, CauseState::unasked);
}

Diagnosis Diagnosis::of(const Signs& signs) {
  Diagnosis out;
  out.responses = signs.whole.responses;
  out.tokens = signs.whole.tokens;
  out.notes = notesOf(signs);
  if (out.responses < leastResponses || out.tokens < leastTokens) {
    out.notes.insert(out.notes.begin(),
                     fmt::format("too few data: expected at least {2} responses and {3} tokens "
                                 "that count on both sides, found {0} and {1}",
                                 grouped(out.responses), grouped(out.tokens), leastResponses,
                                 grouped(leastTokens)));
    for (const Cause& each : causeRows)
      out.causes.push_back({each.id, CauseState::undecided, {}, "too few responses or tokens"});
    return out;
  }
  out.causes = lookAtAll(signs);
  hideEchoes(out.causes);
  out.state = !out.thatAre(CauseState::named).empty()       ? DiagnosisState::named
              : !out.thatAre(CauseState::undecided).empty() ? DiagnosisState::undecided
                                                            : DiagnosisState::none;
  if (out.mayBeStale())
    out.notes.push_back("within one step, stale weights look like quantised ones: record the step "
                        "or the version of each response to distinguish them");
  const double off = signs.whole.excess / static_cast<double>(signs.whole.tokens);
  if (out.state != DiagnosisState::named && std::abs(off) >= leastOff &&
      std::abs(off) >= enoughErrors * signs.whole.standardError())
    out.notes.push_back(fmt::format(
        "the mean of w is {:.4g}, but coherent data have 1: the data have another fault", 1 + off));
  if (std::string note = whyNoWeights(signs.whole); !note.empty())
    out.notes.push_back(std::move(note));
  return out;
}

} // namespace tikc::data
