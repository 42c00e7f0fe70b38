#include "support/Edits.h"

#include <algorithm>

namespace tikc {
namespace {

bool before(const Edit& a, const Edit& b) { return a.span < b.span; }

/// Of neighbours in order: whether both can stand.
bool apart(const Edit& left, const Edit& right) {
  bool inserts = left.span.empty() || right.span.empty();
  return inserts ? left.span.end < right.span.begin : left.span.end <= right.span.begin;
}

/// The edits of one fix are one thought: what they insert side by side is meant so.
bool agree(std::span<const Edit> sorted) {
  for (std::size_t i = 1; i < sorted.size(); ++i)
    if (sorted[i].span.file == sorted[i - 1].span.file &&
        sorted[i].span.begin < sorted[i - 1].span.end)
      return false;
  return true;
}

} // namespace

bool EditSet::add(std::span<const Edit> edits) {
  std::vector<Edit> sorted(edits.begin(), edits.end());
  std::stable_sort(sorted.begin(), sorted.end(), before);
  if (!agree(sorted))
    return false;
  for (const Edit& edit : sorted) {
    auto there = of(edit.span.file);
    auto next = std::lower_bound(there.begin(), there.end(), edit, before);
    if ((next != there.end() && !apart(edit, *next)) ||
        (next != there.begin() && !apart(*std::prev(next), edit)))
      return false;
  }
  for (Edit& edit : sorted) {
    auto& list = edits_[edit.span.file];
    list.insert(std::upper_bound(list.begin(), list.end(), edit, before), std::move(edit));
  }
  return true;
}

std::span<const Edit> EditSet::of(FileId file) const {
  auto match = edits_.find(file);
  return match == edits_.end() ? std::span<const Edit>() : match->second;
}

std::string EditSet::apply(FileId file, std::string_view text) const {
  std::string out;
  std::size_t at = 0;
  for (const Edit& edit : of(file)) {
    out.append(text.substr(at, edit.span.begin - at)).append(edit.text);
    at = edit.span.end;
  }
  return out.append(text.substr(at));
}

std::uint32_t EditSet::origin(FileId file, std::uint32_t edited) const {
  std::int64_t grown = 0; // by how much the edits up to here lengthened the text
  for (const Edit& edit : of(file)) {
    auto size = static_cast<std::int64_t>(edit.text.size());
    if (edited < edit.span.begin + grown)
      break;
    if (edited < edit.span.begin + grown + size)
      return edit.span.begin;
    grown += size - edit.span.size();
  }
  return static_cast<std::uint32_t>(edited - grown);
}

std::vector<Span> EditSet::written(FileId file) const {
  std::vector<Span> out;
  std::int64_t grown = 0;
  for (const Edit& edit : of(file)) {
    auto begin = static_cast<std::uint32_t>(edit.span.begin + grown);
    out.push_back({file, begin, static_cast<std::uint32_t>(begin + edit.text.size())});
    grown += static_cast<std::int64_t>(edit.text.size()) - edit.span.size();
  }
  return out;
}

} // namespace tikc
