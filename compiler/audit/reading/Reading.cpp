#include "audit/reading/Reading.h"

#include "support/Utf8.h"

#include <fmt/format.h>
#include <llvm/ADT/StringRef.h>

namespace tikc::audit {
namespace {

bool endsInAny(std::string_view name, std::initializer_list<std::string_view> endings) {
  for (std::string_view each : endings)
    if (llvm::StringRef(name).ends_with_insensitive(each))
      return true;
  return false;
}

/// Whether the bytes are a text at all: what is none is told, once.
bool isText(const std::string& text, FileId file, diag::Sink& sink) {
  const std::size_t nul = text.find('\0');
  if (nul != std::string::npos) {
    const auto at = static_cast<std::uint32_t>(nul);
    sink.report<diag::NulByte>(Span{file, at, at + 1}, "the file");
    return false;
  }
  if (auto invalid = utf8::firstInvalid(text)) {
    const auto at = static_cast<std::uint32_t>(*invalid);
    sink.report<diag::InvalidUtf8>(
        Span{file, at, at + 1},
        fmt::format("0x{:02X}", static_cast<unsigned>(static_cast<unsigned char>(text[at]))));
    return false;
  }
  return true;
}

} // namespace

FoundParts readFile(const SourceManager& sources, FileId file, const Limits& limits,
                    diag::Sink& sink) {
  FoundParts out;
  const Source& source = sources.get(file);
  if (!isText(source.text, file, sink))
    return out;
  const Snippet whole{source.text, file, {}, 0};
  const std::string_view firstLine =
      std::string_view(source.text).substr(0, source.text.find('\n'));
  const bool isScript = firstLine.starts_with("#!");
  if (endsInAny(source.name, {".py"}) ||
      (isScript && firstLine.find("python") != std::string_view::npos))
    readPythonFile(whole, sink, out);
  else if (endsInAny(source.name, {".yaml", ".yml", ".json"}))
    readYamlFile(sources, file, limits, sink, out);
  else if (endsInAny(source.name, {".toml"}))
    readTomlFile(whole, sink, out);
  else if (!isScript && !endsInAny(source.name, {".sh", ".bash"}) && readPrinted(whole, out))
    return out;
  else if (const Span unclosed = readShell(whole, out); unclosed.valid())
    sink.report<diag::GateNotUnderstood>(unclosed, "the text that begins here does not end");
  return out;
}

} // namespace tikc::audit
