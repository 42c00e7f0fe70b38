#include "lsp/Outlines.h"

#include "support/Files.h"
#include "syntax/YamlReader.h"

#include <algorithm>
#include <functional>

namespace tikc::lsp {

namespace fs = std::filesystem;

namespace {

// What a thread takes at once.
constexpr std::size_t filesOfALook = 64;

std::shared_ptr<const Outline> outlineOf(Outline out, const syntax::Tree& tree) {
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
  return std::make_shared<const Outline>(std::move(out));
}

/// Of a text that is larger than tikc reads nothing is told.
std::shared_ptr<const Outline> outlineOf(std::string uri, const fs::path& path, std::string text,
                                         const Limits& limits) {
  if (text.size() > limits.fileBytes)
    text.clear();
  auto sources = std::make_shared<SourceManager>();
  FileId file = sources->add(path.empty() ? uri : path.string(), path, std::move(text));
  diag::Sink unheard(limits);
  syntax::Tree tree = syntax::readYaml(*sources, file, limits, unheard);
  return outlineOf({std::move(uri), path, std::move(sources), file, {}}, tree);
}

std::vector<fs::path> parentsOf(const Outline& outline) {
  std::vector<fs::path> out;
  for (const Outline::Contract& contract : outline.contracts)
    if (contract.parent && contract.parent->file != outline.path)
      out.push_back(contract.parent->file);
  return out;
}

} // namespace

const Outline& Outlines::of(const Document& document) {
  std::string stamp = "text " + std::to_string(std::hash<std::string>()(document.text)) + " " +
                      std::to_string(document.text.size());
  Entry& entry = entries_[document.uri];
  if (entry.outline && entry.stamp == stamp)
    return *entry.outline;
  // A check marks nodes of its tree as wrong, which names have no regard for.
  if (const Analysis* at = workspace_.knownOf(document))
    entry = {std::move(stamp), outlineOf({document.uri, document.path, at->sources, at->file, {}},
                                         *at->checked.tree)};
  else
    entry = {std::move(stamp), outlineOf(document.uri, document.path, document.text, limits_)};
  return *entry.outline;
}

void Outlines::look(Look& at, const Limits& limits) {
  std::error_code error;
  auto time = fs::last_write_time(at.path, error);
  auto size = error ? 0 : fs::file_size(at.path, error);
  at.isGone = static_cast<bool>(error);
  if (at.isGone)
    return;
  std::string stamp =
      "file " + std::to_string(time.time_since_epoch().count()) + " " + std::to_string(size);
  if (stamp == at.stamp)
    return;
  at.stamp = std::move(stamp);
  auto text = readFile(at.path, limits);
  if (text && !text->tooLarge)
    at.outline = outlineOf(at.uri, at.path, std::move(text->text), limits);
  else
    at.isGone = true;
  llvm::consumeError(text.takeError());
}

Outlines::Gathering::~Gathering() {
  for (const auto& errand : errands_)
    errand->abandon();
}

bool Outlines::Gathering::isDone() const {
  return std::all_of(errands_.begin(), errands_.end(),
                     [](const auto& errand) { return errand->isDone(); });
}

bool Outlines::Gathering::hasFailed() const {
  return std::any_of(errands_.begin(), errands_.end(),
                     [](const auto& errand) { return errand->hasFailed(); });
}

std::shared_ptr<Outlines::Gathering> Outlines::gather(Crew& crew) {
  auto out = std::make_shared<Gathering>();
  std::vector<fs::path> paths(workspace_.files().begin(), workspace_.files().end());
  for (const auto& [uri, document] : documents_.all())
    if (document.kind == Document::Kind::Contract) {
      out->seen_.insert(document.path.native());
      for (fs::path& parent : parentsOf(of(document)))
        paths.push_back(std::move(parent));
    }
  lookAt(crew, out, std::move(paths));
  return out;
}

void Outlines::lookAt(Crew& crew, const std::shared_ptr<Gathering>& gathering,
                      std::vector<fs::path> paths) {
  std::erase_if(
      paths, [&](const fs::path& path) { return !gathering->seen_.insert(path.native()).second; });
  if (paths.empty())
    return;
  auto looks = std::make_shared<std::vector<Look>>();
  for (fs::path& path : paths) {
    std::string uri = uriOf(path);
    auto known = entries_.find(uri);
    looks->push_back({std::move(path),
                      std::move(uri),
                      known == entries_.end() ? std::string() : known->second.stamp,
                      false,
                      {}});
  }
  auto errand = std::make_shared<Crew::Errand>();
  errand->parts = (looks->size() + filesOfALook - 1) / filesOfALook;
  gathering->errands_.push_back(errand);
  errand->work = [this, looks, wanted = std::weak_ptr(gathering), &crew,
                  limits = limits_](Checkup&, std::size_t part) {
    std::vector<Look> mine;
    for (std::size_t i = part * filesOfALook;
         i < std::min(looks->size(), (part + 1) * filesOfALook); ++i)
      look(mine.emplace_back((*looks)[i]), limits);
    return [this, wanted, &crew, mine = std::move(mine)](Session&) {
      if (auto still = wanted.lock())
        take(crew, still, mine);
    };
  };
  crew.give(std::move(errand));
}

void Outlines::take(Crew& crew, const std::shared_ptr<Gathering>& gathering,
                    std::vector<Look> looks) {
  std::vector<fs::path> parents;
  for (Look& at : looks) {
    if (documents_.findPath(at.path))
      continue; // opened meanwhile
    if (at.isGone) {
      entries_.erase(at.uri);
      continue;
    }
    Entry& entry = entries_[at.uri];
    if (at.outline)
      entry = {std::move(at.stamp), std::move(at.outline)};
    if (entry.outline)
      for (fs::path& parent : parentsOf(*entry.outline))
        parents.push_back(std::move(parent));
  }
  lookAt(crew, gathering, std::move(parents));
}

std::vector<std::shared_ptr<const Outline>> Outlines::all() {
  std::map<std::string, std::shared_ptr<const Outline>> out;
  std::unordered_set<std::string> seen; // paths
  std::vector<fs::path> waiting(workspace_.files().begin(), workspace_.files().end());
  auto takeOne = [&](const std::string& uri) {
    auto entry = entries_.find(uri);
    if (entry == entries_.end() || !entry->second.outline)
      return;
    out[uri] = entry->second.outline;
    for (fs::path& parent : parentsOf(*entry->second.outline))
      waiting.push_back(std::move(parent));
  };
  for (const auto& [uri, document] : documents_.all())
    if (document.kind == Document::Kind::Contract) {
      seen.insert(document.path.native());
      of(document);
      takeOne(uri);
    }
  while (!waiting.empty()) {
    fs::path path = std::move(waiting.back());
    waiting.pop_back();
    if (seen.insert(path.native()).second)
      takeOne(uriOf(path));
  }
  std::erase_if(entries_, [&](const auto& entry) { return !out.contains(entry.first); });
  std::vector<std::shared_ptr<const Outline>> list;
  list.reserve(out.size());
  for (auto& [uri, outline] : out)
    list.push_back(std::move(outline));
  return list;
}

} // namespace tikc::lsp
