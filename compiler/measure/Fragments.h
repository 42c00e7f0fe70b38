#pragma once

#include "data/Source.h"
#include "data/inspect/Signs.h"
#include "engine/LoadedTally.h"
#include "measure/ObservationId.h"
#include "measure/Rounds.h"
#include "measure/ServedSettings.h"
#include "measure/Slicing.h"
#include "measure/UnitSums.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tikc::measure {

/// What was observed between two places at which an evaluation may be. Fragments of pieces that
/// were read at the same time are judged in the pieces' order.
struct Fragment {
  std::unique_ptr<engine::LoadedTally> tally;
  std::uint64_t tokens = 0, responses = 0, rows = 0;
  std::string_view file;
  std::optional<double> step;
  std::optional<double> begins, ends; // by the data's times
};

/// A contract as measuring runs it.
struct MeasuredPlan {
  const plan::Plan& plan;
  const engine::LoadedPlan& loaded;
  std::size_t stream = 0; // whose log-probs and rows these are
  Rounds rounds;
  bool isDetailed = false;            // for a page
  std::optional<double> confidence{}; // of the stage that is asked for
};

/// Where a piece is from.
struct PieceOrigin {
  std::string file;
  bool isOfLines = false;
  std::uint64_t linesBefore = 0; // in the file
  data::PieceId id{};            // all zeros of one that was judged as another
};

/// Whether steps are told apart, as rounds or by a window of the contract.
bool marksSteps(const MeasuredPlan& measured);

/// Observes what a piece brings, fragment by fragment. Observations are named as of the first
/// piece, wherever it is among others, so that its tallies are always the same.
class Fragmenting {
public:
  /// Shows each fragment to `done` once it is full; it is the next one's afterwards.
  using Done = std::function<void(const Fragment&)>;
  Fragmenting(const MeasuredPlan& measured, Done done);

  void take(const data::Response& response);
  void take(const data::RowPair& rows);
  /// Shows the last one.
  void finish();

  const PieceOrigin& origin() const { return origin_; }
  std::uint64_t tokens() const { return tokens_; }
  std::uint64_t responses() const { return responses_; }
  std::uint64_t rows() const { return rows_; }
  bool namesSteps() const { return namesSteps_; }
  bool namesTimes() const { return namesTimes_; }
  const UnitTable& units() const { return units_.table(); }

  const Slicing::Missing& missing() const { return slicing_.missing(); }
  const OtherSettings& otherSettings() const { return settings_.others(); }
  /// Rows that are not as long as the contract's vocabulary, and so observed by nobody.
  std::uint64_t strangers() const { return strangers_; }
  std::size_t strangeLength() const { return strangeLength_; }
  /// Responses of one side alone.
  std::uint64_t unpaired() const { return unpaired_; }
  /// Responses of which a log-prob is above 0, and so observed by nobody; and the first of them.
  std::uint64_t impossible() const { return impossible_; }
  const std::vector<data::Fault>& faults() const { return faults_; }
  const data::Signs& signs() const { return signs_; }

private:
  bool isImpossible(const data::Response& response);
  void takeGaps(const data::Response& response);
  /// Of a round, which what comes next is in.
  double part() const;
  std::size_t endOfPart(std::size_t begin, std::size_t end, std::size_t mostNumbered) const;
  Fragment& open(const data::Place& at, std::optional<double> step, std::optional<double> time);

  const MeasuredPlan& measured_;
  Slicing slicing_;
  ServedSettings settings_;
  UnitKeeping units_;
  Done done_;
  Fragment fragment_; // without a tally before the first
  PieceOrigin origin_;
  bool namesSteps_ = false, namesTimes_ = false;
  std::vector<float> scratch_, gaps_;
  std::uint64_t tokens_ = 0, responses_ = 0, rows_ = 0; // so far
  double part_ = 0;                                     // that the last fragment began in
  std::uint64_t strangers_ = 0, unpaired_ = 0, impossible_ = 0;
  std::vector<data::Fault> faults_;
  std::size_t strangeLength_ = 0; // of one of them
  data::Signs signs_;
};

} // namespace tikc::measure
