#pragma once

#include "ide/Analysis.h"

#include <memory>
#include <string>
#include <string_view>

namespace tikc::ide::testing {

/// A text that is no file, as an editor has it.
class Analysed {
public:
  explicit Analysed(std::string text) {
    auto sources = std::make_shared<SourceManager>();
    analysis_.file = sources->add("test.tikc.yaml", {}, std::move(text));
    analysis_.checked = pipeline::Checker(*sources, settings_).check(analysis_.file);
    analysis_.sources = std::move(sources);
  }

  const Analysis& operator*() const { return analysis_; }
  const Analysis* operator->() const { return &analysis_; }
  const yaml::Tree& tree() const { return *analysis_.checked.tree; }
  const std::string& text() const { return analysis_.sources->get(analysis_.file).text; }
  std::string_view text(std::uint32_t begin, std::uint32_t end) const {
    return std::string_view(text()).substr(begin, end - begin);
  }
  /// Where the words begin for the first time.
  std::uint32_t at(std::string_view words) const {
    return static_cast<std::uint32_t>(text().find(words));
  }

private:
  project::Settings settings_;
  Analysis analysis_;
};

} // namespace tikc::ide::testing
