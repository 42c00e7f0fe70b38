#pragma once

#include "checker/engine/LoadedTally.h"
#include "data/Source.h"
#include "data/inspect/Signs.h"
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

/// Rounds end where fragments do: in a piece where so many parts of one are full, counted from its
/// begin, so that rounds are as long as they say. A piece's first one begins anew: a round that
/// goes on in another piece is longer than it has to be by a part of it at most.
inline constexpr double partsOfRound = 8;

/// The observations between two places where an evaluation may happen. Pieces are read at once, but
/// their fragments are judged in order.
struct Fragment {
  std::unique_ptr<engine::LoadedTally> tally;
  std::uint64_t tokens = 0, responses = 0, rows = 0;
  std::string_view file;
  std::optional<double> step;
  /// In the data's own time. If only some records have times, only `begins` is known.
  std::optional<double> begins, ends;
};

/// A contract's plan, with the settings of a measurement.
struct MeasuredPlan {
  const plan::Plan& plan;
  const engine::LoadedPlan& loaded;
  std::size_t stream = 0; // the stream of the log-probs and rows
  Rounds rounds;
  bool isDetailed = false;            // keeps Details for a page
  std::optional<double> confidence{}; // of the chosen stage
};

/// The source of a piece.
struct PieceOrigin {
  std::string file;
  bool isOfLines = false;
  std::uint64_t linesBefore = 0; // before the piece in its file
  data::PieceId id{};            // zeros for a piece that was judged as part of another
};

/// Whether steps matter: as rounds, or as a window of the contract.
bool marksSteps(const MeasuredPlan& measured);
/// Returns the shortest time in seconds that an evaluation ends: that of the rounds, otherwise of
/// the contract's windows. Empty if times do not matter.
std::optional<double> shortestTime(const MeasuredPlan& measured);

/// Observes a piece, fragment by fragment. Observations are numbered as if it were the first piece,
/// so its tallies do not depend on other pieces.
class Fragmenting {
public:
  /// Called with each full fragment, which is reused afterwards.
  using Done = std::function<void(const Fragment&)>;
  Fragmenting(const MeasuredPlan& measured, Done done);

  void take(const data::Response& response);
  void take(const data::RowPair& rows);
  /// Passes the last fragment to `done`.
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
  /// Rows whose length is not the contract's vocabulary; they are skipped.
  std::uint64_t strangers() const { return strangers_; }
  std::size_t strangeLength() const { return strangeLength_; }
  /// Responses that only one side has.
  std::uint64_t unpaired() const { return unpaired_; }
  /// Responses with a log-prob above 0, which are skipped, and the first of them.
  std::uint64_t impossible() const { return impossible_; }
  const std::vector<data::Fault>& faults() const { return faults_; }
  const data::Signs& signs() const { return signs_; }

private:
  bool isImpossible(const data::Response& response);
  void takeGaps(const data::Response& response);
  /// Returns the part of a round that the next observation is in.
  double part() const;
  std::size_t endOfPart(std::size_t begin, std::size_t end, std::size_t mostNumbered) const;
  Fragment& open(const data::Place& at, std::optional<double> step, std::optional<double> time);

  const MeasuredPlan& measured_;
  std::optional<double> shortestTime_;
  Slicing slicing_;
  ServedSettings settings_;
  UnitKeeping units_;
  Done done_;
  Fragment fragment_; // without a tally at first
  PieceOrigin origin_;
  bool namesSteps_ = false, namesTimes_ = false;
  std::vector<float> scratch_, gaps_;
  std::uint64_t tokens_ = 0, responses_ = 0, rows_ = 0; // so far
  double part_ = 0; // of the round in which the last fragment began
  std::uint64_t strangers_ = 0, unpaired_ = 0, impossible_ = 0;
  std::vector<data::Fault> faults_;
  std::size_t strangeLength_ = 0; // of one stranger
  data::Signs signs_;
};

} // namespace tikc::measure
