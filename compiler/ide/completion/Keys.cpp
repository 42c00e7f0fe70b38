#include "ide/completion/Offers.h"
#include "ide/completion/Vocabulary.h"
#include "project/Projects.h"
#include "project/Starter.h"
#include "sema/Subjects.h"
#include "support/Names.h"

#include <fmt/format.h>

#include <algorithm>

namespace tikc::ide {

using model::Form;
using model::KeyInfo;
using model::Shape;
using model::ShapeInfo;

namespace {

bool isThere(const CursorContext& context, std::string_view key) {
  return std::find(context.siblings.begin(), context.siblings.end(), key) != context.siblings.end();
}

/// What follows a key: its value's first brackets or line, with a gap inside.
std::vector<Piece> valueOf(const ShapeInfo& shape, bool inFlow) {
  bool isMap = shape.form == Form::Record || shape.form == Form::Dictionary;
  bool isListOfMaps = shape.form == Form::Strings && shape.element &&
                      model::info(*shape.element).form == Form::Record;
  if (isMap && inFlow)
    return {{": { "}, gap(), {" }"}};
  if (isMap)
    return {{":\n  "}, gap()};
  if (isListOfMaps && !inFlow)
    return {{":\n  - "}, gap()};
  if (shape.form == Form::Strings || shape.form == Form::Interval)
    return {{": ["}, gap(), {"]"}};
  return {{": "}};
}

std::vector<Piece> keyed(std::string_view key, Shape shape, const CursorContext& context,
                         const WordSlot& slot) {
  std::vector<Piece> out{{std::string(key)}};
  if (slot.next() == ':')
    return out;
  for (Piece& piece : valueOf(model::info(shape), context.inFlow))
    out.push_back(std::move(piece));
  return out;
}

std::string documentationOf(const KeyInfo& row) {
  const ShapeInfo& shape = model::info(row.shape);
  std::string out =
      fmt::format("{}\n\n{}: {}.", row.meaning,
                  row.presence == model::Presence::Required ? "Required" : "Optional", shape.what);
  if (!shape.words.empty()) {
    out += "\n";
    for (std::string_view word : splitWords(shape.words))
      out += fmt::format("\n- `{}`: {}", word, model::meaningOf(row.shape, word));
  }
  return out;
}

/// Entries of a map whose keys the author chooses.
class KeyOffers {
public:
  KeyOffers(const CursorContext& context, const WordSlot& slot, const Names& names, Shape element)
      : context_(context), slot_(slot), names_(names), element_(element) {}

  std::vector<CompletionItem> items() {
    inherited();
    if (element_ == Shape::VerdictSequence) {
      clauses();
      return std::move(out_);
    }
    if (slot_.next() == ':' || context_.inFlow)
      return std::move(out_);
    if (element_ == Shape::Clause)
      statements();
    if (element_ == Shape::Directive)
      directives();
    skeleton();
    return std::move(out_);
  }

private:
  /// What a parent declares can be said anew, or taken away.
  void inherited() {
    auto match = names_.inherited.find(context_.section);
    if (match == names_.inherited.end())
      return;
    for (const std::string& name : match->second)
      if (!isThere(context_, name)) {
        CompletionItem item = nameItem(name, "from the parent");
        item.documentation = "Replaces the parent's entry of this name.";
        item.pieces = keyed(name, element_, context_, slot_);
        out_.push_back(std::move(item));
      }
  }

  /// A sequence is of a clause that is there.
  void clauses() {
    for (const std::string& name : names_.clauses)
      if (!isThere(context_, name)) {
        CompletionItem item = nameItem(name, "clause");
        item.pieces = keyed(name, element_, context_, slot_);
        out_.push_back(std::move(item));
      }
  }

  std::string fresh(std::string_view wanted) const {
    std::string out(wanted);
    for (int i = 2; isThere(context_, out); ++i)
      out = fmt::format("{}_{}", wanted, i);
    return out;
  }

  void statement(CompletionItem item, std::vector<Piece> measure) {
    item.pieces = {gap(fresh(item.label)), {": "}};
    for (Piece& piece : measure)
      item.pieces.push_back(std::move(piece));
    item.pieces.push_back({" "});
    item.pieces.push_back(gap());
    item.typed = item.label;
    item.label += ": …";
    item.kind = ItemKind::Snippet;
    item.group = 1;
    out_.push_back(std::move(item));
  }

