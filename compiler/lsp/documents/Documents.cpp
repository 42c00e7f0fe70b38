#include "lsp/documents/Documents.h"

#include "fixture/Fixture.h"
#include "lsp/wire/Message.h"
#include "project/Projects.h"

#include <fmt/format.h>
#include <llvm/ADT/StringExtras.h>

#include <algorithm>

namespace tikc::lsp {
namespace {

namespace json = llvm::json;

llvm::Error wrong(std::string what) { return failure(ErrorCode::InvalidParams, std::move(what)); }

/// One change of a text: a range of it, or all.
llvm::Error apply(std::string& text, const json::Object& change, Encoding encoding) {
  auto added = change.getString("text");
  if (!added)
    return wrong("missing text of a change");
  if (!change.get("range")) {
    text = added->str();
    return llvm::Error::success();
  }
  auto range = rangeIn(text, change.getObject("range"), encoding);
  if (!range)
    return wrong("invalid range: expected a start, and an end not before it");
  text.replace(range->begin, range->end - range->begin, added->data(), added->size());
  return llvm::Error::success();
}

Document::Kind kindOf(const std::filesystem::path& path, llvm::StringRef language) {
  std::string name = path.filename().string();
  if (project::isOfSettings(path))
    return Document::Kind::Settings;
  if (name.ends_with(fixture::fixtureSuffix))
    return Document::Kind::Fixture;
  bool isContract = name.ends_with(project::contractSuffix) || language == "tikc";
  return isContract ? Document::Kind::Contract : Document::Kind::Other;
}

int hexOf(char c) {
  return c >= '0' && c <= '9'   ? c - '0'
         : c >= 'a' && c <= 'f' ? c - 'a' + 10
         : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                : -1;
}

} // namespace

std::optional<std::filesystem::path> pathOf(llvm::StringRef uri) {
  if (!uri.consume_front_insensitive("file://"))
    return std::nullopt;
  uri = uri.drop_while([](char c) { return c != '/'; }); // a host is this one
  std::string out;
  for (std::size_t i = 0; i < uri.size(); ++i) {
    if (uri[i] != '%') {
      out += uri[i];
      continue;
    }
    int high = i + 2 < uri.size() ? hexOf(uri[i + 1]) : -1, low = high < 0 ? -1 : hexOf(uri[i + 2]);
    if (low < 0 || (high == 0 && low == 0))
      return std::nullopt;
    out += static_cast<char>(high * 16 + low);
    i += 2;
  }
  if (out.empty())
    return std::nullopt;
  return std::filesystem::path(out).lexically_normal();
}

std::string uriOf(const std::filesystem::path& path) {
  std::string out = "file://";
  for (char c : path.string()) {
    bool isPlain = llvm::isAlnum(c) || llvm::StringRef("-._~/").contains(c);
    if (isPlain)
      out += c;
    else
      out += fmt::format("%{:02X}", static_cast<unsigned char>(c));
  }
  return out;
}

std::optional<ProtocolPlace> placeIn(const json::Object* position) {
  auto number = [&](llvm::StringRef key) -> std::optional<std::uint32_t> {
    auto value = position ? position->getInteger(key) : std::nullopt;
    if (!value || *value < 0 || *value > 0x7fffffff)
      return std::nullopt;
    return static_cast<std::uint32_t>(*value);
  };
  auto line = number("line"), character = number("character");
  return line && character ? std::optional(ProtocolPlace{*line, *character}) : std::nullopt;
}

std::optional<TextRange> rangeIn(std::string_view text, const json::Object* range,
                                 Encoding encoding) {
  auto start = range ? placeIn(range->getObject("start")) : std::nullopt;
  auto end = range ? placeIn(range->getObject("end")) : std::nullopt;
  if (!start || !end || *end < *start)
    return std::nullopt;
  Lines lines(text);
  return TextRange{lines.offsetOf(text, *start, encoding), lines.offsetOf(text, *end, encoding)};
}

llvm::Error Documents::open(const json::Object& item) {
  auto uri = item.getString("uri"), text = item.getString("text");
  if (!uri || !text)
    return wrong("invalid document: expected a URI and a text");
  std::error_code error;
  auto path = pathOf(*uri);
  // Links are followed: two names of one file are one.
  auto real = path ? std::filesystem::weakly_canonical(*path, error) : std::filesystem::path();
  Document document{
      uri->str(), error ? *path : real,
      kindOf(path.value_or(std::filesystem::path()), item.getString("languageId").value_or("")),
      item.getInteger("version").value_or(0), text->str()};
  open_[document.uri] = std::move(document);
  ++revision_;
  return llvm::Error::success();
}

llvm::Error Documents::change(const json::Object& params) {
  const json::Object* identifier = params.getObject("textDocument");
  auto uri = identifier ? identifier->getString("uri") : std::nullopt;
  const json::Array* changes = params.getArray("contentChanges");
  auto match = uri ? open_.find(uri->str()) : open_.end();
  if (match == open_.end() || !changes)
    return wrong("a change is for a document that is not open");
  std::string text = match->second.text;
  for (const json::Value& value : *changes) {
    const json::Object* change = value.getAsObject();
    if (!change)
      return wrong("invalid change: expected an object");
    if (auto error = apply(text, *change, encoding_))
      return error;
  }
  match->second.text = std::move(text);
  ++revision_;
  match->second.version = identifier->getInteger("version").value_or(match->second.version + 1);
  return llvm::Error::success();
}

llvm::Error Documents::close(llvm::StringRef uri) {
  ++revision_;
  return open_.erase(uri.str()) > 0 ? llvm::Error::success()
                                    : wrong("no open document has that URI");
}

const Document* Documents::find(llvm::StringRef uri) const {
  auto match = open_.find(uri.str());
  return match == open_.end() ? nullptr : &match->second;
}

const Document* Documents::findPath(const std::filesystem::path& path) const {
  auto match = std::find_if(open_.begin(), open_.end(),
                            [&](const auto& each) { return each.second.path == path; });
  return match == open_.end() ? nullptr : &match->second;
}

} // namespace tikc::lsp
