#include "data/pairing/Layout.h"

#include "support/Names.h"
#include "support/UsageError.h"
#include "support/Utf8.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace tikc::data {
namespace {

constexpr RoleInfo roleTable[] = {
#define ROLE(Id, name, kind, meaning) {Role::Id, name, RoleKind::kind, meaning},
#include "data/pairing/Roles.def"
};

constexpr Traps skip(std::uint32_t count) { return Traps().skip(count); }
constexpr Traps padded() { return Traps().padded(); }
constexpr Traps text() { return Traps().text(); }
constexpr Traps tail() { return Traps().tail(); }
constexpr Traps plain() { return {}; }

constexpr Preset presetTable[] = {
#define PRESET(name, meaning, map, traps) {name, meaning, map, traps},
#include "data/pairing/Presets.def"
};

std::vector<std::string_view> splitAt(std::string_view text, char separator) {
  std::vector<std::string_view> out;
  for (;;) {
    const std::size_t end = text.find(separator);
    out.push_back(text.substr(0, end));
    if (end == std::string_view::npos)
      return out;
    text.remove_prefix(end + 1);
  }
}

/// A path, as a survey has it, of what another leads to: lists of lists are told whole.
bool leadsTo(std::string_view path, std::string_view surveyed) {
  if (!path.starts_with(surveyed))
    return false;
  const std::string_view rest = path.substr(surveyed.size());
  return rest.empty() || (rest.front() == '[' && rest.find('.') == std::string_view::npos);
}

/// Log-probs of responses are of two dimensions at most, and rows of logits of no fewer; raw files
/// have none that they tell. What both could be is asked for as log-probs first.
bool isOfDimensions(const SurveyedField& field, bool isRows) {
  return isRows ? field.isRaw || field.dimensions >= 2 : field.dimensions != 3;
}

bool isNumeric(const Binding& binding, const Survey& survey, bool isRows) {
  return std::any_of(survey.fields.begin(), survey.fields.end(), [&](const SurveyedField& field) {
    const bool isMeant =
        std::any_of(binding.paths.begin(), binding.paths.end(), [&](std::string_view path) {
          return path == field.path || (!field.isArray && path.ends_with("[]") &&
                                        path.substr(0, path.size() - 2) == field.path);
        });
    return isMeant && (field.isArray ? isOfDimensions(field, isRows) : !isRows);
  });
}

/// Returns whether an index in brackets has more digits than any list has places.
bool hasHugeIndex(std::string_view path) {
  for (std::size_t at = path.find('['); at != std::string_view::npos; at = path.find('[', at + 1)) {
    const std::size_t end = path.find_first_not_of("0123456789", at + 1);
    if (std::min(end, path.size()) - at - 1 > 18)
      return true;
  }
  return false;
}

Role roleNamed(std::string_view name) {
  for (const RoleInfo& row : roleTable)
    if (row.name == name)
      return row.role;
  return Role::Label;
}

} // namespace

std::span<const RoleInfo> roles() { return roleTable; }
const RoleInfo& info(Role role) { return roleTable[static_cast<std::size_t>(role)]; }
std::span<const Preset> presets() { return presetTable; }

const Preset* findPreset(std::string_view name) {
  for (const Preset& preset : presetTable)
    if (preset.name == name)
      return &preset;
  return nullptr;
}

std::string_view nameOf(const Binding& binding) {
  return binding.role == Role::Label ? std::string_view(binding.label) : info(binding.role).name;
}

bool isLabel(std::string_view name) { return roleNamed(name) == Role::Label; }

llvm::Expected<std::vector<Binding>> parseMap(std::string_view map) {
  std::vector<Binding> out;
  for (std::string_view entry : splitAt(map, ',')) {
    const std::size_t equals = entry.find('=');
    if (equals == 0 || equals == std::string_view::npos || equals + 1 == entry.size())
      return usageError(
          fmt::format("invalid value {} for --map; expected NAME=FIELD", utf8::ticked(entry)));
    const std::string_view name = entry.substr(0, equals);
    const Role role = roleNamed(name);
    for (const Binding& other : out)
      if (other.role == role && (role != Role::Label || other.label == name))
        return usageError(fmt::format("--map has {} twice", utf8::ticked(name)));
    Binding binding{role, role == Role::Label ? std::string(name) : std::string(), {}};
    for (std::string_view path : splitAt(entry.substr(equals + 1), '|')) {
      if (hasHugeIndex(path))
        return usageError(fmt::format("invalid field {} for --map: expected an index below 10^18",
                                      utf8::ticked(path)));
      binding.paths.emplace_back(path);
    }
    out.push_back(std::move(binding));
  }
  return out;
}

const Binding* Layout::find(Role role) const {
  for (const Binding& binding : bindings)
    if (binding.role == role)
      return &binding;
  return nullptr;
}

const Binding* Layout::findLabel(std::string_view name) const {
  for (const Binding& binding : bindings)
    if (binding.role == Role::Label && binding.label == name)
      return &binding;
  return nullptr;
}

llvm::Expected<Layout> layoutOf(std::string_view preset, std::string_view map, std::int64_t shift) {
  Layout out;
  out.shift = shift;
  if (!preset.empty()) {
    const Preset* const found = findPreset(preset);
    if (!found) {
      std::vector<std::string_view> names;
      for (const Preset& each : presetTable)
        names.push_back(each.name);
      std::string message = fmt::format("unknown preset {}", utf8::ticked(preset));
      if (auto near = nearestName(preset, names))
        message += fmt::format("; did you mean `{}`?", *near);
      return usageError(message + fmt::format("; expected one of {}", fmt::join(names, ", ")));
    }
    out.preset = found->name;
    out.traps = found->traps;
    out.bindings = *parseMap(found->map);
    for (Binding& each : out.bindings)
      each.mustAgree = each.role == Role::Mask;
  }
  if (map.empty())
    return out;
  auto said = parseMap(map);
  if (!said)
    return said.takeError();
  for (Binding& binding : *said) {
    std::erase_if(out.bindings, [&](const Binding& other) {
      return other.role == binding.role && other.label == binding.label;
    });
    out.bindings.push_back(std::move(binding));
  }
  return out;
}

std::string differsFrom(std::string_view other) {
  return fmt::format("it differs from {}; choose one with --map mask=FIELD", utf8::ticked(other));
}

bool isThere(const Binding& binding, const Survey& survey) {
  return std::any_of(binding.paths.begin(), binding.paths.end(), [&](const std::string& path) {
    return std::any_of(survey.fields.begin(), survey.fields.end(),
                       [&](const SurveyedField& field) { return leadsTo(path, field.path); });
  });
}

const Preset* recognise(const Survey& survey) {
  for (const Preset& preset : presetTable) {
    Layout layout;
    layout.bindings = *parseMap(preset.map);
    auto has = [&](Role role) {
      const Binding* const binding = layout.find(role);
      return binding && isThere(*binding, survey);
    };
    auto holds = [&](Role role, bool isRows) {
      return has(role) && isNumeric(*layout.find(role), survey, isRows);
    };
    if ((holds(Role::Train, false) && holds(Role::Infer, false)) ||
        (holds(Role::TrainRows, true) && holds(Role::InferRows, true)) ||
        (!layout.find(Role::Train) && has(Role::Side)))
      return &preset;
  }
  return nullptr;
}

bool looksPlain(const Survey& survey, Role side) {
  Layout layout;
  layout.bindings = *parseMap(findPreset(plainPreset)->map);
  return isNumeric(*layout.find(side), survey, false);
}

} // namespace tikc::data
