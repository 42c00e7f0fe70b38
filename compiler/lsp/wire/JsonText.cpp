#include "lsp/wire/JsonText.h"

#include <fmt/format.h>
#include <llvm/ADT/SmallVector.h>

#include <algorithm>

namespace tikc::lsp {

namespace json = llvm::json;

namespace {

void appendQuoted(std::string& out, llvm::StringRef text) {
  out += '"';
  std::size_t done = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    auto c = static_cast<unsigned char>(text[i]);
    if (c >= ' ' && c != '"' && c != '\\')
      continue;
    out.append(text.data() + done, i - done);
    done = i + 1;
    if (c == '"' || c == '\\')
      out.append({'\\', text[i]});
    else if (c == '\n')
      out += "\\n";
    else
      fmt::format_to(std::back_inserter(out), "\\u{:04x}", c);
  }
  out.append(text.data() + done, text.size() - done);
  out += '"';
}

void appendArray(std::string& out, const json::Array& array) {
  out += '[';
  for (const json::Value& each : array) {
    if (&each != &array.front())
      out += ',';
    append(out, each);
  }
  out += ']';
}

void appendObject(std::string& out, const json::Object& object) {
  llvm::SmallVector<const json::Object::value_type*, 8> members;
  for (const auto& each : object)
    members.push_back(&each);
  std::sort(members.begin(), members.end(), [](const auto* a, const auto* b) {
    return llvm::StringRef(a->first) < llvm::StringRef(b->first);
  });
  out += '{';
  for (const auto* each : members) {
    if (each != members.front())
      out += ',';
    appendQuoted(out, each->first);
    out += ':';
    append(out, each->second);
  }
  out += '}';
}

void appendNumber(std::string& out, const json::Value& value) {
  if (auto integer = value.getAsInteger())
    fmt::format_to(std::back_inserter(out), "{}", *integer);
  else
    llvm::raw_string_ostream(out) << value;
}

} // namespace

void append(std::string& out, const json::Value& value) {
  switch (value.kind()) {
  case json::Value::Null:
    out += "null";
    break;
  case json::Value::Boolean:
    out += *value.getAsBoolean() ? "true" : "false";
    break;
  case json::Value::Number:
    appendNumber(out, value);
    break;
  case json::Value::String:
    appendQuoted(out, *value.getAsString());
    break;
  case json::Value::Array:
    appendArray(out, *value.getAsArray());
    break;
  case json::Value::Object:
    appendObject(out, *value.getAsObject());
    break;
  }
}

} // namespace tikc::lsp
