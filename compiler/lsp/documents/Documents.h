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

/// A text that the client has open: it stands for the file on disk.
struct Document {
  /// Editors open any YAML; what is no contract is left in peace.
  enum class Kind : std::uint8_t { Contract, Fixture, Settings, Other };

  std::string uri;
  std::filesystem::path path; // canonical as far as it exists; empty where it is no file
  Kind kind = Kind::Other;
  std::int64_t version = 0;
  std::string text;

  /// Whether what it means is found out by a check of it.
  bool isChecked() const { return kind == Kind::Contract || kind == Kind::Fixture; }
};

/// The path of a file: URI; nothing for others.
std::optional<std::filesystem::path> pathOf(llvm::StringRef uri);
std::string uriOf(const std::filesystem::path& path);

class Documents {
public:
  /// What characters are counted in is settled before the first document.
  void setEncoding(Encoding encoding) { encoding_ = encoding; }
  Encoding encoding() const { return encoding_; }

  llvm::Error open(const llvm::json::Object& item);
  /// Applies changes in their order. The document is one that is open, and each change makes sense,
  /// or nothing is changed.
  llvm::Error change(const llvm::json::Object& params);
  llvm::Error close(llvm::StringRef uri);

  const Document* find(llvm::StringRef uri) const;
  const Document* findPath(const std::filesystem::path& path) const;
  const std::map<std::string, Document>& all() const { return open_; }
  /// Another number after each change of what is open.
  std::uint64_t revision() const { return revision_; }

private:
  std::map<std::string, Document> open_;
  Encoding encoding_ = Encoding::Utf16;
  std::uint64_t revision_ = 0;
};

/// A place that the client names; nothing where it is none.
std::optional<ProtocolPlace> placeIn(const llvm::json::Object* position);

using ide::TextRange;
/// The bytes of a range that the client names; nothing where it is none.
std::optional<TextRange> rangeIn(std::string_view text, const llvm::json::Object* range,
                                 Encoding encoding);

} // namespace tikc::lsp
