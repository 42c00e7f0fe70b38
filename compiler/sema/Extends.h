#pragma once

#include "sema/Context.h"
#include "yaml/Tree.h"

#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace tikc::sema {

/// Returns whether a contract may be incomplete: it extends another, or is only extended.
bool isPartial(const yaml::Node& root);

/// The value of `extends`: a file, or an empty one for the same file, and a contract in it after a
/// hash.
struct ParentName {
  std::string_view file;
  std::optional<std::string_view> contract;
};
ParentName splitParent(std::string_view text);

/// The parsed parents of contracts, kept during a run. It belongs to one thread.
class Parents {
public:
  Parents(SourceManager& sources, std::filesystem::path root, const Limits& limits)
      : sources_(sources), root_(std::move(root)), limits_(limits) {}

  /// Returns a copy of the document with all ancestors merged. Maps merge by key, lists and clauses
  /// replace as a whole, and `null` removes. It reports a removal that is not written out, or that
  /// removes nothing. A fault in the chain is reported on the `extends` that caused it; the result
  /// then has what could be merged, with `complete` cleared.
  yaml::YamlDocument merged(FileContext& context, const yaml::YamlDocument& document,
                            const yaml::Tree& tree);

  /// Returns the parents that were read since the last call, each once.
  std::map<std::filesystem::path, std::shared_ptr<yaml::Tree>> takeUsed() {
    return std::exchange(used_, {});
  }

private:
  struct Ancestor {
    const yaml::YamlDocument* document = nullptr;
    const yaml::Tree* tree = nullptr;
  };

  void mergeParent(FileContext& context, yaml::YamlDocument& document, const yaml::Tree& tree,
                   std::vector<const yaml::Node*>& chain);
  Ancestor locate(FileContext& context, const yaml::Node& reference, const yaml::Tree& tree);
  const yaml::Tree* load(FileContext& context, const yaml::Node& reference,
                         const std::filesystem::path& path, const std::string& display);
  void checkParent(FileContext& context, const yaml::YamlDocument& parent);
  std::optional<std::string> textOf(FileContext& context, const yaml::Node& reference,
                                    const std::filesystem::path& real, const std::string& display);

  SourceManager& sources_;
  std::filesystem::path root_;
  const Limits& limits_;
  /// A parent with the faults of its text, for each contract that extends it.
  struct LoadedParent {
    std::shared_ptr<yaml::Tree> tree;
    std::vector<diag::Diagnostic> faults;
  };
  std::map<std::filesystem::path, LoadedParent> loaded_;
  std::map<std::filesystem::path, std::shared_ptr<yaml::Tree>> used_;
  /// The faults of a parent as a contract, by place.
  std::map<Span, std::vector<diag::Diagnostic>> structure_;
};

} // namespace tikc::sema
