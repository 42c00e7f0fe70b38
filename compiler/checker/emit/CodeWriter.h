#pragma once

#include <fmt/format.h>

#include <string>
#include <string_view>
#include <utility>

namespace tikc::emit {

/// Writes indented lines of code.
class CodeWriter {
public:
  template <typename... T> void line(fmt::format_string<T...> format, T&&... values) {
    text_.append(depth_ * 2, ' ');
    fmt::format_to(std::back_inserter(text_), format, std::forward<T>(values)...);
    text_ += '\n';
  }
  void gap() { text_ += '\n'; }

  /// Writes `open`, the lines of `body` and `close`.
  template <typename Body> void block(std::string_view open, std::string_view close, Body&& body) {
    line("{}", open);
    ++depth_;
    body();
    --depth_;
    line("{}", close);
  }

  std::string take() { return std::move(text_); }

private:
  std::string text_;
  std::size_t depth_ = 0;
};

} // namespace tikc::emit
