#pragma once

#include "diag/Sink.h"
#include "expr/ExprText.h"
#include "support/Source.h"
#include "yaml/Tree.h"

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace tikc::expr {

/// Maps the bytes of a decoded scalar to its file. Most scalars are copied byte for byte, so a
/// place is a sum; the map of others is made on first use.
class ExprPlace {
public:
  ExprPlace(const SourceManager& sources, const yaml::Node& scalar);

  Span span(std::uint32_t begin, std::uint32_t end) const;
  const yaml::Node& scalar() const { return scalar_; }

private:
  const SourceManager& sources_;
  const yaml::Node& scalar_;
  std::optional<std::uint32_t> offset_;
  mutable std::optional<yaml::ScalarMap> map_;
};

/// An edit in decoded bytes.
struct ExprEdit {
  std::uint32_t begin;
  std::uint32_t end;
  std::string text;
};

/// Makes the single diagnostic of an expression.
class ExprReport {
public:
  using Reads = std::function<bool(std::string_view)>;

  /// `reads` returns whether a text is free of syntax errors.
  ExprReport(const ExprText& expr, const ExprPlace& place, diag::Sink& sink, Reads reads)
      : expr_(expr), place_(place), sink_(sink), reads_(std::move(reads)) {}

  template <typename Kind, typename... Arguments>
  diag::Diagnostic& at(std::uint32_t begin, std::uint32_t end, const Arguments&... arguments) {
    return sink_.report<Kind>(place_.span(begin, end), arguments...);
  }
  template <typename Kind, typename... Arguments>
  diag::Diagnostic& at(const ExprToken& token, const Arguments&... arguments) {
    return at<Kind>(token.begin, token.end, arguments...);
  }
  void relate(diag::Diagnostic& finding, const ExprToken& token, std::string message) {
    finding.relatedTo(place_.span(token.begin, token.end), std::move(message));
  }

  /// Adds a fix. Edits are ordered, disjoint, and about the decoded text; fitFixes converts them to
  /// the file.
  void fix(diag::Diagnostic& finding, std::string title, const std::vector<ExprEdit>& edits,
           bool safe = true);
  /// Adds a fix that guesses the whole form, unless the result has syntax errors.
  void fixIfItReads(diag::Diagnostic& finding, std::string title,
                    const std::vector<ExprEdit>& edits, bool safe = true);

private:
  const ExprText& expr_;
  const ExprPlace& place_;
  diag::Sink& sink_;
  Reads reads_;
};

} // namespace tikc::expr
