#include "lsp/documents/Outlines.h"

#include "support/Files.h"

#include <algorithm>
#include <functional>

namespace tikc::lsp {

namespace fs = std::filesystem;

namespace {

// What a thread takes at once.
constexpr std::size_t filesOfALook = 64;

std::string entryKey(const Document& document) {
  return document.path.empty() ? document.uri : document.path.native();
}

} // namespace

const Outline& Outlines::of(const Document& document) {
  std::string stamp = "text " + std::to_string(std::hash<std::string>()(document.text)) + " " +
                      std::to_string(document.text.size());
  Entry& entry = entries_[entryKey(document)];
  if (entry.outline && entry.stamp == stamp)
    return *entry.outline;
  // A check marks nodes of its tree as wrong, which names have no regard for.
  if (auto at = workspace_.knownOf(document))
    entry = {std::move(stamp),
             ide::outlineOf(document.uri, document.path, at->sources, *at->checked.tree)};
  else
    entry = {std::move(stamp), ide::outlineOf(document.uri, document.path, document.text, limits_)};
  return *entry.outline;
}

void Outlines::look(Look& at, const Limits& limits) {
  fs::path path = at.path;
  std::error_code error;
  auto time = fs::last_write_time(path, error);
  auto size = error ? 0 : fs::file_size(path, error);
  at.isGone = static_cast<bool>(error);
  if (at.isGone)
    return;
  std::string stamp =
      "file " + std::to_string(time.time_since_epoch().count()) + " " + std::to_string(size);
  if (stamp == at.stamp)
    return;
  at.stamp = std::move(stamp);
  auto text = readFile(path, limits);
  if (text && !text->tooLarge)
    at.outline = ide::outlineOf(uriOf(path), path, std::move(text->text), limits);
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
  std::vector<std::string> paths;
  paths.reserve(workspace_.files().size());
  for (const fs::path& file : workspace_.files())
    paths.push_back(file.native());
  for (const auto& [uri, document] : documents_.all())
    if (document.kind == Document::Kind::Contract) {
      out->seen_.insert(entryKey(document));
      const Outline& outline = of(document);
      paths.insert(paths.end(), outline.parents.begin(), outline.parents.end());
    }
  lookAt(crew, out, std::move(paths));
  return out;
}

void Outlines::lookAt(Crew& crew, const std::shared_ptr<Gathering>& gathering,
                      std::vector<std::string> paths) {
  std::erase_if(paths,
                [&](const std::string& path) { return !gathering->seen_.insert(path).second; });
  if (paths.empty())
    return;
  auto looks = std::make_shared<std::vector<Look>>();
  looks->reserve(paths.size());
  for (std::string& path : paths) {
    auto known = entries_.find(path);
    std::string stamp = known == entries_.end() ? std::string() : known->second.stamp;
    looks->push_back({std::move(path), std::move(stamp), false, {}});
  }
  auto errand = std::make_shared<Crew::Errand>();
  errand->parts = (looks->size() + filesOfALook - 1) / filesOfALook;
  gathering->errands_.push_back(errand);
  errand->work = [this, looks, wanted = std::weak_ptr(gathering), &crew,
                  limits = limits_](WorldChecker&, std::size_t part) {
    auto begin = looks->begin() + static_cast<std::ptrdiff_t>(part * filesOfALook);
    auto count = std::min<std::ptrdiff_t>(filesOfALook, looks->end() - begin);
    auto mine = std::make_shared<std::vector<Look>>(begin, begin + count);
    for (Look& at : *mine)
      look(at, limits);
    return [this, wanted, &crew, mine](Session&) {
      if (auto still = wanted.lock())
        take(crew, still, *mine);
    };
  };
  crew.give(std::move(errand));
}

void Outlines::take(Crew& crew, const std::shared_ptr<Gathering>& gathering,
                    std::vector<Look>& looks) {
  std::unordered_set<std::string> open; // some may have been opened meanwhile
  for (const auto& [uri, document] : documents_.all())
    open.insert(entryKey(document));
  std::vector<std::string> parents;
  for (Look& at : looks) {
    if (open.contains(at.path))
      continue;
    if (at.isGone) {
      entries_.erase(at.path);
      continue;
    }
    Entry& entry = entries_[at.path];
    if (at.outline)
      entry = {std::move(at.stamp), std::move(at.outline)};
    if (entry.outline)
      for (const std::string& parent : entry.outline->parents)
        if (!gathering->seen_.contains(parent))
          parents.push_back(parent);
  }
  lookAt(crew, gathering, std::move(parents));
}

std::vector<std::shared_ptr<const Outline>> Outlines::all() {
  std::vector<std::shared_ptr<const Outline>> out;
  std::unordered_set<std::string> seen;
  std::vector<std::string> waiting;
  auto takeOne = [&](const std::string& key) {
    if (!seen.insert(key).second)
      return;
    auto entry = entries_.find(key);
    if (entry == entries_.end() || !entry->second.outline)
      return;
    out.push_back(entry->second.outline);
    for (const std::string& parent : out.back()->parents)
      if (!seen.contains(parent))
        waiting.push_back(parent);
  };
  for (const auto& [uri, document] : documents_.all())
    if (document.kind == Document::Kind::Contract) {
      of(document);
      takeOne(entryKey(document));
    }
  for (const fs::path& file : workspace_.files())
    takeOne(file.native());
  while (!waiting.empty()) {
    std::string next = std::move(waiting.back());
    waiting.pop_back();
    takeOne(next);
  }
  std::erase_if(entries_, [&](const auto& entry) { return !seen.contains(entry.first); });
  return out;
}

} // namespace tikc::lsp