  /// One of each thing that the section can bound.
  void statements() {
    if (context_.section == "claims") {
      for (const model::ClaimInfo& row : model::claims())
        statement(claimItem(row), row.needsAggregate
                                      ? std::vector<Piece>{{fmt::format("max({})", row.symbol)}}
                                      : std::vector<Piece>{{std::string(row.symbol)}});
      return;
    }
    for (const model::MetricInfo& row : model::metrics()) {
      if (model::familyName(sema::familyOf(row.level)) != context_.section ||
          !row.parameters.empty())
        continue;
      if (row.level == model::Level::Window) {
        statement(metricItem(row, slot_), {{std::string(row.symbol)}});
        continue;
      }
      Piece aggregate = gap("p99");
      for (std::string_view name : {"p99", "max", "mean"})
        aggregate.choices.emplace_back(name);
      statement(metricItem(row, slot_), {aggregate, {fmt::format("({})", row.symbol)}});
    }
  }

  void directives() {
    for (const model::CallInfo& row : model::calls()) {
      if (row.place != model::CallPlace::Directive)
        continue;
      CompletionItem item = callItem(row, slot_);
      if (item.pieces.empty())
        item.pieces.push_back({item.label});
      item.pieces.insert(item.pieces.begin(), {gap(fresh(row.name)), {": "}});
      item.typed = item.label;
      item.label += ": …";
      item.kind = ItemKind::Snippet;
      item.group = 1;
      out_.push_back(std::move(item));
    }
  }

  /// A new entry with the brackets or keys that it needs.
  void skeleton() {
    const ShapeInfo& shape = model::info(element_);
    CompletionItem item{"new", ItemKind::Snippet};
    item.detail = shape.map ? model::mapName(*shape.map) : shape.what;
    item.pieces = {gap(fresh("name"))};
    if (!shape.map)
      for (Piece& piece : valueOf(shape, false))
        item.pieces.push_back(std::move(piece));
    else
      item.pieces.push_back({":"});
    if (shape.map)
      for (const KeyInfo& row : model::keys(*shape.map))
        if (row.presence == model::Presence::Required) {
          item.pieces.push_back({fmt::format("\n  {}: ", row.key)});
          item.pieces.push_back(gap());
        }
    item.group = 2;
    out_.push_back(std::move(item));
  }

  const CursorContext& context_;
  const WordSlot& slot_;
  const Names& names_;
  Shape element_;
  std::vector<CompletionItem> out_;
};

} // namespace

std::vector<CompletionItem> keyItems(const CursorContext& context, const WordSlot& slot,
                                     const Names& names) {
  const ShapeInfo& shape = model::info(*context.map);
  if (shape.form == Form::Dictionary)
    return KeyOffers(context, slot, names, *shape.element).items();
  std::vector<CompletionItem> out;
  for (const KeyInfo& row : model::keys(*shape.map)) {
    if (isThere(context, row.key))
      continue;
    CompletionItem item{std::string(row.key), ItemKind::Property};
    bool isRequired = row.presence == model::Presence::Required;
    item.detail = isRequired ? "required" : "";
    item.documentation = documentationOf(row);
    item.pieces = keyed(row.key, row.shape, context, slot);
    item.group = isRequired ? 0 : 1;
    out.push_back(std::move(item));
  }
  return out;
}

std::vector<CompletionItem> starterItems(const CursorContext& context,
                                         const std::filesystem::path& path) {
  bool isEmpty = context.map == Shape::Contract && context.siblings.empty() &&
                 context.contracts.empty() && context.scalar.begin == context.begin;
  if (!isEmpty)
    return {};
  std::string stem = path.filename().string();
  if (stem.ends_with(project::contractSuffix))
    stem.resize(stem.size() - project::contractSuffix.size());
  CompletionItem item{"contract …", ItemKind::Snippet, "a complete contract"};
  item.typed = "contract";
  item.pieces.push_back({project::starterContract(stem)});
  item.documentation = "A complete contract to start from, as `tikc init` writes it.";
  return {item};
}

} // namespace tikc::ide
