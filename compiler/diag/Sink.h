#pragma once

#include "diag/Diagnostic.h"
#include "support/Limits.h"

#include <llvm/ADT/STLFunctionalExtras.h>

#include <deque>
#include <map>
#include <utility>

namespace tikc::diag {

/// Gathers the findings of one contract file and those that it extends. Analysis never stops at a
/// finding.
class Sink {
public:
  explicit Sink(const Limits& limits) : limits_(limits) {}

  /// The reference is good until the next report.
  template <typename Kind, typename... Arguments>
  Diagnostic& report(const Span& span, const Arguments&... arguments) {
    return reportAs<Kind>(info(Kind::code).severity, span, arguments...);
  }
  /// The same with another severity than the catalogue's.
  template <typename Kind, typename... Arguments>
  Diagnostic& reportAs(Severity severity, const Span& span, const Arguments&... arguments) {
    return add(Kind::code, severity, span, Kind::message(arguments...));
  }

  /// One that was found before, in a text that is known from then.
  void repeat(const Diagnostic& found);

  bool hasErrors() const { return errors_ > 0; }
  bool has(Code code) const;
  std::size_t errorCount() const { return errors_; }
  /// Whether an error lies in the text: what stands there is not fully known, and its absence
  /// proves nothing.
  bool hasErrorWithin(const Span& span) const;
  /// Findings of these codes are no longer kept nor counted: what has been reported brings them.
  void mute(std::vector<Code> codes) { muted_ = std::move(codes); }
  /// How many findings are kept, and those that were added since there were so many.
  std::size_t size() const { return kept_.size(); }
  void eachSince(std::size_t size, llvm::function_ref<void(Diagnostic&)> visit);
  /// Takes back what turned out to be none.
  void drop(llvm::function_ref<bool(const Diagnostic&)> isNone);
  /// All findings in the order of the source, each once; leaves the sink empty.
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
