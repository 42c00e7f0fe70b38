#include "ide/completion/Offers.h"
#include "ide/completion/Vocabulary.h"
#include "project/Projects.h"
#include "support/Files.h"
#include "support/Names.h"
#include "yaml/Words.h"

#include <llvm/Support/Error.h>

#include <algorithm>

namespace tikc::ide {

namespace fs = std::filesystem;
using model::Form;
using model::Map;
using model::Shape;

namespace {

/// Names of one kind of thing.
struct NameList {
  const std::vector<std::string>* names = nullptr;
  std::string_view what;
};

/// What a name under the key is of.
NameList namesUnder(const model::KeyInfo* key, const Names& names) {
  if (!key)
    return {};
  if (key->key == "slices" || (key->map == Map::PolicyTest && key->key == "slice"))
    return {&names.slices, "slice"};
  if (key->map == Map::Expectation)
    return key->key == "alerts" ? NameList{&names.receivers, "receiver"}
                                : NameList{&names.rules, "rule"};
  if (key->key == "link" && !names.chain.empty())
    return {&names.chain, "kernel"};
  bool isOfKernels = key->map == Map::Pair || key->key == "chain" || key->key == "link";
  return isOfKernels ? NameList{&names.kernels, "kernel"} : NameList{};
}

std::vector<CompletionItem> verdictItems(const CursorContext& context) {
  std::vector<CompletionItem> out;
  for (std::string_view word : splitWords(model::info(Shape::VerdictWord).words))
    out.push_back(wordItem(Shape::VerdictWord, word));
  // Nothing is kept before there is a verdict.
  if (context.before.find(' ') != std::string::npos)
    out.push_back(
        keywordItem("kept", "The clause's window is not over, and its verdict is unchanged."));
  return out;
}

std::vector<std::string> contractsIn(const fs::path& path, const Surroundings& around) {
  std::string text;
  if (const std::string* open = around.openText(path)) {
    text = *open;
  } else {
    auto file = readFile(path, Limits{});
    if (!file || file->tooLarge) {
      llvm::consumeError(file.takeError());
      return {};
    }
    text = std::move(file->text);
  }
  std::vector<std::string> out;
  for (const yaml::DocumentText& document : yaml::wordsOf(text).documents) {
    Sketch sketch(text, document);
    if (std::size_t name = sketch.find(0, "contract"))
      out.push_back(sketch.textOf(name));
  }
  return out;
}

/// The brackets of a map with the keys that it needs, or of a list.
CompletionItem bracketItem(const model::ShapeInfo& shape) {
  bool isMap = shape.form == Form::Record || shape.form == Form::Dictionary;
  CompletionItem out{isMap ? "{ … }" : "[ … ]", ItemKind::Snippet, std::string(shape.what)};
  out.isYaml = true;
  out.typed = isMap ? "{" : "[";
  out.pieces = {{isMap ? "{ " : "["}};
  bool isFirst = true;
  if (shape.map)
    for (const model::KeyInfo& row : model::keys(*shape.map))
      if (row.presence == model::Presence::Required) {
        out.pieces.push_back({(isFirst ? "" : ", ") + std::string(row.key) + ": "});
        out.pieces.push_back(gap());
        isFirst = false;
      }
  if (isFirst)
    out.pieces.push_back(gap());
  out.pieces.push_back({isMap ? " }" : "]"});
  return out;
}

CompletionItem parentItem(std::string label) {
  return {std::move(label), ItemKind::File, "parent"};
}

} // namespace

std::vector<CompletionItem> valueItems(const CursorContext& context, const Names& names) {
  const model::ShapeInfo& shape = model::info(*context.value);
  std::vector<CompletionItem> out;
  bool isPlain = context.scalar.style == yaml::Style::Plain;
  if (isPlain && !context.key && !context.isListItem && !context.inFlow &&
      context.sketch.find(0, "extends"))
    out.push_back({"null", ItemKind::Keyword, {}, "Removes the parent's value.", {}, 2});
  if (shape.form == Form::Boolean)
    for (const char* word : {"true", "false"})
      out.push_back({word, ItemKind::EnumMember});
  bool isBrackets = shape.form == Form::Record || shape.form == Form::Dictionary ||
                    shape.form == Form::Strings || shape.form == Form::Interval ||
                    shape.form == Form::Items;
  if (shape.shape == Shape::VerdictSequence)
    return verdictItems(context);
  if (shape.shape == Shape::TrafficAction)
    for (const std::string& name : names.moves)
      out.push_back(nameItem(name, "traffic"));
  if (isBrackets) {
    if (context.before.empty())
      out.push_back(bracketItem(shape));
    return out;
  }
  if (!shape.words.empty())
    for (std::string_view word : splitWords(shape.words))
      out.push_back(wordItem(shape.shape, word));
  bool isName = shape.shape == Shape::Identifier ||
                (context.key && context.key->map == Map::Expectation && context.isListItem);
  if (NameList known = isName ? namesUnder(context.key, names) : NameList{}; known.names)
    for (const std::string& name : *known.names)
      out.push_back(nameItem(name, known.what));
  return out;
}

std::vector<CompletionItem> parentItems(const CursorContext& context, Surroundings& around,
                                        const fs::path& path) {
  std::vector<CompletionItem> out;
  std::string_view before = context.before;
  auto hash = before.find('#');
  fs::path folder = path.parent_path();
  if (hash != std::string_view::npos && hash > 0) {
    fs::path file(before.substr(0, hash));
    std::error_code error;
    fs::path real = fs::weakly_canonical(folder / file, error);
    if (!file.is_absolute() && !error && project::isBelow(real, around.extendsRootOf(path)))
      for (const std::string& name : contractsIn(real, around))
        out.push_back(parentItem(file.string() + "#" + name));
    return out;
  }
  std::size_t own = context.sketch.find(0, "contract");
  for (const std::string& name : context.contracts)
    if (own == 0 || name != context.sketch.textOf(own))
      out.push_back(parentItem("#" + name));
  if (path.empty())
    return out;
  const fs::path& root = around.extendsRootOf(path);
  for (const fs::path& file : around.files())
    if (file != path && project::isBelow(file, root))
      out.push_back(parentItem(file.lexically_relative(folder).generic_string()));
  return out;
}

} // namespace tikc::ide
