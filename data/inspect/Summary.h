#pragma once

#include "data/Source.h"
#include "data/inspect/Coherence.h"
#include "data/inspect/Signs.h"
#include "trainers/BatchTally.h"

#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <vector>

/// A summary of recorded data without a contract.
namespace tikc::data {

/// The numbers of one side.
struct SideScale {
  std::uint64_t tokens = 0;
  std::uint64_t nonFinite = 0; // among tokens that count
  std::uint64_t infinite = 0;  // among these, including those too large for single precision
  std::uint64_t above0 = 0;
  double sum = 0, square = 0;
  double smallest = std::numeric_limits<double>::infinity();
  double largest = -std::numeric_limits<double>::infinity();

  void add(float value);
  void add(const SideScale& other);
  double mean() const { return sum / static_cast<double>(tokens); }
};

/// Whole rows of logits, by the row pass of checkers at temperature 1. A token that is minus
/// infinity on both sides is masked and ignored.
struct RowSummary {
  std::uint64_t rows = 0;        // rows that count
  std::uint64_t masked = 0;      // rows that do not count
  std::uint64_t nonFinite = 0;   // with NaN or plus infinity, or with each token of a side masked
  std::uint64_t unreadable = 0;  // with a vocabulary size that the row pass does not support
  std::uint64_t maskedByOne = 0; // compared rows in which one side alone masks a token
  std::uint64_t vocabulary = 0;
  double divergence = 0, variation = 0, sameTop = 0; // sums over compared rows
  double largestVariation = 0;
  std::string trainFormat, inferFormat;

  std::uint64_t compared() const { return rows - nonFinite - unreadable; }
  void add(const RowSummary& other);
};

/// The range of a number that responses state.
struct Range {
  std::uint64_t responses = 0;
  double smallest = std::numeric_limits<double>::infinity();
  double largest = -std::numeric_limits<double>::infinity();

  void add(std::optional<double> value);
  void add(const Range& other);
};

struct Summary {
  PieceReport report;
  std::uint64_t repeatedPieces = 0;
  std::uint64_t tokens = 0, counted = 0;
  std::uint64_t withMask = 0, withIds = 0, withKey = 0, withVersionText = 0; // responses
  std::uint64_t shortest = std::numeric_limits<std::uint64_t>::max(), longest = 0;
  SideScale train, infer;
  Signs signs; // of paired responses
  Coherence coherence;
  std::map<double, Drift> versions;
  std::uint64_t unlistedVersions = 0; // responses of versions beyond the listed ones
  RowSummary rows;
  Range step, time, reward, advantage;
  /// Settings that records state, such as "temperature 0.8", with their counts; up to a limit.
  std::map<std::string, std::uint64_t> settings;
  Fault largest;                             // the place of the largest |x|
  std::vector<trainers::BatchTally> figures; // one per requested trainer

  void add(const Summary& other, std::size_t mostFaults);
};

/// Options of a summary: the trainers' figures to compute, starting from these tallies.
struct SummaryOptions {
  std::vector<trainers::BatchTally> figures;
};

/// Summarises a whole source.
Summary summarise(const Source& source, unsigned jobs, const DataLimits& limits,
                  const SummaryOptions& options = {});

} // namespace tikc::data
