#include "measure/Fragments.h"

#include "data/Impossible.h"
#include "measure/Intake.h"
#include "measure/Rows.h"
#include "tikc/row.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace tikc::measure {
namespace {

using By = Rounds::By;

std::uint64_t recordOf(const data::Place& at) { return at.line != 0 ? at.line : at.record; }

std::uint64_t countedTokens(std::span<const std::uint8_t> mask, std::size_t size) {
  if (mask.empty())
    return size;
  return static_cast<std::uint64_t>(
      std::count_if(mask.begin(), mask.end(), [](auto each) { return each != 0; }));
}

double partOf(std::optional<double> time, double round) {
  return std::floor(time.value_or(0) / round * partsOfRound);
}

/// Whether a time has to begin another fragment: it is of another part of a round or window, it
/// goes back by one, or only one of the two times is known. `Judging` refuses the last two.
bool isOfAnotherTime(const Fragment& fragment, const Rounds& rounds, double shortest,
                     std::optional<double> time) {
  if (fragment.begins.has_value() != time.has_value())
    return true;
  if (!time)
    return false;
  const bool isCut = rounds.by != By::All && rounds.by != By::File;
  return (isCut && partOf(fragment.begins, shortest) != partOf(time, shortest)) ||
         *time <= fragment.ends.value_or(*time) - shortest;
}

/// Whether what comes next may be of another round, or step, than what is in a fragment.
bool isFull(const Fragment& fragment, const MeasuredPlan& measured,
            std::optional<double> shortestTime, std::string_view file, std::optional<double> step,
            std::optional<double> time) {
  const Rounds& rounds = measured.rounds;
  if (fragment.step != step && marksSteps(measured))
    return true;
  if (shortestTime && isOfAnotherTime(fragment, rounds, *shortestTime, time))
    return true;
  switch (rounds.by) {
  case By::File:
    return fragment.file != file;
  case By::Tokens:
  case By::Responses: // by what came of the piece
  case By::All:
  case By::Step:
  case By::Seconds: // by times
    return false;
  }
  return false;
}

void handIn(const data::HandedIn& from, std::uint64_t id, engine::LoadedTally& to) {
  auto one = [&](quantity kind, const std::optional<data::HandedIn::Ends>& ends) {
    if (ends)
      to.hand_in(kind, ends->least, ends->greatest, id);
  };
  one(quantity::reward, from.reward);
  one(quantity::advantage, from.advantage);
  one(quantity::score_norm, from.scoreNorm);
}

} // namespace

bool marksSteps(const MeasuredPlan& measured) {
  const auto& windows = measured.plan.windows;
  return measured.rounds.by == By::Step ||
         std::any_of(windows.begin(), windows.end(),
                     [](const plan::Window& window) { return window.unit == window_unit::steps; });
}

std::optional<double> shortestTime(const MeasuredPlan& measured) {
  if (measured.rounds.by == By::Seconds)
    return measured.rounds.amount;
  std::optional<double> out;
  for (const plan::Check& each : measured.plan.checks) {
    const plan::Window& window = measured.plan.windows[each.window];
    if (window.unit == window_unit::seconds && each.estimator != estimator::sampled &&
        isOfStream(sourceOf(measured.plan.signals[each.signal])))
      out = std::min(out.value_or(window.amount), window.amount);
  }
  return out;
}

Fragmenting::Fragmenting(const MeasuredPlan& measured, Done done)
    : measured_(measured), shortestTime_(shortestTime(measured)), slicing_(measured.plan),
      settings_(measured.plan, measured.stream), units_(measured.loaded, measured.stream),
      done_(std::move(done)) {}

void Fragmenting::finish() {
  if (fragment_.tally)
    done_(fragment_);
}

double Fragmenting::part() const {
  const Rounds& rounds = measured_.rounds;
  const std::uint64_t came = rounds.by == By::Tokens      ? std::max(tokens_, rows_)
                             : rounds.by == By::Responses ? responses_
                                                          : 0;
  return came == 0 ? 0 : std::floor(static_cast<double>(came) * partsOfRound / rounds.amount);
}

Fragment& Fragmenting::open(const data::Place& at, std::optional<double> step,
                            std::optional<double> time) {
  std::unique_ptr<engine::LoadedTally> tally;
  if (!fragment_.tally) {
    origin_ = {std::string(at.file), at.line != 0};
    tally = std::make_unique<engine::LoadedTally>(measured_.loaded);
  } else if (part() != part_ || isFull(fragment_, measured_, shortestTime_, at.file, step, time)) {
    done_(fragment_);
    tally = std::move(fragment_.tally);
    tally->clear();
  }
  if (tally) {
    part_ = part();
    fragment_ = {std::move(tally), 0, 0, 0, at.file, step, time, time};
    namesSteps_ = namesSteps_ || step;
    namesTimes_ = namesTimes_ || time;
    return fragment_;
  }
  if (time && fragment_.ends)
    fragment_.ends = std::max(*fragment_.ends, *time);
  else
    fragment_.ends = std::nullopt;
  if (time)
    fragment_.begins = std::min(fragment_.begins.value_or(*time), *time);
  return fragment_;
}

