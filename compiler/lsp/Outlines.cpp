#include "lsp/Outlines.h"

#include "support/Files.h"
#include "syntax/YamlReader.h"

#include <functional>

namespace tikc::lsp {

namespace fs = std::filesystem;

const Outline& Outlines::read(std::string stamp, std::string uri, const fs::path& path,
                              std::string text) {
  auto sources = std::make_shared<SourceManager>();
  FileId file = sources->add(path.empty() ? uri : path.string(), path, std::move(text));
  diag::Sink unheard(limits_);
  syntax::Tree tree = syntax::readYaml(*sources, file, limits_, unheard);
  return keep(std::move(stamp), {std::move(uri), path, std::move(sources), file, {}}, tree);
}

const Outline& Outlines::keep(std::string stamp, Outline out, const syntax::Tree& tree) {
  for (const syntax::Document& document : tree.documents) {
    Outline::Contract contract;
    contract.span = document.root->span;
    contract.parent = pipeline::parentOf(document, out.path);
    contract.mentions = sema::mentionsIn(*out.sources, document);
    for (const sema::Mention& mention : contract.mentions)
      if (mention.space == sema::NameSpace::Contract &&
          mention.role == sema::Mention::Role::Definition)
        contract.name = mention.name;
    out.contracts.push_back(std::move(contract));
  }
  Entry& entry = entries_[out.uri];
  entry = {std::move(stamp), std::move(out)};
  return entry.outline;
}

const Outline& Outlines::of(const Document& document) {
  std::string stamp = "text " + std::to_string(std::hash<std::string>()(document.text)) + " " +
                      std::to_string(document.text.size());
  auto known = entries_.find(document.uri);
  if (known != entries_.end() && known->second.stamp == stamp)
    return known->second.outline;
  // A check marks nodes of its tree as wrong, which names have no regard for.
  if (const Analysis* at = workspace_.knownOf(document))
    return keep(std::move(stamp), {document.uri, document.path, at->sources, at->file, {}},
                *at->checked.tree);
  return read(std::move(stamp), document.uri, document.path, document.text);
}

const Outline* Outlines::onDisk(const fs::path& path) {
  std::error_code error;
  auto time = fs::last_write_time(path, error);
  auto size = error ? 0 : fs::file_size(path, error);
  if (error)
    return nullptr;
  std::string uri = uriOf(path);
  std::string stamp =
      "file " + std::to_string(time.time_since_epoch().count()) + " " + std::to_string(size);
  auto known = entries_.find(uri);
  if (known != entries_.end() && known->second.stamp == stamp)
    return &known->second.outline;
  auto text = readFile(path, limits_);
  if (!text || text->tooLarge) {
    llvm::consumeError(text.takeError());
    return nullptr;
  }
  return &read(std::move(stamp), std::move(uri), path, std::move(text->text));
}

std::vector<const Outline*> Outlines::all() {
  std::map<std::string, const Outline*> out;
  std::set<fs::path> seen;
  std::vector<fs::path> waiting(workspace_.files().begin(), workspace_.files().end());
  auto take = [&](const Outline* outline) {
    if (!outline)
      return;
    out[outline->uri] = outline;
    for (const Outline::Contract& contract : outline->contracts)
      if (contract.parent && contract.parent->file != outline->path)
        waiting.push_back(contract.parent->file);
  };
  for (const auto& [uri, document] : documents_.all())
    if (document.kind == Document::Kind::Contract) {
      seen.insert(document.path);
      take(&of(document));
    }
  while (!waiting.empty()) {
    fs::path path = std::move(waiting.back());
    waiting.pop_back();
    if (seen.insert(path).second)
      take(onDisk(path));
  }
  std::erase_if(entries_, [&](const auto& entry) { return !out.contains(entry.first); });
  std::vector<const Outline*> list;
  list.reserve(out.size());
  for (const auto& [uri, outline] : out)
    list.push_back(outline);
  return list;
}

} // namespace tikc::lsp
