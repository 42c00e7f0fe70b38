#pragma once

#include "data/text/Survey.h"

#include <llvm/Support/Error.h>

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/// Which numbers of a record are what.
namespace tikc::data {

enum class Role : std::uint8_t {
#define ROLE(Id, ...) Id,
#include "data/pairing/Roles.def"
};
enum class RoleKind : std::uint8_t { Tokens, Flags, Integers, Numbers, Words, Mixed, Rows };

struct RoleInfo {
  Role role;
  std::string_view name;
  RoleKind kind;
  std::string_view meaning;
};
std::span<const RoleInfo> roles();
const RoleInfo& info(Role role);

/// What has to be known of a writer besides names.
struct Traps {
  std::uint32_t skipped = 0;
  bool isPadded = false;
  bool hasTextNumbers = false;
  bool hasLongIds = false;
  bool hasPrompt = false;

  constexpr Traps skip(std::uint32_t count) const {
    Traps out = *this;
    out.skipped = count;
    return out;
  }
  constexpr Traps padded() const {
    Traps out = *this;
    out.isPadded = true;
    return out;
  }
  constexpr Traps text() const {
    Traps out = *this;
    out.hasTextNumbers = true;
    return out;
  }
  constexpr Traps prompted() const {
    Traps out = *this;
    out.hasPrompt = true;
    return out;
  }
  constexpr Traps tail() const {
    Traps out = *this;
    out.hasLongIds = true;
    return out;
  }
};

struct Preset {
  std::string_view name;
  std::string_view meaning;
  std::string_view map;
  Traps traps;
};
std::span<const Preset> presets();
const Preset* findPreset(std::string_view name);
/// Of fields that are called what they are.
inline constexpr std::string_view plainPreset = "plain";

/// A role, and where it is: the first of the paths that is there. Paths are as in
/// `choices[].logprobs.token_logprobs`, `[]` for each entry of a list and `[1]` for one.
struct Binding {
  Role role = Role::Label;
  std::string label; // of Role::Label
  std::vector<std::string> paths;
  /// Where several of the paths are there, they have to say the same: nobody said which one counts.
  bool mustAgree = false;
};

/// As --map names it.
std::string_view nameOf(const Binding& binding);
/// Whether a name of --map is a label, and no role.
bool isLabel(std::string_view name);
/// What --map says.
llvm::Expected<std::vector<Binding>> parseMap(std::string_view map);

/// How data are read.
struct Layout {
  std::string_view preset; // empty where there is none
  std::vector<Binding> bindings;
  Traps traps;
  std::int64_t shift = 0;
  bool isOneSide = false; // of a join, which needs its keys

  const Binding* find(Role role) const;
  const Binding* findLabel(std::string_view name) const;
  /// Whether log-probs or rows are named, of either side.
  bool namesNumbers() const {
    return find(Role::Train) || find(Role::Infer) || find(Role::Side) || find(Role::TrainRows) ||
           find(Role::InferRows);
  }
  /// Whether both sides' log-probs are named.
  bool isPaired() const { return find(Role::Train) && find(Role::Infer); }
  bool hasRows() const { return find(Role::TrainRows) && find(Role::InferRows); }
};

/// A preset and what overrides it; either may be missing.
llvm::Expected<Layout> layoutOf(std::string_view preset, std::string_view map, std::int64_t shift);
/// What is wrong with a field whose binding has another one that it must agree with.
std::string differsFrom(std::string_view other);
/// Whether one of its paths is among the fields.
bool isThere(const Binding& binding, const Survey& survey);
/// The preset that fields look like.
const Preset* recognise(const Survey& survey);
/// Whether the fields of one side of a join have the names that the preset `plain` knows.
bool looksPlain(const Survey& survey, Role side);

} // namespace tikc::data
