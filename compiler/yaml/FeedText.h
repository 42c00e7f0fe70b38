#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tikc::yaml {

/// The text that the YAML parser reads. It is the file's own text until the first fault, then a
/// copy in which reported bytes are painted over, so that the rest can be read. Offsets are those
/// of the file.
class FeedText {
public:
  explicit FeedText(std::string_view original) : view_(original) {}

  std::string_view view() const { return view_; }
  bool untouched() const { return copy_.empty(); }

  /// Paints over a range, but keeps whitespace and line breaks, and so the indentation.
  void paint(std::uint32_t begin, std::uint32_t end, char with) {
    for (std::uint32_t i = begin; i < end; ++i)
      if (view_[i] != ' ' && view_[i] != '\t' && view_[i] != '\n' && view_[i] != '\r')
        set(i, with);
  }
  void set(std::uint32_t at, char with) {
    if (copy_.empty())
      copy_ = view_;
    copy_[at] = with;
    view_ = copy_;
  }

  /// Paints over a byte that is not text. Call it in ascending order.
  void damage(std::uint32_t at, char with) {
    set(at, with);
    damage_.push_back(at);
  }

  bool damaged(std::uint32_t begin, std::uint32_t end) const {
    auto it = std::lower_bound(damage_.begin(), damage_.end(), begin);
    return it != damage_.end() && *it < end;
  }

private:
  std::string_view view_;
  std::string copy_;
  std::vector<std::uint32_t> damage_;
};

} // namespace tikc::yaml
