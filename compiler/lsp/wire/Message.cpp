#include "lsp/wire/Message.h"

#include "lsp/wire/JsonText.h"

#include <fmt/format.h>

#include <cmath>

namespace tikc::lsp {
namespace {

/// Before it is parsed, since the parser recurses.
bool isTooDeep(llvm::StringRef text) {
  constexpr int most = 128;
  int depth = 0;
  bool isText = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    char c = text[i];
    if (isText) {
      i += c == '\\' ? 1 : 0;
      isText = c != '"';
    } else if (c == '"') {
      isText = true;
    } else if (c == '[' || c == '{') {
      if (++depth > most)
        return true;
    } else if (c == ']' || c == '}') {
      --depth;
    }
  }
  return false;
}

std::string framed(std::string_view content) {
  return fmt::format("Content-Length: {}\r\n\r\n{}", content.size(), content);
}

std::string framed(json::Object message) {
  message["jsonrpc"] = "2.0";
  std::string content;
  append(content, std::move(message));
  return framed(content);
}

/// A method has parameters, or has none: null is neither.
json::Object callOf(llvm::StringRef method, json::Value params) {
  json::Object out{{"method", method}};
  if (params.kind() != json::Value::Null)
    out["params"] = std::move(params);
  return out;
}

/// A number that no JSON could say again is none.
bool isId(const json::Value& value) {
  if (auto number = value.getAsNumber())
    return std::isfinite(*number);
  return value.kind() == json::Value::String || value.kind() == json::Value::Null;
}

} // namespace

char ResponseError::ID = 0;

void ResponseError::log(llvm::raw_ostream& out) const { out << message_; }
std::error_code ResponseError::convertToErrorCode() const { return llvm::inconvertibleErrorCode(); }

llvm::Error failure(ErrorCode code, std::string message) {
  return llvm::make_error<ResponseError>(code, std::move(message));
}

llvm::Expected<Message> readMessage(llvm::StringRef text) {
  if (isTooDeep(text))
    return failure(ErrorCode::ParseError, "message nested too deeply: the limit is 128 levels");
  if (!json::isUTF8(text))
    return failure(ErrorCode::ParseError, "the message is not valid UTF-8");
  auto value = json::parse(text);
  if (!value)
    return failure(ErrorCode::ParseError, llvm::toString(value.takeError()));
  json::Object* object = value->getAsObject();
  if (!object)
    return failure(ErrorCode::InvalidRequest, "invalid message: expected an object");
  Message out;
  if (json::Value* id = object->get("id")) {
    if (!isId(*id))
      return failure(ErrorCode::InvalidRequest, "invalid id: expected a number or a text");
    out.id = std::move(*id);
  }
  if (auto method = object->getString("method"))
    out.method = method->str();
  else if (object->get("method") || !out.id)
    return failure(ErrorCode::InvalidRequest, "invalid message: expected a method or a response");
  if (json::Value* params = object->get("params"))
    out.params = std::move(*params);
  if (json::Value* result = object->get("result"))
    out.result = std::move(*result);
  out.isFailure = object->get("error") != nullptr;
  return out;
}

std::string writeNotification(llvm::StringRef method, json::Value params) {
  return framed(callOf(method, std::move(params)));
}

std::string writeNotification(llvm::StringRef method, std::string_view params) {
  return framed(fmt::format(R"({{"jsonrpc":"2.0","method":"{}","params":{}}})",
                            std::string_view(method), params));
}

std::string writeRequest(const json::Value& id, llvm::StringRef method, json::Value params) {
  json::Object message = callOf(method, std::move(params));
  message["id"] = id;
  return framed(std::move(message));
}

std::string writeResult(const json::Value& id, json::Value result) {
  return framed(json::Object{{"id", id}, {"result", std::move(result)}});
}

std::string writeError(const json::Value& id, llvm::Error error) {
  ErrorCode code = ErrorCode::InternalError;
  std::string message;
  llvm::handleAllErrors(
      std::move(error),
      [&](const ResponseError& known) {
        code = known.code();
        message = known.text();
      },
      [&](const llvm::ErrorInfoBase& other) { message = other.message(); });
  return framed(json::Object{
      {"id", id}, {"error", json::Object{{"code", static_cast<int>(code)}, {"message", message}}}});
}

} // namespace tikc::lsp
