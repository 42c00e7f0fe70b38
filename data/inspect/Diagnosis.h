#pragma once

#include "data/inspect/Signs.h"

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/// What causes the numbers of two sides are consistent with.
namespace tikc::data {

enum class CauseId : std::uint8_t {
#define CAUSE(Id, ...) Id,
#include "data/inspect/Causes.def"
};

/// A row of Causes.def.
struct Cause {
  CauseId id;
  std::string_view key, name;
  std::uint32_t hides; // a bit for each
  std::string_view sign, apart, next;
};
const Cause& rowOf(CauseId id);

/// A number that says so, and of what it is.
struct SignFigure {
  std::string_view key;
  std::string says; // what the number is
  double value = 0, error = 0;
  std::string text() const; // "0.093 ± 0.002, the slope of x over log q"
};

enum class CauseState : std::uint8_t {
  named,     // its sign is larger than what chance and clean runs have
  echoed,    // the same, but a cause that is named in front of it has the sign as well
  undecided, // the sign is large enough, but may be chance as yet
  unseen,    // it is not there
  unasked,   // the data do not have what would show it
};
std::string_view name(CauseState state);

struct Consistent {
  CauseId cause{};
  CauseState is = CauseState::unseen;
  std::vector<SignFigure> figures;
  std::string why; // of what is echoed, undecided or unasked
};

enum class DiagnosisState : std::uint8_t { named, none, undecided };
std::string_view name(DiagnosisState state);

struct Diagnosis {
  DiagnosisState is = DiagnosisState::undecided;
  /// Each cause once, in the order of Causes.def.
  std::vector<Consistent> causes;
  /// What keeps all of it from being decided, and what else there is to know.
  std::vector<std::string> notes;
  std::uint64_t responses = 0, tokens = 0;

  static Diagnosis of(const Signs& signs);
  std::vector<const Consistent*> thatAre(CauseState state) const;
  /// "consistent with a temperature on one side, then …", "none of these", "undecided"
  std::string outcome() const;
};

} // namespace tikc::data
