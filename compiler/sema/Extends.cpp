#include "sema/Extends.h"

#include "model/Keys.h"
#include "sema/Scalars.h"
#include "sema/Structure.h"
#include "support/Files.h"
#include "support/Names.h"
#include "support/Utf8.h"
#include "yaml/YamlReader.h"

#include <algorithm>
#include <unordered_map>

namespace tikc::sema {

namespace fs = std::filesystem;
using model::Form;
using model::Shape;
using utf8::ticked;
using yaml::Entry;
using yaml::Node;
using yaml::Tree;
using yaml::YamlDocument;

namespace {

/// A contract's identity is its own, and so is how far its author is; neither is taken from a
/// parent.
bool isInherited(std::string_view key) {
  return key != "tikc" && key != "contract" && key != "extends" && key != "abstract" &&
         key != "draft";
}

/// Whether maps of a shape merge by key, so that `null` removes one of them.
bool merges(const Node& node, Shape shape) {
  Form form = model::info(shape).form;
  return node.kind == Node::Kind::Mapping &&
         (form == Form::Record || form == Form::Dictionary || shape == Shape::Slice);
}

/// Makes a slice that is a condition alone the map that this is short for.
void spellOut(Node& slice) {
  if (!slice.isText() || slice.invalid)
    return;
  Entry when{std::make_unique<Node>(), yaml::copyOf(slice), slice.span};
  when.key->type = yaml::ScalarType::String;
  when.key->value = "when";
  when.key->span = slice.span.start();
  slice.kind = Node::Kind::Mapping;
  slice.flow = true;
  slice.value.clear();
  slice.entries.push_back(std::move(when));
}

/// Nothing for a key that the language does not have.
std::optional<Shape> shapeOf(std::string_view key, Shape map) {
  const model::ShapeInfo& shape = model::info(map);
  if (shape.form == Form::Dictionary)
    return shape.element;
  const model::KeyInfo* known = model::findKey(*shape.map, key);
  return known ? std::optional(known->shape) : std::nullopt;
}

/// Lays a child over its parent, in the parent's order with new keys at the end. What a parent that
/// is not whole does not say proves nothing.
class Overlay {
public:
  Overlay(FileContext& context, bool isWhole) : context_(context), isWhole_(isWhole) {}

  void lay(Node& parent, std::unique_ptr<Node> child, Shape shape) {
    if (shape == Shape::Slice && parent.kind != child->kind) {
      spellOut(parent);
      spellOut(*child);
    }
    if (!merges(parent, shape) || !merges(*child, shape)) {
      parent = std::move(*child);
      return checkNulls(parent, shape);
    }
    parent.span = child->span;
    parent.flow = child->flow;
    std::unordered_map<std::string_view, std::size_t> places;
    for (std::size_t i = 0; i < parent.entries.size(); ++i)
      places.emplace(parent.entries[i].key->value, i);
    for (Entry& entry : child->entries) {
      auto place = places.find(entry.key->value);
      if (place == places.end()) {
        checkNew(entry, shape, parent);
        parent.entries.push_back(std::move(entry));
      } else {
        layEntry(parent.entries[place->second], std::move(entry), shape);
      }
    }
  }

private:
  void layEntry(Entry& under, Entry entry, Shape map) {
    under.span = entry.span;
    under.key->span = entry.key->span;
    std::optional<Shape> shape = shapeOf(entry.key->value, map);
    if (shape && isEmpty(*entry.value))
      context_.sink.report<diag::EmptyRemoves>(entry.key->span, ticked(entry.key->value))
          .unsafeFix("write null", {{entry.value->span.start(), " null"}});
    if (shape)
      lay(*under.value, std::move(entry.value), *shape);
    else
      under.value = std::move(entry.value);
  }

  /// What no parent says cannot be removed: of no value at all, another was meant.
  void checkNew(Entry& entry, Shape map, const Node& parent) {
    std::optional<Shape> shape = shapeOf(entry.key->value, map);
    if (!shape || entry.value->invalid)
      return;
    if (isEmpty(*entry.value)) {
      entry.value->invalid = true;
      context_.sink.report<diag::WrongKind>(entry.value->span, model::info(*shape).what,
                                            describe(*entry.value));
    } else if (entry.value->isNull() && isWhole_) {
      std::vector<std::string_view> known;
      for (const Entry& each : parent.entries)
        if (shapeOf(each.key->value, map) && !each.value->isNull())
          known.push_back(each.key->value);
      context_.sink.report<diag::RemovesNothing>(entry.key->span, ticked(entry.key->value))
          .offerNearest(entry.key->span, entry.key->value, known);
    } else if (!entry.value->isNull()) {
      checkNulls(*entry.value, *shape);
    }
  }

  void checkNulls(Node& node, Shape shape) {
    if (merges(node, shape))
      for (Entry& entry : node.entries)
        checkNew(entry, shape, node);
  }

  static bool isEmpty(const Node& node) {
    return node.isNull() && node.style == yaml::Style::Empty && !node.aliasSpan.valid();
  }

