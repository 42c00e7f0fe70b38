#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>
#include <vector>

namespace tikc::engine {

/// A sequence whose size the loaded plan defines. The runtime's objects have it instead of the
/// arrays of generated code.
template <class T> class Several {
  // A type whose elements have addresses.
  using Stored = std::conditional_t<std::is_same_v<T, bool>, std::uint8_t, T>;

public:
  Several() = default;
  template <class... From> explicit Several(std::size_t count, const From&... each) {
    make(count, each...);
  }

  template <class... From> void make(std::size_t count, const From&... each) {
    held_.clear();
    held_.reserve(count);
    while (held_.size() < count)
      held_.emplace_back(each...);
  }

  std::size_t size() const { return held_.size(); }
  Stored* data() { return held_.data(); }
  const Stored* data() const { return held_.data(); }
  Stored& operator[](std::size_t at) { return held_[at]; }
  const Stored& operator[](std::size_t at) const { return held_[at]; }
  auto begin() { return held_.begin(); }
  auto end() { return held_.end(); }
  auto begin() const { return held_.begin(); }
  auto end() const { return held_.end(); }

private:
  std::vector<Stored> held_;
};

} // namespace tikc::engine
