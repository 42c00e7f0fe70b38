#pragma once

namespace tikc {

/// Compares zero-terminated texts.
inline bool same_text(const char* a, const char* b) {
  for (; *a == *b; ++a, ++b)
    if (*a == 0)
      return true;
  return false;
}

template <class Label> bool same_label(Label a, Label b) { return a == b; }

} // namespace tikc