  FileContext& context_;
  bool isWhole_;
};

/// After merging, a null has done its work.
void removeNulls(Node& node, Shape shape) {
  if (!merges(node, shape))
    return;
  std::erase_if(node.entries, [&](const Entry& entry) {
    // A key that the language does not have is still to be reported.
    return shapeOf(entry.key->value, shape) && entry.value->isNull() && !entry.value->invalid;
  });
  for (Entry& entry : node.entries)
    if (auto known = shapeOf(entry.key->value, shape))
      removeNulls(*entry.value, *known);
}

const Node* stringAt(const Node& root, std::string_view key) {
  const Node* node = root.find(key);
  bool text = node && node->kind == Node::Kind::Scalar && node->type == yaml::ScalarType::String &&
              !node->invalid;
  return text ? node : nullptr;
}

bool isInside(const fs::path& path, const fs::path& root) {
  auto [end, ignored] = std::mismatch(root.begin(), root.end(), path.begin(), path.end());
  return end == root.end();
}

/// The file being checked may be loaded a second time as a parent, so that files are compared by
/// path.
bool isSamePlace(const SourceManager& sources, const Span& a, const Span& b) {
  return a.begin == b.begin &&
         (a.file == b.file || sources.get(a.file).path == sources.get(b.file).path);
}

/// An `extends` without a name does not mean that a parent is missing.
void checkReference(FileContext& context, YamlDocument& document) {
  for (Entry& entry : document.root->entries)
    if (entry.key->value == "extends") {
      document.complete = false;
      if (!entry.value->invalid)
        context.sink.report<diag::WrongKind>(
            entry.value->span, "a parent such as ../base.tikc.yaml", describe(*entry.value));
      entry.value->invalid = true;
    }
}

std::string contractName(const YamlDocument& document) {
  const Node* name = stringAt(*document.root, "contract");
  return name ? name->value : std::string();
}

std::vector<diag::Diagnostic> foundSince(diag::Sink& sink, std::size_t before) {
  std::vector<diag::Diagnostic> out;
  sink.eachSince(before, [&](const diag::Diagnostic& finding) { out.push_back(finding); });
  return out;
}

void repeat(diag::Sink& sink, const std::vector<diag::Diagnostic>& faults) {
  for (const diag::Diagnostic& fault : faults)
    sink.repeat(fault);
}

} // namespace

bool isPartial(const Node& root) {
  const Node* isAbstract = root.find("abstract");
  return root.find("extends") || (isAbstract && isAbstract->isTrue());
}

ParentName splitParent(std::string_view text) {
  auto hash = text.find('#');
  if (hash == std::string_view::npos)
    return {text, std::nullopt};
  return {text.substr(0, hash), text.substr(hash + 1)};
}

YamlDocument Parents::merged(FileContext& context, const YamlDocument& document, const Tree& tree) {
  YamlDocument out{yaml::copyOf(*document.root), document.span, document.complete, {}};
  std::vector<const Node*> chain;
  mergeParent(context, out, tree, chain);
  removeNulls(*out.root, Shape::Contract);
  return out;
}

void Parents::mergeParent(FileContext& context, YamlDocument& document, const Tree& tree,
                          std::vector<const Node*>& chain) {
  const Node* reference = stringAt(*document.root, "extends");
  if (!reference) {
    checkReference(context, document);
    return;
  }
  if (chain.size() >= limits_.extendsDepth) {
    context.sink.report<diag::ExtendsTooDeep>(reference->span, limits_.extendsDepth);
    document.complete = false;
    return;
  }
  chain.push_back(reference);
  Ancestor found = locate(context, *reference, tree);
  if (!found.document) {
    document.complete = false;
    return;
  }
  const Node* again = stringAt(*found.document->root, "extends");
  auto seen = std::find_if(chain.begin(), chain.end(), [&](const Node* link) {
    return again && isSamePlace(context.sources, link->span, again->span);
  });
  if (seen != chain.end()) {
    auto& cycle =
        context.sink.report<diag::ExtendsCycle>(chain.front()->span, ticked(chain.front()->value));
    for (const Node* link : chain)
      if (link != chain.front())
        cycle.relatedTo(link->span, "this extends the contract again");
    document.complete = false;
    return;
  }
  YamlDocument parent{
      yaml::copyOf(*found.document->root), found.document->span, found.document->complete, {}};
  mergeParent(context, parent, *found.tree, chain);
  if (parent.root->kind != Node::Kind::Mapping) {
    if (parent.complete)
      context.sink.report<diag::WrongKind>(parent.root->span, model::info(Shape::Contract).what,
                                           describe(*parent.root));
    document.complete = false;
    return;
  }
  checkParent(context, parent);
  std::erase_if(parent.root->entries,
                [](const Entry& entry) { return !isInherited(entry.key->value); });
  Overlay(context, parent.complete).lay(*parent.root, std::move(document.root), Shape::Contract);
  document.root = std::move(parent.root);
  document.ancestors.push_back(found.tree->file);
  document.ancestors.insert(document.ancestors.end(), parent.ancestors.begin(),
                            parent.ancestors.end());
  document.complete &= parent.complete;
}

/// Also what its children replace is read: nothing of a parent goes unseen. Once for all of them.
void Parents::checkParent(FileContext& context, const YamlDocument& parent) {
  auto [known, isFirst] = structure_.try_emplace(parent.span);
  if (!isFirst)
    return repeat(context.sink, known->second);
  std::unique_ptr<Node> copy = yaml::copyOf(*parent.root);
  removeNulls(*copy, Shape::Contract);
  std::size_t before = context.sink.size();
  checkStructure(context, *copy, Shape::Contract,
                 parent.complete ? Completeness::Abstract : Completeness::Cut);
  known->second = foundSince(context.sink, before);
}

Parents::Ancestor Parents::locate(FileContext& context, const Node& reference, const Tree& tree) {
  auto [file, wanted] = splitParent(reference.value);

  const Tree* parentTree = &tree;
  if (!file.empty()) {
    // The path is relative to the file that says it, which for an inherited `extends` is not the
    // file being checked.
    const Source& from = context.sources.get(reference.span.file);
    fs::path relative(file);
    if (relative.is_absolute()) {
      context.sink.report<diag::ExtendsEscapes>(reference.span, ticked(file))
          .note("write the path relative to this file, not as an absolute path");
      return {};
    }
    parentTree = load(context, reference, from.path.parent_path() / relative,
                      (fs::path(from.name).parent_path() / relative).lexically_normal().string());
    if (!parentTree)
      return {};
  }

  std::vector<std::string> names;
  for (const YamlDocument& document : parentTree->documents) {
    names.push_back(contractName(document));
    if (wanted ? names.back() == *wanted : parentTree->documents.size() == 1)
      return {&document, parentTree};
  }
  std::vector<std::string_view> choices;
  for (const std::string& name : names)
    if (!name.empty())
      choices.push_back(name);
  if (wanted) {
    auto& missing =
        context.sink.report<diag::ParentContractMissing>(reference.span, ticked(*wanted));
    if (nearestName(*wanted, choices)) {
      FileId at = reference.span.file;
      auto end = static_cast<std::uint32_t>(reference.value.size());
      Span name = yaml::scalarMap(context.sources.get(at), reference)
                      .map(at, end - static_cast<std::uint32_t>(wanted->size()), end);
      missing.offerNearest(name, *wanted, choices);
    }
    if (!choices.empty())
      missing.note("contracts there: " + utf8::printable(joinAlternatives(choices)));
  } else {
    auto& ambiguous =
        context.sink.report<diag::ParentAmbiguous>(reference.span, parentTree->documents.size());
    if (!choices.empty())
      ambiguous.note("choose one with `#name`: " + utf8::printable(joinAlternatives(choices)));
  }
  return {};
}

std::optional<std::string> Parents::textOf(FileContext& context, const Node& reference,
                                           const fs::path& real, const std::string& display) {
  auto edited = sources_.overlaid(real);
  if (edited && edited->size() <= limits_.fileBytes)
    return edited;
  auto file = edited ? llvm::Expected<FileText>(FileText{{}, true, edited->size()})
                     : readFile(real, limits_);
  if (file && !file->tooLarge)
    return std::move(file->text);
  context.sink.report<diag::ParentUnreadable>(reference.span, ticked(display),
                                              file ? "the file is larger than tikc reads"
                                                   : llvm::toString(file.takeError()));
  return std::nullopt;
}

const Tree* Parents::load(FileContext& context, const Node& reference, const fs::path& path,
                          const std::string& display) {
  std::error_code error;
  // Symbolic links are followed first: what counts is where the file really is.
  fs::path real = fs::canonical(path, error);
  // What is being written is on no disk yet.
  if (std::error_code ignored; error)
    if (auto wanted = fs::weakly_canonical(path, ignored); sources_.overlaid(wanted)) {
      real = std::move(wanted);
      error.clear();
    }
  if (error) {
    context.sink.report<diag::ParentUnreadable>(reference.span, ticked(display), error.message());
    return nullptr;
  }
  if (!isInside(real, root_)) {
    context.sink.report<diag::ExtendsEscapes>(reference.span, ticked(display))
        .note("the root is " + utf8::printable(root_.string()) +
              "; set another with `--root` or in a tikc.yaml");
    return nullptr;
  }
  if (auto known = loaded_.find(real); known != loaded_.end()) {
    const auto& [tree, faults] = known->second;
    if (used_.emplace(real, tree).second)
      repeat(context.sink, faults);
    return tree.get();
  }

  std::optional<std::string> text = textOf(context, reference, real, display);
  if (!text)
    return nullptr;
  FileId id = sources_.add(display, real, std::move(*text));
  std::size_t before = context.sink.size();
  auto tree = std::make_shared<Tree>(yaml::readYaml(sources_, id, limits_, context.sink));
  used_.emplace(real, tree);
  return loaded_.emplace(real, LoadedParent{std::move(tree), foundSince(context.sink, before)})
      .first->second.tree.get();
}

} // namespace tikc::sema
