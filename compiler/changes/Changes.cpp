#include "changes/Changes.h"

#include <algorithm>

namespace tikc::changes {

const KindInfo& info(ChangeKind kind) {
  static constexpr KindInfo rows[] = {
#define KIND(Id, word, effect, step, meaning)                                                      \
  {ChangeKind::Id, word, Effect::effect, VersionStep::step, meaning},
#include "changes/Kinds.def"
  };
  return rows[static_cast<std::size_t>(kind)];
}

std::string_view partWord(ChangedPart part) {
  static constexpr std::string_view words[] = {
#define PART(Id, word) word,
#include "changes/Parts.def"
  };
  return words[static_cast<std::size_t>(part)];
}

std::string_view effectWord(Effect effect) {
  static constexpr std::string_view words[] = {"same", "tighter", "changed", "looser"};
  return words[static_cast<std::size_t>(effect)];
}

std::string_view stepWord(VersionStep step) {
  static constexpr std::string_view words[] = {"none", "patch", "minor", "major"};
  return words[static_cast<std::size_t>(step)];
}

Effect effectOf(const std::vector<PartChange>& changes) {
  Effect out = Effect::Same;
  for (const PartChange& each : changes)
    out = std::max(out, info(each.kind).effect);
  return out;
}

VersionStep stepOf(const std::vector<PartChange>& changes) {
  VersionStep out = VersionStep::None;
  for (const PartChange& each : changes)
    out = std::max(out, info(each.kind).step);
  return out;
}

} // namespace tikc::changes
