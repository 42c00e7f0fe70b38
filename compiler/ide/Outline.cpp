#include "ide/Outline.h"

#include "diag/Sink.h"
#include "yaml/YamlReader.h"

namespace tikc::ide {

namespace fs = std::filesystem;

std::shared_ptr<const Outline> outlineOf(std::string id, const fs::path& path,
                                         std::shared_ptr<const SourceManager> sources,
                                         const yaml::Tree& tree) {
  Outline out{std::move(id), path, std::move(sources), tree.file, {}, {}};
  for (const yaml::YamlDocument& document : tree.documents) {
    Outline::Contract contract;
    contract.span = document.root->span;
    contract.parent = project::parentOf(document, out.path);
    contract.mentions = sema::mentionsIn(*out.sources, document);
    for (const sema::Mention& mention : contract.mentions)
      if (mention.space == sema::NameSpace::Contract &&
          mention.role == sema::Mention::Role::Definition)
        contract.name = mention.name;
    if (contract.parent && contract.parent->file != out.path)
      out.parents.push_back(contract.parent->file.native());
    out.contracts.push_back(std::move(contract));
  }
  return std::make_shared<const Outline>(std::move(out));
}

std::shared_ptr<const Outline> outlineOf(std::string id, const fs::path& path, std::string text,
                                         const Limits& limits) {
  if (text.size() > limits.fileBytes)
    text.clear();
  auto sources = std::make_shared<SourceManager>();
  FileId file = sources->add(path.empty() ? id : path.string(), path, std::move(text));
  diag::Sink unheard(limits);
  yaml::Tree tree = yaml::readYaml(*sources, file, limits, unheard);
  return outlineOf(std::move(id), path, std::move(sources), tree);
}

} // namespace tikc::ide
