#include "ide/completion/Names.h"

#include "sema/Symbols.h"

#include <algorithm>

namespace tikc::ide {
namespace {

void add(std::vector<std::string>& names, std::string name) {
  if (!name.empty() && std::find(names.begin(), names.end(), name) == names.end())
    names.push_back(std::move(name));
}

class Collector {
public:
  Collector(const CursorContext& context, const Analysis& analysis)
      : context_(context), analysis_(analysis) {}

  Names collect() {
    for (const model::Contract& contract : analysis_.checked.contracts)
      if (isHere(contract.span))
        readModel(contract);
    for (const auto& contract : analysis_.tested)
      readTested(*contract);
    readSketch();
    add(out_.slices, "other");
    return std::move(out_);
  }

private:
  bool isHere(const Span& span) const {
    return span.file == analysis_.file && context_.begin <= span.begin && span.begin < context_.end;
  }

  void take(std::vector<std::string>& names, std::string_view section, const model::Name& name) {
    add(names, name.text);
    if (!isHere(name.span))
      add(out_.inherited[std::string(section)], name.text);
  }

  void readModel(const model::Contract& contract) {
    for (const model::Kernel& kernel : contract.kernels)
      take(out_.kernels, "kernels", kernel.name);
    for (const model::Name& kernel : contract.chain)
      add(out_.chain, kernel.text);
    for (const model::Slice& slice : contract.slices)
      take(out_.slices, "slices", slice.name);
    for (const model::Label& label : contract.labels) {
      std::vector<std::string> all;
      take(all, "labels", label.name);
      for (const model::Text& value : label.values)
        add(out_.labels[label.name.text], value.value);
    }
    std::vector<std::string> unused;
    for (const model::Clause& clause : contract.clauses)
      take(sema::hasVerdict(clause) ? out_.clauses : unused, model::familyName(clause.family),
           clause.id);
    for (const model::Claim& claim : contract.claims)
      take(unused, "claims", claim.id);
    for (const model::Rule& rule : contract.rules)
      readRule(rule);
  }

  void readTested(const model::Contract& contract) {
    for (const model::Slice& slice : contract.slices)
      add(out_.slices, slice.name.text);
    for (const model::Clause& clause : contract.clauses)
      if (sema::hasVerdict(clause))
        add(out_.clauses, clause.id.text);
    add(out_.moves, "usual");
    for (const model::Rule& rule : contract.rules) {
      add(out_.rules, rule.id.text);
      readTested(rule.actions);
      for (const model::Step& step : rule.steps)
        readTested(step.actions);
    }
  }

  void readTested(const std::vector<model::Call>& actions) {
    readReceivers(actions);
    for (const model::Call& action : actions)
      if (action.id != model::CallId::Alert && action.id != model::CallId::Sample)
        add(out_.moves, print(action.expr));
  }

  void readRule(const model::Rule& rule) {
    std::vector<std::string> unused;
    take(unused, "escalation", rule.id);
    readReceivers(rule.actions);
    for (const model::Step& step : rule.steps)
      readReceivers(step.actions);
  }

  void readReceivers(const std::vector<model::Call>& actions) {
    for (const model::Call& action : actions)
      if (action.id == model::CallId::Alert && !action.expr.arguments.empty())
        add(out_.receivers, action.expr.arguments[0].text);
  }

  void readSketch() {
    const Sketch& sketch = context_.sketch;
    keysOf("kernels", out_.kernels);
    keysOf("slices", out_.slices);
    if (std::size_t chain = sketch.find(0, "chain"))
      for (std::size_t item : sketch.childrenOf(chain))
        add(out_.chain, declared(sketch.textOf(item), item));
    for (auto family :
         {model::Family::Numerical, model::Family::Statistical, model::Family::Runtime})
      keysOf(model::familyName(family), out_.clauses);
    if (std::size_t labels = sketch.find(0, "labels"))
      for (std::size_t label : sketch.childrenOf(labels))
        for (std::size_t value : sketch.childrenOf(label))
          add(out_.labels[sketch.parts()[label].key], declared(sketch.textOf(value), value));
    readDirectives();
  }

  /// The word that is being typed is no name yet.
  std::string declared(std::string_view name, std::size_t part) const {
    const SketchPart& item = context_.sketch.parts()[part];
    bool isTyped = item.scalar.begin <= context_.cursor && context_.cursor < item.scalar.end;
    return isTyped ? std::string() : std::string(name);
  }

  void keysOf(std::string_view section, std::vector<std::string>& names) {
    std::size_t map = context_.sketch.find(0, section);
    if (map == 0)
      return;
    for (std::size_t child : context_.sketch.childrenOf(map)) {
      const SketchPart& part = context_.sketch.parts()[child];
      bool isTyped = part.keySpan.begin <= context_.cursor && context_.cursor <= part.keySpan.end;
      if (part.hasColon && !isTyped)
        add(names, part.key);
    }
  }

  void readDirectives() {
    const Sketch& sketch = context_.sketch;
    std::size_t map = sketch.find(0, model::familyName(model::Family::Observability));
    if (map == 0)
      return;
    for (std::size_t child : sketch.childrenOf(map)) {
      std::size_t inner = sketch.find(child, "require");
      std::string call = sketch.textOf(inner ? inner : child);
      if (sema::hasVerdict(call.substr(0, call.find('('))))
        add(out_.clauses, sketch.parts()[child].key);
    }
  }

  const CursorContext& context_;
  const Analysis& analysis_;
  Names out_;
};

} // namespace

Names namesAt(const CursorContext& context, const Analysis& analysis) {
  return Collector(context, analysis).collect();
}

} // namespace tikc::ide
