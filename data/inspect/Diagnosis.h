#pragma once

#include "data/inspect/Signs.h"

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/// The causes that the numbers of two sides are consistent with.
namespace tikc::data {

enum class CauseId : std::uint8_t {
#define CAUSE(Id, ...) Id,
#include "data/inspect/Causes.def"
};

/// A row of Causes.def.
struct Cause {
  CauseId id;
  std::string_view key, name;
  std::uint32_t hides; // one bit per cause
  std::string_view sign, contrast, next;
};
const Cause& rowOf(CauseId id);

/// A number that supports a finding.
struct SignFigure {
  std::string_view key;
  std::string says; // the number's name
  double value = 0, error = 0;
  std::string text() const; // "slope of x over log q: 0.093 ± 0.002"
};

enum class CauseState : std::uint8_t {
  named,     // the sign exceeds chance and clean runs
  echoed,    // the sign exceeds them, but an earlier named cause has the same sign
  undecided, // the sign is large enough, but may still be chance
  unseen,    // the sign is absent
  unasked,   // the data lack what would show it
};
std::string_view name(CauseState state);

struct CauseFinding {
  CauseId cause{};
  CauseState state = CauseState::unseen;
  std::vector<SignFigure> figures;
  std::string why; // for echoed, undecided and unasked causes
};

enum class DiagnosisState : std::uint8_t { named, none, undecided };
std::string_view name(DiagnosisState state);

struct Diagnosis {
  DiagnosisState state = DiagnosisState::undecided;
  /// Each cause once, in the order of Causes.def.
  std::vector<CauseFinding> causes;
  /// Reasons why the result is incomplete, and other remarks.
  std::vector<std::string> notes;
  std::uint64_t responses = 0, tokens = 0;

  static Diagnosis of(const Signs& signs);
  std::vector<const CauseFinding*> thatAre(CauseState state) const;
  /// Returns a summary: "consistent with a temperature on one side, then …", "no known cause stands
  /// out", "undecided"
  std::string outcome() const;
  /// Returns whether quantised weights are named where nothing could show stale ones.
  bool mayBeStale() const;
};

} // namespace tikc::data
