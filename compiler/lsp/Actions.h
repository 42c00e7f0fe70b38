#pragma once

#include "lsp/Params.h"

#include <vector>

/// What a client can do to a text at once.
namespace tikc::lsp {

namespace kinds {
inline constexpr std::string_view quickFix = "quickfix";
inline constexpr std::string_view fixAll = "source.fixAll.tikc";
inline constexpr std::string_view rewrite = "refactor.rewrite";
inline constexpr std::string_view extract = "refactor.extract";
} // namespace kinds

/// What a client asked for.
struct ActionRequest {
  Session& session;
  const Document& document;
  const Analysis& analysis;
  Range range;
  std::vector<std::string> only;            // kinds; empty: all
  const json::Array* diagnostics = nullptr; // those that the client shows there; may be null

  bool wants(std::string_view kind) const;
  /// Whether a kind was asked for by name, rather than everything.
  bool asksFor(std::string_view kind) const { return !only.empty() && wants(kind); }
  bool touches(const Span& span) const {
    return span.file == analysis.file && span.begin <= range.end && range.begin <= span.end;
  }
  const Source& source() const { return analysis.sources->get(analysis.file); }
};

/// The wire's form, without its edit.
json::Object actionOf(std::string title, std::string_view kind);

/// With an edit that `codeAction/resolve` works out, where the client can ask for it, and at once
/// where it cannot: nothing then where there is none.
std::optional<json::Value> lazily(const ActionRequest& request, json::Object action,
                                  json::Object data);
/// The edit of an action's data; an error says why there is none.
llvm::Expected<json::Value> editOf(Session& session, const json::Object& data);

// Each adds what it has to offer.
void addFixes(const ActionRequest& request, json::Array& out);
void addSuppressions(const ActionRequest& request, json::Array& out);
void addFixAll(const ActionRequest& request, json::Array& out);
void addMissing(const ActionRequest& request, json::Array& out);
void addNumbers(const ActionRequest& request, json::Array& out);
void addExtraction(const ActionRequest& request, json::Array& out);

/// The edits that set a clause's number to the largest with which a claim follows.
llvm::Expected<std::vector<Edit>> toleranceEdits(const Analysis& analysis,
                                                 const json::Object& data);

} // namespace tikc::lsp
