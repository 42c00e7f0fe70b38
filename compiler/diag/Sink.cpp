#include "diag/Sink.h"

#include "support/Check.h"

#include <algorithm>
#include <tuple>

namespace tikc::diag {

Diagnostic& Sink::add(Code code, Severity severity, const Span& span, std::string message) {
  TIKC_CHECK(span.valid(), "a finding has a place");
  bool isMuted = std::find(muted_.begin(), muted_.end(), code) != muted_.end();
  if (severity == Severity::Error && !isMuted)
    ++errors_;
  bool keep = !isMuted && ++counts_[span.file] <= limits_.findings;
  Diagnostic& slot = keep ? kept_.emplace_back() : dropped_;
  slot = Diagnostic{code, severity, span, std::move(message), {}, {}, {}, {}};
  return slot;
}

void Sink::repeat(const Diagnostic& diagnostic) {
  add(diagnostic.code, diagnostic.severity, diagnostic.span, diagnostic.message) = diagnostic;
}

bool Sink::has(Code code) const {
  return std::any_of(kept_.begin(), kept_.end(),
                     [&](const Diagnostic& diagnostic) { return diagnostic.code == code; });
}

bool Sink::hasErrorWithin(const Span& span) const {
  return std::any_of(kept_.begin(), kept_.end(), [&](const Diagnostic& diagnostic) {
    return diagnostic.severity == Severity::Error && span.contains(diagnostic.span);
  });
}

void Sink::eachSince(std::size_t size, llvm::function_ref<void(Diagnostic&)> visit) {
  for (std::size_t i = size; i < kept_.size(); ++i)
    visit(kept_[i]);
}

void Sink::drop(llvm::function_ref<bool(const Diagnostic&)> isNone) {
  std::erase_if(kept_, [&](const Diagnostic& diagnostic) {
    if (!isNone(diagnostic))
      return false;
    --counts_[diagnostic.span.file];
    errors_ -= diagnostic.severity == Severity::Error;
    return true;
  });
}

std::vector<Diagnostic> Sink::take() {
  std::vector<Diagnostic> all(std::make_move_iterator(kept_.begin()),
                              std::make_move_iterator(kept_.end()));
  for (auto [file, count] : counts_) {
    if (count <= limits_.findings)
      continue;
    Span span{file, 0, 0};
    all.push_back({TooManyFindings::code,
                   info(TooManyFindings::code).severity,
                   span,
                   TooManyFindings::message(count - limits_.findings, limits_.findings),
                   {},
                   {},
                   {},
                   {}});
  }
  auto key = [](const Diagnostic& d) { return std::tie(d.span, d.code, d.message); };
  std::stable_sort(all.begin(), all.end(),
                   [&](const auto& a, const auto& b) { return key(a) < key(b); });
  all.erase(std::unique(all.begin(), all.end(),
                        [&](const auto& a, const auto& b) { return key(a) == key(b); }),
            all.end());
  kept_.clear();
  counts_.clear();
  errors_ = 0;
  return all;
}

} // namespace tikc::diag
