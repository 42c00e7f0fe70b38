#pragma once

#include "model/Contract.h"
#include "model/Metrics.h"
#include "sema/Context.h"
#include "support/Names.h"
#include "support/Utf8.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace tikc::sema {

/// A space of names. Names of different spaces are independent. Clauses, claims and rules share
/// one.
enum class NameSpace : std::uint8_t { Contract, Kernel, Slice, Label, LabelValue, Statement };

/// Returns why the language reserves a name of the space, or nothing.
std::optional<std::string> reservedBecause(NameSpace space, std::string_view name);

/// Returns whether a directive has a verdict: sampling, replay and coherence do; exports and
/// retention do not.
bool hasVerdict(std::string_view directive);
bool hasVerdict(const model::Clause& clause);

/// The names that a contract declares, for lookup and suggestions. They are views into the
/// contract, which must outlive this and not move.
class Symbols {
public:
  /// Reports duplicate and reserved names.
  Symbols(FileContext& context, const model::Contract& contract);

  bool isKernel(std::string_view name) const { return kernels_.contains(name); }
  bool isSlice(std::string_view name) const { return slices_.contains(name); }
  /// Returns whether a name is an entry of `observability` without a verdict: an export or a
  /// retention.
  bool isDirective(std::string_view name) const { return directives_.contains(name); }
  const model::Label* label(std::string_view name) const;

  std::span<const std::string_view> kernelNames() const { return kernelNames_; }
  std::span<const std::string_view> sliceNames() const { return sliceNames_; }
  /// The clauses with a verdict.
  std::span<const std::string_view> clauseNames() const { return clauseNames_; }
  std::span<const std::string_view> fieldNames() const { return fieldNames_; }
  bool isClaim(std::string_view name) const;
  /// Returns the clauses about a metric. Their requirements must be typed.
  std::vector<std::string_view> clausesAbout(std::string_view metric) const;

private:
  void declareStatement(FileContext& context, const model::Name& id);

  const model::Contract& contract_;
  std::unordered_set<std::string_view> kernels_, slices_, directives_;
  std::unordered_map<std::string_view, Span> statements_;
  std::unordered_map<std::string_view, const model::Label*> labels_;
  std::vector<std::string_view> kernelNames_, sliceNames_, clauseNames_, fieldNames_;
};

/// Reports an undeclared name, and suggests the nearest declared one.
template <typename Kind>
diag::Diagnostic& reportUnknown(FileContext& context, std::string_view name, const Span& span,
                                std::span<const std::string_view> candidates) {
  diag::Diagnostic& finding = context.sink.report<Kind>(span, utf8::ticked(name));
  constexpr std::size_t shortList = 20;
  if (finding.offerNearest(span, name, candidates) || candidates.empty())
    return finding;
  if (candidates.size() <= shortList)
    finding.note("known: " + utf8::printable(joinAlternatives(candidates)));
  else if (Kind::code == diag::Code::UnknownMetric)
    finding.note("run `tikc explain metrics` for the list");
  return finding;
}

} // namespace tikc::sema