std::size_t Fragmenting::endOfPart(std::size_t begin, std::size_t end,
                                   std::size_t mostNumbered) const {
  const std::size_t numbered = mostNumbered - begin % mostNumbered;
  std::size_t most = std::min(end - begin, numbered);
  // A response that is longer than a part of a round is cut, too: an array may be one response.
  if (measured_.rounds.by == By::Tokens)
    most =
        std::min(most, static_cast<std::size_t>(std::ceil(measured_.rounds.amount / partsOfRound)));
  return begin + most;
}

bool Fragmenting::isImpossible(const data::Response& response) {
  auto fault = data::impossibleIn(response);
  const bool isOfArray = response.at.line == 0;
  if (fault && isOfArray)
    fault->message += " Use --preset=rows for rows";
  // Nothing in the array says that these are tokens.
  constexpr std::size_t leastVocabulary = 256;
  const std::size_t vocabulary = measured_.loaded.vocabulary;
  if (!fault && isOfArray && vocabulary >= leastVocabulary && response.size() == vocabulary &&
      response.mask.empty() && response.ids.empty())
    fault = data::faultAt(
        response.at,
        fmt::format("a response has {} log-probs, as many as the vocabulary has tokens; use "
                    "--preset=rows if these are rows, or add a `mask` if they are tokens",
                    data::grouped(vocabulary)));
  if (!fault)
    return false;
  if (impossible_++; faults_.size() < Intake::mostFaults)
    faults_.push_back(std::move(*fault));
  return true;
}

/// Where floats do not hold the log-probs, as many digits of what they differ by as a float has.
void Fragmenting::takeGaps(const data::Response& response) {
  gaps_.clear();
  if (response.isWritten())
    for (std::size_t i = 0; i < response.size(); ++i)
      gaps_.push_back(static_cast<float>(response.gap(i)));
}

void Fragmenting::take(const data::Response& response) {
  if (response.train.size() != response.infer.size()) {
    ++unpaired_;
    return;
  }
  if (isImpossible(response))
    return;
  settings_.look(response.labels);
  signs_.addSome(response);
  takeGaps(response);
  ObservationId id{0, recordOf(response.at), 0, response.at.response};
  const std::uint64_t first = id.packed();
  std::uint64_t counted = 0;
  sequence whole;
  std::size_t last = 0;
  Fragment* into = &open(response.at, response.step, response.time);
  for (const Slicing::Run& run : slicing_.runsOf(response)) {
    last = run.slice;
    for (std::size_t begin = run.begin, end = 0; begin < run.end; begin = end) {
      id.token = response.offset + begin;
      end = endOfPart(id.token, response.offset + run.end, id.mostTokens()) - response.offset;
      if (begin != 0)
        into = &open(response.at, response.step, response.time);
      const auto mask =
          response.mask.empty() ? response.mask : response.mask.subspan(begin, end - begin);
      units_.before(*into->tally, run.slice, source::tokens);
      const float *const train = response.train.data() + begin, *const infer =
                                                                    response.infer.data() + begin;
      const std::uint8_t* const counts = mask.empty() ? nullptr : mask.data();
      if (gaps_.empty())
        into->tally->observe_tokens(measured_.stream, run.slice,
                                    token_batch{train, infer, counts, end - begin, id.packed()},
                                    whole);
      else
        into->tally->observe_tokens(
            measured_.stream, run.slice,
            gapped_batch{train, infer, gaps_.data() + begin, counts, end - begin, id.packed()},
            whole);
      units_.after(*into->tally, run.slice, source::tokens);
      const std::uint64_t more = countedTokens(mask, end - begin);
      counted += more;
      into->tokens += more;
      tokens_ += more;
    }
  }
  ++into->responses;
  ++responses_;
  units_.before(*into->tally, last, source::sequences);
  into->tally->end_sequence(measured_.stream, last, whole, first);
  units_.after(*into->tally, last, source::sequences);
  units_.finish();
  if (counted != 0)
    handIn(response.handed, first, *into->tally);
}

void Fragmenting::take(const data::RowPair& rows) {
  if (rows.vocabulary != measured_.loaded.vocabulary) {
    ++strangers_;
    strangeLength_ = rows.vocabulary;
    return;
  }
  if (!rows.counts)
    return;
  settings_.look(rows.labels);
  scratch_.resize(row_scratch_floats(rows.vocabulary));
  Fragment& into = open(rows.at, rows.step, rows.time);
  const std::size_t slice = slicing_.sliceOf(rows);
  ++into.rows;
  ++rows_;
  units_.before(*into.tally, slice, source::rows);
  into.tally->observe_row(measured_.stream, slice, rows.train, rows.infer, scratch_.data(),
                          ObservationId{0, recordOf(rows.at), 0}.packed());
  units_.after(*into.tally, slice, source::rows);
  units_.finish();
}

} // namespace tikc::measure
