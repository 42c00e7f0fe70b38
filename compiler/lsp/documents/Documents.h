#pragma once

#include "ide/Analysis.h"
#include "lsp/documents/Lines.h"

#include <llvm/Support/Error.h>
#include <llvm/Support/JSON.h>

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>

namespace tikc::lsp {

/// A text that the client has open, which replaces the file on disk.
struct Document {
  /// Editors may open any YAML; tikc ignores documents that are not its own.
  enum class Kind : std::uint8_t { Contract, Fixture, Settings, Other };

  std::string uri;
  std::filesystem::path path; // canonical as far as it exists; empty for a text that is not a file
  Kind kind = Kind::Other;
  std::int64_t version = 0;
  std::string text;

  /// Whether its meaning is the result of a check.
  bool isChecked() const { return kind == Kind::Contract || kind == Kind::Fixture; }
};

/// Returns the path of a file: URI; nothing for others.
std::optional<std::filesystem::path> pathOf(llvm::StringRef uri);
std::string uriOf(const std::filesystem::path& path);

class Documents {
public:
  /// Sets the encoding; call it before the first document opens.
  void setEncoding(Encoding encoding) { encoding_ = encoding; }
  Encoding encoding() const { return encoding_; }

  llvm::Error open(const llvm::json::Object& item);
  /// Applies changes in order. Changes nothing if the document is not open or a change is invalid.
  llvm::Error change(const llvm::json::Object& params);
  llvm::Error close(llvm::StringRef uri);

  const Document* find(llvm::StringRef uri) const;
  const Document* findPath(const std::filesystem::path& path) const;
  const std::map<std::string, Document>& all() const { return open_; }
  /// Returns a number that changes with every change of an open document.
  std::uint64_t revision() const { return revision_; }

private:
  std::map<std::string, Document> open_;
  Encoding encoding_ = Encoding::Utf16;
  std::uint64_t revision_ = 0;
};

/// Returns a place from the client; nothing if it is invalid.
std::optional<ProtocolPlace> placeIn(const llvm::json::Object* position);

using ide::TextRange;
/// Returns the bytes of a range from the client; nothing if it is invalid.
std::optional<TextRange> rangeIn(std::string_view text, const llvm::json::Object* range,
                                 Encoding encoding);

} // namespace tikc::lsp
