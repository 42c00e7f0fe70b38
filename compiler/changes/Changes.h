#pragma once

#include "bounds/prove/Prover.h"
#include "model/Contract.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// The meaning of a change to a contract, as data.
namespace tikc::changes {

/// From the least to the most important.
enum class Effect : std::uint8_t { Same, Tighter, Changed, Looser };
/// The part of a version number that increases.
enum class VersionStep : std::uint8_t { None, Patch, Minor, Major };

enum class ChangeKind : std::uint8_t {
#define KIND(Id, ...) Id,
#include "changes/Kinds.def"
};
enum class ChangedPart : std::uint8_t {
#define PART(Id, ...) Id,
#include "changes/Parts.def"
};

struct KindInfo {
  ChangeKind kind;
  std::string_view word;
  Effect effect;
  VersionStep step;
  std::string_view meaning;
};
const KindInfo& info(ChangeKind kind);
std::string_view partWord(ChangedPart part);
std::string_view effectWord(Effect effect);
std::string_view stepWord(VersionStep step);

/// Whether observations under the old contract decide a clause of the new one.
struct Reuse {
  bool isEnough = false;
  std::string why;
};

/// A statistic and a possible value: "p99(latency)", "50 s".
struct WitnessValue {
  std::string figure, value;
};

struct PartChange {
  ChangedPart part{};
  ChangeKind kind{};
  std::string name;          // in the new contract; in the old one if it was removed
  std::string formerly = {}; // the old name, if it was renamed
  std::string before = {}, after = {};
  Span oldPlace = {}, newPlace = {}; // in both texts; invalid if missing there
  std::string why = {};              // a sentence
  std::optional<Reuse> reuse = {};
  /// Values that satisfy the new contract and violate the old one; empty if they are not cheap to
  /// find.
  std::vector<WitnessValue> witness = {};
};

/// The verdicts on a claim before and after, on some slices, for readers.
struct ClaimOutcomes {
  std::string claim, slices;
  std::string before, after; // "proved, 2.4% to spare"; empty without the claim
  bool isLost = false, isGained = false, isNearer = false;
};

/// One side's contract, and its proof if it was decided.
struct Edition {
  const model::Contract* contract = nullptr;
  const bounds::Proof* proof = nullptr;
};

struct VersionVerdict {
  std::string before, after; // empty if the contract has none
  VersionStep needed = VersionStep::None;
  /// Empty if a version is missing.
  std::optional<VersionStep> taken;
  bool goesBack = false;
  std::string next; // the smallest sufficient version; empty if the old one is unknown

  bool isEnough() const { return !taken || (!goesBack && *taken >= needed); }
};

/// The comparison of two editions of one contract.
struct ContractChanges {
  enum class Presence : std::uint8_t { InBoth, OnlyOld, OnlyNew };

  std::string name;
  Presence presence = Presence::InBoth;
  Span oldPlace = {}, newPlace = {};
  Span versionPlace = {}; // in the new contract; invalid if it has none
  std::vector<PartChange> changes;
  std::vector<ClaimOutcomes> outcomes;
  Effect effect = Effect::Same;
  VersionVerdict version;
  std::string why; // a sentence, for a removed contract

  /// Whether both sides have the contract and nothing is to report.
  bool isUnchanged() const {
    return presence == Presence::InBoth && changes.empty() && outcomes.empty() && !version.goesBack;
  }
};

/// A contract that cannot be compared, because a side has errors.
struct NotCompared {
  std::string name; // or its file's name, if errors hide the name
  std::string why;  // "the new contract has errors"
};

/// Returns the most important effect of the changes.
Effect effectOf(const std::vector<PartChange>& changes);
VersionStep stepOf(const std::vector<PartChange>& changes);

} // namespace tikc::changes
