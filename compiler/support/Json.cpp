#include "support/Json.h"

#include "support/StringRef.h"
#include "support/Utf8.h"

#include <llvm/Support/raw_ostream.h>

#include <cmath>

namespace tikc {

std::string writeJson(llvm::function_ref<void(llvm::json::OStream&)> write, JsonLayout layout) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  {
    llvm::json::OStream json(stream, layout == JsonLayout::Indented ? 2 : 0);
    write(json);
  }
  stream << '\n';
  stream.flush();
  return utf8::printableJson(text);
}

llvm::json::Value jsonText(std::string_view text) {
  if (llvm::json::isUTF8(asRef(text)))
    return asRef(text);
  return llvm::json::fixUTF8(asRef(text));
}

void jsonText(llvm::json::OStream& json, std::string_view key, std::string_view text) {
  json.attribute(asRef(key), jsonText(text));
}

void jsonTexts(llvm::json::OStream& json, std::string_view key,
               std::span<const std::string> texts) {
  json.attributeArray(asRef(key), [&] {
    for (const std::string& each : texts)
      json.value(jsonText(each));
  });
}

void JsonFields::count(std::string_view key, std::uint64_t value) {
  json_.attribute(asRef(key), static_cast<std::int64_t>(value));
}

void JsonFields::number(std::string_view key, std::optional<double> value) {
  if (value && std::isfinite(*value))
    json_.attribute(asRef(key), *value);
  else
    json_.attribute(asRef(key), nullptr);
}

} // namespace tikc
