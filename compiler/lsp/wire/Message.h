#pragma once

#include <llvm/Support/Error.h>
#include <llvm/Support/JSON.h>

#include <optional>
#include <string>
#include <string_view>

namespace tikc::lsp {

namespace json = llvm::json;

enum class ErrorCode : int {
  ParseError = -32700,
  InvalidRequest = -32600,
  MethodNotFound = -32601,
  InvalidParams = -32602,
  InternalError = -32603,
  ServerNotInitialized = -32002,
  RequestCancelled = -32800,
  ContentModified = -32801,
  RequestFailed = -32803,
};

/// The error of a response.
class ResponseError : public llvm::ErrorInfo<ResponseError> {
public:
  static char ID;

  ResponseError(ErrorCode code, std::string message) : code_(code), message_(std::move(message)) {}
  ErrorCode code() const { return code_; }
  const std::string& text() const { return message_; }

  void log(llvm::raw_ostream& out) const override;
  std::error_code convertToErrorCode() const override;

private:
  ErrorCode code_;
  std::string message_;
};

llvm::Error failure(ErrorCode code, std::string message);

/// A request has an id and a method, a notification a method, a response an id.
struct Message {
  std::optional<json::Value> id;
  std::string method;
  json::Value params = nullptr;
  json::Value result = nullptr; // for a response
  bool isFailure = false;       // the response has an error instead
};

/// Reads untrusted text; fails if it is too deep, not JSON, or not a message.
llvm::Expected<Message> readMessage(llvm::StringRef text);

std::string writeNotification(llvm::StringRef method, json::Value params);
/// `params` is JSON text.
std::string writeNotification(llvm::StringRef method, std::string_view params);
std::string writeRequest(const json::Value& id, llvm::StringRef method, json::Value params);
std::string writeResult(const json::Value& id, json::Value result);
std::string writeError(const json::Value& id, llvm::Error error);

} // namespace tikc::lsp
