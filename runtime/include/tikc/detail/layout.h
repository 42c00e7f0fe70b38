#pragma once

#include <cstddef>

namespace tikc {

/// The numbers that determine the sizes of a plan's objects. Emitters compute sizes from them
/// without compiling: each object has a layout next to its members.
struct plan_shape {
  std::size_t slices = 1, streams = 1, signals = 0, assumptions = 0;
  std::size_t totals = 0, largest = 0, smallest = 0, counts = 0, sketches = 0; // of a cell
  std::size_t above = 0, below = 0, beyond = 0;                                // of tokens
  bool has_sketch = false;                                                     //
  std::size_t windows = 0, checks = 0, clauses = 0, slopes = 0, history = 1;   // of a checker
  std::size_t rules = 0, triggers = 0;                                         // of a router
};

namespace detail {

/// The size and alignment of a struct, built member by member.
class layout {
public:
  template <class T> constexpr layout& add(std::size_t count = 1) {
    // An empty standard array is an empty class.
    return count == 0 ? put(1, 1) : put(count * sizeof(T), alignof(T));
  }
  constexpr layout& add(const layout& each, std::size_t count) {
    return count == 0 ? put(1, 1) : put(count * each.size(), each.alignment_);
  }
  constexpr std::size_t size() const { return rounded(size_, alignment_); }

private:
  constexpr layout& put(std::size_t size, std::size_t alignment) {
    size_ = rounded(size_, alignment) + size;
    alignment_ = alignment > alignment_ ? alignment : alignment_;
    return *this;
  }
  static constexpr std::size_t rounded(std::size_t size, std::size_t alignment) {
    return (size + alignment - 1) / alignment * alignment;
  }

  std::size_t size_ = 0, alignment_ = 1;
};

} // namespace detail
} // namespace tikc
