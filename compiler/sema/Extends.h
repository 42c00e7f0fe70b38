#pragma once

#include "sema/Context.h"
#include "syntax/Tree.h"

#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace tikc::sema {

/// Whether a contract may be incomplete by itself: it extends another, or is only extended.
bool isPartial(const syntax::Node& root);

/// What `extends` says: a file, or none for the same one, and after a hash the contract in it.
struct ParentName {
  std::string_view file;
  std::optional<std::string_view> contract;
};
ParentName splitParent(std::string_view text);

/// Parsed files that contracts extend, kept for the length of a run. One belongs to one thread.
class Parents {
public:
  Parents(SourceManager& sources, std::filesystem::path root, const Limits& limits)
      : sources_(sources), root_(std::move(root)), limits_(limits) {}

  /// A copy of the document with all its ancestors merged in. Maps merge by key, lists and clauses
  /// replace whole, `null` removes; where it is not written out, or nothing is there to remove,
  /// that is told. A fault in the chain is reported on the `extends` that caused it; what could be
  /// merged is returned with `complete` cleared.
  syntax::YamlDocument merged(FileContext& context, const syntax::YamlDocument& document,
                              const syntax::Tree& tree);

  /// The files that were extended since this was asked last, each once.
  std::map<std::filesystem::path, std::shared_ptr<syntax::Tree>> takeUsed() {
    return std::exchange(used_, {});
  }

private:
  struct Ancestor {
    const syntax::YamlDocument* document = nullptr;
    const syntax::Tree* tree = nullptr;
  };

  void mergeParent(FileContext& context, syntax::YamlDocument& document, const syntax::Tree& tree,
                   std::vector<const syntax::Node*>& chain);
  Ancestor locate(FileContext& context, const syntax::Node& reference, const syntax::Tree& tree);
  const syntax::Tree* load(FileContext& context, const syntax::Node& reference,
                           const std::filesystem::path& path, const std::string& display);
  void checkParent(FileContext& context, const syntax::YamlDocument& parent);
  std::optional<std::string> textOf(FileContext& context, const syntax::Node& reference,
                                    const std::filesystem::path& real, const std::string& display);

  SourceManager& sources_;
  std::filesystem::path root_;
  const Limits& limits_;
  /// With what is wrong with the text, for each that extends it.
  struct Loaded {
    std::shared_ptr<syntax::Tree> tree;
    std::vector<diag::Diagnostic> faults;
  };
  std::map<std::filesystem::path, Loaded> loaded_;
  std::map<std::filesystem::path, std::shared_ptr<syntax::Tree>> used_;
  /// What is wrong with a parent as a contract, by where it stands.
  std::map<Span, std::vector<diag::Diagnostic>> structure_;
};

} // namespace tikc::sema
