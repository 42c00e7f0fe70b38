// Any bytes that are YAML without a fault: in canonical style they say the same, and are in it.

#include "Require.h"
#include "expr/Format.h"
#include "support/Diff.h"
#include "support/Edits.h"
#include "yaml/YamlReader.h"

using namespace tikc;

namespace {} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  SourceManager sources;
  Limits limits;
  limits.aliasExpansion = 1000;
  expr::ExprParser expressions(sources, limits);
  auto read = [&](FileId file, bool& faulty) {
    diag::Sink sink(limits);
    yaml::Tree tree = yaml::readYaml(sources, file, limits, sink);
    faulty = sink.hasErrors();
    return tree;
  };
  auto formatted = [&](const yaml::Tree& tree) {
    auto edits = expr::format(sources, tree, limits, expressions);
    require(edits.has_value(), "every token has its place");
    EditSet set;
    require(set.add(*edits), "edits stand apart");
    return set.apply(tree.file, sources.get(tree.file).text);
  };

  bool faulty = false;
  // A last line without a line feed may read otherwise with one.
  std::string input(reinterpret_cast<const char*>(data), size);
  FileId file = sources.add("input", {}, input.ends_with('\n') ? input : input + '\n');
  yaml::Tree tree = read(file, faulty);
  if (faulty)
    return 0;
  std::string text = formatted(tree);
  FileId second = sources.add("input", {}, text);
  yaml::Tree after = read(second, faulty);
  require(!faulty && expr::differInBlanksAlone(sources, tree, after), "it says the same");
  require(formatted(after) == text, "what is formatted stays");
  unifiedDiff("input", sources.get(file).text, text);
  return 0;
}
