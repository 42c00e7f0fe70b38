#pragma once

#include "bounds/prove/Prover.h"
#include "model/Contract.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// What a change to a contract means, as data.
namespace tikc::changes {

/// Of less weight before more.
enum class Effect : std::uint8_t { Same, Tighter, Changed, Looser };
/// Of a version.
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

/// Whether what was observed under the old contract decides a clause of the new one.
struct Reuse {
  bool isEnough = false;
  std::string why;
};

/// What a statistic could be: "p99(latency)", "50 s".
struct WitnessValue {
  std::string figure, value;
};

struct PartChange {
  ChangedPart part{};
  ChangeKind kind{};
  std::string name;          // in the new contract; in the old one where it is gone
  std::string formerly = {}; // where it is renamed
  std::string before = {}, after = {};
  Span was = {}, is = {}; // where both stand; invalid where it does not
  std::string why = {};   // a sentence
  std::optional<Reuse> reuse = {};
  /// With what one keeps the new one and breaks the old one; empty where that is not cheap to find.
  std::vector<WitnessValue> witness = {};
};

/// What became of a claim on some slices, before and after: for people.
struct ClaimOutcomes {
  std::string claim, slices;
  std::string before, after; // "proved, 2.4% to spare"; empty where it is not claimed
  bool isLost = false, isGained = false, isNearer = false;
};

/// A contract of one side, and what became of its claims where that was decided.
struct Edition {
  const model::Contract* contract = nullptr;
  const bounds::Proof* proof = nullptr;
};

struct VersionVerdict {
  std::string before, after; // empty where none is written
  VersionStep needed = VersionStep::None;
  /// Nothing where it cannot be told: a version is missing.
  std::optional<VersionStep> taken;
  bool goesBack = false;
  std::string next; // the least version that says enough; empty where the old one is not known

  bool isEnough() const { return !taken || (!goesBack && *taken >= needed); }
};

/// Two editions of one contract, compared.
struct ContractChanges {
  enum class Presence : std::uint8_t { InBoth, OnlyOld, OnlyNew };

  std::string name;
  Presence presence = Presence::InBoth;
  Span was = {}, is = {};
  Span versionPlace = {}; // of the new one's; invalid where it has none
  std::vector<PartChange> changes;
  std::vector<ClaimOutcomes> outcomes;
  Effect effect = Effect::Same;
  VersionVerdict version;
  std::string why; // a sentence, of one that is gone

  /// Both sides have it, and there is nothing to tell of it.
  bool isUnchanged() const {
    return presence == Presence::InBoth && changes.empty() && outcomes.empty() && !version.goesBack;
  }
};

/// A contract of which nothing is known: a side of it has errors.
struct NotCompared {
  std::string name; // or its file's, where errors leave none
  std::string why;  // "the new contract has errors"
};

/// The gravest of them.
Effect effectOf(const std::vector<PartChange>& changes);
VersionStep stepOf(const std::vector<PartChange>& changes);

} // namespace tikc::changes
