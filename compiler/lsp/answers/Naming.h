#pragma once

#include "ide/Family.h"
#include "lsp/answers/Params.h"
#include "lsp/session/Waiting.h"

namespace tikc::lsp {

/// The name at a request's place, if any, and all contracts at the time of the request. It is
/// immutable, so any thread may read it.
struct AskedName {
  Encoding encoding = Encoding::Utf16;
  std::uint32_t offset = 0;
  std::vector<std::shared_ptr<const Outline>> outlines; // the owners of the data below
  std::unique_ptr<ide::Families> families;
  ide::NamedPlace name;

  explicit operator bool() const { return static_cast<bool>(name); }
  /// False if the place is in the file name of an `extends`, or on its quotes.
  bool isOnName() const { return name && name.span().begin <= offset && offset <= name.span().end; }
};

/// Computes the answer on a thread of the crew, without the session; the task that it returns then
/// completes the request.
using NamesHandler = Task (*)(const std::shared_ptr<const AskedName>& asked,
                              const json::Object& params);
/// Handles the request once every known contract has an outline.
Task onceNamesAreKnown(const json::Object& params, NamesHandler handle);

Task refuse(std::string why, ErrorCode code = ErrorCode::RequestFailed);

json::Array locations(const AskedName& name, std::span<const ide::NamedPlace> places);

} // namespace tikc::lsp
