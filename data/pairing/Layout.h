#pragma once

#include "data/text/Survey.h"

#include <llvm/Support/Error.h>

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/// The meaning of a record's numbers.
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

/// Properties of a writer's data beyond names.
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
/// The preset for fields with plain names.
inline constexpr std::string_view plainPreset = "plain";

/// A role and its place: the first path that a record has. Paths are as in
/// `choices[].logprobs.token_logprobs`; `[]` is each entry of a list, and `[1]` a single one.
struct Binding {
  Role role = Role::Label;
  std::string label; // for Role::Label
  std::vector<std::string> paths;
  /// If a record has several of the paths, their values must be equal: no path has priority.
  bool mustAgree = false;
};

/// Returns the name that --map uses.
std::string_view nameOf(const Binding& binding);
/// Returns whether a name of --map is a label rather than a role.
bool isLabel(std::string_view name);
/// Parses the value of --map.
llvm::Expected<std::vector<Binding>> parseMap(std::string_view map);

/// How data are read.
struct Layout {
  std::string_view preset; // empty if there is none
  std::vector<Binding> bindings;
  Traps traps;
  std::int64_t shift = 0;
  bool isOneSide = false; // one side of a join, which needs its keys

  const Binding* find(Role role) const;
  const Binding* findLabel(std::string_view name) const;
  /// Returns whether log-probs or rows of a side are bound.
  bool namesNumbers() const {
    return find(Role::Train) || find(Role::Infer) || find(Role::Side) || find(Role::TrainRows) ||
           find(Role::InferRows);
  }
  /// Returns whether both sides' log-probs are bound.
  bool isPaired() const { return find(Role::Train) && find(Role::Infer); }
  bool hasRows() const { return find(Role::TrainRows) && find(Role::InferRows); }
};

/// Returns the layout of a preset and its overrides; either may be missing.
llvm::Expected<Layout> layoutOf(std::string_view preset, std::string_view map, std::int64_t shift);
/// Returns the fault of a field that differs from another field of its binding.
std::string differsFrom(std::string_view other);
/// Returns whether one of the binding's paths is among the fields.
bool isThere(const Binding& binding, const Survey& survey);
/// Returns the preset that the fields resemble.
const Preset* recognise(const Survey& survey);
/// Returns whether the fields of one side of a join have the names of the preset `plain`.
bool looksPlain(const Survey& survey, Role side);

} // namespace tikc::data
