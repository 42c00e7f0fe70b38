#pragma once

#include "diag/Drawing.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <utility>

namespace tikc::diag::testing {

class Fixture : public ::testing::Test {
protected:
  FileId add(std::string text, std::string name = "a.tikc.yaml") {
    return file_ = sources_.add(std::move(name), {}, std::move(text));
  }

  /// The first place of part in the file added last.
  Span at(std::string_view part) const {
    auto begin = sources_.get(file_).text.find(part);
    EXPECT_NE(begin, std::string::npos) << part;
    return bytes(begin, begin + part.size());
  }
  Span bytes(std::size_t begin, std::size_t end) const {
    return {file_, static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end)};
  }
  Span endOfFile() const {
    return bytes(sources_.get(file_).text.size(), sources_.get(file_).text.size());
  }

  static Diagnostic error(const Span& span, std::string message = "wrong") {
    return {Code::UnknownKey, Severity::Error, span, std::move(message), {}, {}, {}, {}};
  }
  std::string drawn(const Diagnostic& diagnostic, unsigned width = 120) const {
    DrawingOptions options;
    options.width = width;
    return renderText(sources_, diagnostic, options);
  }

  SourceManager sources_;
  FileId file_ = FileId::None;
};

} // namespace tikc::diag::testing
