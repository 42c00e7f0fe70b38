#pragma once

#include "diag/Diagnostic.h"
#include "support/Limits.h"

#include <llvm/ADT/STLFunctionalExtras.h>

#include <deque>
#include <map>
#include <utility>

namespace tikc::diag {

/// Collects the findings of a contract file and of the files that it extends. Analysis never stops
/// at a finding.
class Sink {
public:
  explicit Sink(const Limits& limits) : limits_(limits) {}

  /// Returns a reference that is valid until the next report.
  template <typename Kind, typename... Arguments>
  Diagnostic& report(const Span& span, const Arguments&... arguments) {
    return reportAs<Kind>(info(Kind::code).severity, span, arguments...);
  }
  /// Reports with another severity than the catalogue's.
  template <typename Kind, typename... Arguments>
  Diagnostic& reportAs(Severity severity, const Span& span, const Arguments&... arguments) {
    return add(Kind::code, severity, span, Kind::message(arguments...));
  }

  /// Adds a finding of an earlier analysis of an unchanged text.
  void repeat(const Diagnostic& diagnostic);

  bool hasErrors() const { return errors_ > 0; }
  bool has(Code code) const;
  std::size_t errorCount() const { return errors_; }
  /// Whether the span contains an error. If so, its content is not fully known, and a missing part
  /// proves nothing.
  bool hasErrorWithin(const Span& span) const;
  /// Ignores further findings of these codes, which earlier ones cause.
  void mute(std::vector<Code> codes) { muted_ = std::move(codes); }
  /// The number of kept findings; eachSince() visits those after such a number.
  std::size_t size() const { return kept_.size(); }
  void eachSince(std::size_t size, llvm::function_ref<void(Diagnostic&)> visit);
  /// Removes findings that turned out to be wrong.
  void drop(llvm::function_ref<bool(const Diagnostic&)> isNone);
  /// Returns all findings in source order without duplicates, and empties the sink.
  std::vector<Diagnostic> take();

private:
  Diagnostic& add(Code code, Severity severity, const Span& span, std::string message);

  const Limits& limits_;
  std::deque<Diagnostic> kept_;
  std::map<FileId, std::uint32_t> counts_;
  std::vector<Code> muted_;
  Diagnostic dropped_{};
  std::size_t errors_ = 0;
};

} // namespace tikc::diag
