#include "project/Lineage.h"

#include "diag/Sink.h"
#include "sema/Extends.h"
#include "yaml/YamlReader.h"

namespace tikc::project {

namespace fs = std::filesystem;

std::optional<Parent> parentOf(const yaml::YamlDocument& document, const fs::path& path) {
  const yaml::Node* node = document.root->find("extends");
  if (!node || node->kind != yaml::Node::Kind::Scalar || node->value.empty())
    return std::nullopt;
  auto [file, contract] = sema::splitParent(node->value);
  Parent out{path, contract ? std::optional<std::string>(*contract) : std::nullopt};
  if (!file.empty()) {
    std::error_code error;
    out.file = fs::weakly_canonical(path.parent_path() / fs::path(file), error);
    if (error || path.empty())
      return std::nullopt;
  }
  return out;
}

std::set<fs::path> parentFilesOf(const fs::path& path, std::string text, const Limits& limits) {
  std::set<fs::path> out;
  if (text.find("extends") == std::string::npos)
    return out; // most texts; reading YAML costs more
  SourceManager sources;
  FileId file = sources.add(path.string(), path, std::move(text));
  diag::Sink unheard(limits);
  for (const yaml::YamlDocument& document :
       yaml::readYaml(sources, file, limits, unheard).documents)
    if (auto parent = parentOf(document, path); parent && parent->file != path)
      out.insert(std::move(parent->file));
  return out;
}

void Lineage::add(const fs::path& child, const std::set<fs::path>& parents) {
  for (const fs::path& parent : parents)
    children_[parent].push_back(child);
}

std::map<fs::path, fs::path> Lineage::heirsOf(const std::vector<fs::path>& files) const {
  std::map<fs::path, fs::path> out;
  std::set<fs::path> seen(files.begin(), files.end());
  std::vector<fs::path> waiting(files.rbegin(), files.rend());
  while (!waiting.empty()) {
    fs::path parent = std::move(waiting.back());
    waiting.pop_back();
    if (auto children = children_.find(parent); children != children_.end())
      for (const fs::path& child : children->second)
        if (seen.insert(child).second) {
          out.emplace(child, parent);
          waiting.push_back(child);
        }
  }
  return out;
}

} // namespace tikc::project
