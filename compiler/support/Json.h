#pragma once

#include <llvm/ADT/STLFunctionalExtras.h>
#include <llvm/Support/JSON.h>

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

/// JSON documents, written piece by piece so that no tree of them is built.
namespace tikc {

enum class JsonLayout : std::uint8_t { Indented, OneLine };
/// Returns the document that a callback writes, with a newline at its end.
std::string writeJson(llvm::function_ref<void(llvm::json::OStream&)> write,
                      JsonLayout layout = JsonLayout::Indented);

/// Returns a valid JSON string of any bytes, such as file names.
llvm::json::Value jsonText(std::string_view text);
/// Writes attributes with texts of any bytes.
void jsonText(llvm::json::OStream& json, std::string_view key, std::string_view text);
void jsonTexts(llvm::json::OStream& json, std::string_view key, std::span<const std::string> texts);

/// Writes the fields of a document, object by object.
class JsonFields {
protected:
  explicit JsonFields(llvm::json::OStream& json) : json_(json) {}

  void text(std::string_view key, std::string_view value) { jsonText(json_, key, value); }
  void texts(std::string_view key, std::span<const std::string> values) {
    jsonTexts(json_, key, values);
  }
  void count(std::string_view key, std::uint64_t value);
  /// Writes a number. Numbers that are not finite, which JSON lacks, are null.
  void number(std::string_view key, std::optional<double> value);

  llvm::json::OStream& json_;
};

} // namespace tikc
