#pragma once

#include "ide/Family.h"
#include "lsp/answers/Params.h"
#include "lsp/session/Waiting.h"

namespace tikc::lsp {

/// The name at the place that a request is about, if there is one, among all contracts that there
/// were when it was asked. Nobody changes it: any thread may read it.
struct AskedName {
  Encoding encoding = Encoding::Utf16;
  std::uint32_t offset = 0;
  std::vector<std::shared_ptr<const Outline>> outlines; // which the rest is made of
  std::unique_ptr<ide::Families> families;
  ide::NamedPlace name;

  explicit operator bool() const { return static_cast<bool>(name); }
  /// Not so where the place is in the file that an `extends` names, or its quotes.
  bool isOnName() const { return name && name.span().begin <= offset && offset <= name.span().end; }
};

/// What is made of a name. A thread of the crew does it, which sees nothing of the session; then
/// the task that it gives is the request's.
using NamesHandler = Task (*)(const std::shared_ptr<const AskedName>& asked,
                              const json::Object& params);
/// The request is handled when every contract that there is was looked at.
Task onceNamesAreKnown(const json::Object& params, NamesHandler handle);

Task refuse(std::string why, ErrorCode code = ErrorCode::RequestFailed);

json::Array locations(const AskedName& asked, std::span<const ide::NamedPlace> places);

} // namespace tikc::lsp
