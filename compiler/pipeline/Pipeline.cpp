#include "pipeline/Pipeline.h"

#include "expr/Format.h"
#include "lint/Lint.h"
#include "lower/Lower.h"
#include "model/Keys.h"
#include "pipeline/Echoes.h"
#include "pipeline/Recorded.h"
#include "pipeline/Suppressions.h"
#include "pipeline/Verdicts.h"
#include "sema/Build.h"
#include "sema/Extends.h"
#include "sema/Structure.h"
#include "sema/Types.h"
#include "support/Efforts.h"
#include "support/Utf8.h"
#include "yaml/FitFixes.h"
#include "yaml/TreeDump.h"
#include "yaml/YamlReader.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>

namespace tikc::pipeline {

using utf8::ticked;
using yaml::Node;
using yaml::YamlDocument;

struct Checker::Impl {
  Impl(SourceManager& sources, const project::Settings& settings, const Limits& limits,
       std::shared_ptr<CheckCache> known)
      : sources(sources), settings(settings), limits(limits),
        cache(known ? std::move(known) : std::make_shared<CheckCache>()),
        expressions(sources, this->limits, &cache->expressions),
        parents(sources, settings.root, this->limits) {}

  void checkDocument(sema::FileContext& context, YamlDocument& document, CheckedFile& out);
  void applyParentsSuppressions(CheckedFile& file);
  void applySeverities(std::vector<diag::Diagnostic>& diagnostics) const;
  void applyBaseline(CheckedFile& file);
  bool isHarmless(Checker& checker, const yaml::Tree& tree, const EditSet& edits);

  SourceManager& sources;
  const project::Settings& settings;
  Limits limits;
  bool countsVerdictsOnly = false;
  std::shared_ptr<CheckCache> cache;
  expr::ExprParser expressions;
  sema::Parents parents;
  std::map<FileId, Suppressions> parentsSuppressions;
  FileId baselineText = FileId::None;
};

namespace {

/// file#name, reports and generated code must be able to tell a file's contracts apart.
void checkNames(const yaml::Tree& tree, diag::Sink& sink) {
  std::map<std::string_view, Span> seen;
  for (const YamlDocument& document : tree.documents) {
    const Node* name = document.root->find("contract");
    if (!name || name->kind != Node::Kind::Scalar || name->value.empty())
      continue;
    auto [place, fresh] = seen.emplace(name->value, name->span);
    if (!fresh)
      sink.report<diag::DuplicateContract>(name->span, ticked(name->value))
          .relatedTo(place->second, "the first one is here");
  }
}

/// What is at fault in a text that a contract extends may be right but for what the contract says.
void nameHeir(const YamlDocument& heir, std::size_t before, diag::Sink& sink) {
  const Node* reference = heir.root->find("extends");
  const Node* name = heir.root->find("contract");
  if (!reference || !name)
    return;
  sink.eachSince(before, [&](diag::Diagnostic& finding) {
    if (!heir.span.contains(finding.span))
      finding.relatedTo(reference->span,
                        fmt::format("found in {}, which extends it", ticked(name->value)));
  });
}

/// The outermost entries that a range touches, with the blanks before and after them.
Span entriesOf(const Source& source, const yaml::Tree& tree, const Span& range) {
  Span out = range;
  for (const YamlDocument& document : tree.documents)
    for (const yaml::Entry& entry : document.root->entries)
      if (entry.span.begin < range.end && range.begin < entry.span.end)
        out = join(out, entry.span);
  out.begin = source.lines.lineStart(source.lines.lineIndex(out.begin));
  auto next = source.text.find_first_not_of(" \t\r", out.end);
  out.end = static_cast<std::uint32_t>(std::min(next, source.text.size()));
  return out;
}

} // namespace

Checker::Checker(SourceManager& sources, const project::Settings& settings, const Limits& limits,
                 std::shared_ptr<CheckCache> cache)
    : impl_(std::make_unique<Impl>(sources, settings, limits, std::move(cache))) {}
Checker::~Checker() = default;

void Checker::countVerdictsOnly() { impl_->countsVerdictsOnly = true; }

CheckedFile Checker::check(FileId file) {
  CheckedFile out;
  out.file = file;
  diag::Sink sink(impl_->limits);
  auto read =
      std::make_shared<yaml::Tree>(yaml::readYaml(impl_->sources, file, impl_->limits, sink));
  yaml::Tree& tree = *read;
  out.tree = read;
  Suppressions suppressions(impl_->sources, tree, sink);
  checkNames(tree, sink);
  sema::FileContext context{impl_->sources, impl_->limits, sink, impl_->expressions};
  for (YamlDocument& document : tree.documents) {
    if (!sema::isPartial(*document.root)) {
      impl_->checkDocument(context, document, out);
      continue;
    }
    YamlDocument whole = impl_->parents.merged(context, document, tree);
    impl_->checkDocument(context, whole, out);
  }
  // A file without a contract must not pass for a clean one.
  if (tree.documents.empty() && !sink.hasErrors())
    sink.report<diag::WrongKind>(Span{file, 0, 0}, model::info(model::Shape::Contract).what,
                                 "nothing");
  out.diagnostics = sink.take();
  dropEchoes(impl_->sources, file, out.diagnostics);
  joinMentions(impl_->sources, out.diagnostics);
  yaml::fitFixes(impl_->sources, tree, out.diagnostics);
  for (const auto& [path, parent] : impl_->parents.takeUsed()) {
    yaml::fitFixes(impl_->sources, *parent, out.diagnostics);
    out.parents.push_back(parent);
  }
  suppressions.apply(out.diagnostics);
  impl_->applyParentsSuppressions(out);
  suppressions.reportStale(sink);
  for (diag::Diagnostic& stale : sink.take())
    out.diagnostics.push_back(std::move(stale));
  impl_->applySeverities(out.diagnostics);
  if (impl_->settings.baseline)
    impl_->applyBaseline(out);
  std::stable_sort(out.diagnostics.begin(), out.diagnostics.end(),
                   [&](const auto& a, const auto& b) {
                     bool aForeign = a.span.file != file, bForeign = b.span.file != file;
                     return std::tie(aForeign, a.span) < std::tie(bForeign, b.span);
                   });
  return out;
}

void Checker::Impl::checkDocument(sema::FileContext& context, YamlDocument& document,
                                  CheckedFile& out) {
  Node& root = *document.root;
  if (root.isNull() && !document.complete)
    return;
  std::size_t errorsBefore = context.sink.errorCount();
  const Node* isAbstract = root.find("abstract");
  auto completeness = !document.complete                   ? sema::Completeness::Cut
                      : isAbstract && isAbstract->isTrue() ? sema::Completeness::Abstract
                                                           : sema::Completeness::Whole;
  sema::checkStructure(context, root, model::Shape::Contract, completeness);
  if (root.kind != Node::Kind::Mapping)
    return;
  model::Contract contract = sema::buildContract(context, document);
  std::size_t before = context.sink.size(); // of findings of the text itself
  context.sink.mute(namesInDoubt(document, context.sink));
  sema::typeContract(context, contract);
  context.sink.mute({});
  bool defined = !isAbstract || !isAbstract->isTrue();
  std::optional<bounds::Proof> proof;
  if (defined && document.complete && context.sink.errorCount() == errorsBefore)
    proof = bounds::prove(contract, cache->proofs);
  std::optional<plan::Plan> policy = proof ? searchedPolicy(contract) : std::nullopt;
  lint::lint({sources, contract, context.sink,
              defined && isSectionKnown(document, "observability", context.sink),
              defined && isSectionKnown(document, "escalation", context.sink),
              proof ? &*proof : nullptr, &cache->proofs,
              policy ? &cache->policies.of(std::move(*policy)) : nullptr});
  nameHeir(document, before, context.sink);
  if (proof)
    countVerdicts(*proof, out.decided);
  if (proof && !countsVerdictsOnly)
    for (diag::ClaimVerdict& verdict : verdictsOf(out.file, contract, *proof))
      out.verdicts.push_back(std::move(verdict));
  out.contracts.push_back(std::move(contract));
  out.proofs.push_back(std::move(proof));
}

/// A parent's own suppressions hold for its text in each contract that extends it. Their faults are
/// reported when the parent itself is checked.
void Checker::Impl::applyParentsSuppressions(CheckedFile& file) {
  for (const auto& tree : file.parents) {
    auto known = parentsSuppressions.find(tree->file);
    if (known == parentsSuppressions.end()) {
      diag::Sink unheard(limits);
      known = parentsSuppressions.emplace(tree->file, Suppressions(sources, *tree, unheard)).first;
    }
    known->second.apply(file.diagnostics);
  }
}

void Checker::Impl::applySeverities(std::vector<diag::Diagnostic>& diagnostics) const {
  for (diag::Diagnostic& diagnostic : diagnostics)
    if (isSettable(diagnostic))
      diagnostic.severity = settings.severityOf(diagnostic.code, diagnostic.severity);
  std::erase_if(diagnostics, [](const diag::Diagnostic& diagnostic) {
    return diagnostic.severity == diag::Severity::Off;
  });
}

/// The baseline was read among the settings, whose sources may be others.
void Checker::Impl::applyBaseline(CheckedFile& file) {
  const project::Baseline& baseline = *settings.baseline;
  RecordedFindings findings(sources, baseline, file);
  findings.passOver();
  auto text = [&] {
    if (baselineText == FileId::None)
      baselineText = sources.add(baseline.name, baseline.path, baseline.text);
    return baselineText;
  };
  diag::Sink sink(limits);
  findings.reportStale(text, sink);
  std::vector<diag::Diagnostic> stale = sink.take();
  applySeverities(stale);
  for (diag::Diagnostic& each : stale)
    file.diagnostics.push_back(std::move(each));
}

FormattedFile Checker::format(FileId file) {
  Span all{file, 0, static_cast<std::uint32_t>(impl_->sources.get(file).text.size())};
  return format(file, all);
}

FormattedFile Checker::format(FileId file, const Span& range) {
  FormattedFile out;
  diag::Sink sink(impl_->limits);
  yaml::Tree tree = yaml::readYaml(impl_->sources, file, impl_->limits, sink);
  if (sink.hasErrors()) {
    out.diagnostics = sink.take();
    return out;
  }
  auto edits = expr::format(impl_->sources, tree, impl_->limits, impl_->expressions);
  if (!edits)
    return out;
  Span entries = entriesOf(impl_->sources.get(file), tree, range);
  for (const Span& part : {range, entries}) {
    std::vector<Edit> within;
    std::copy_if(edits->begin(), edits->end(), std::back_inserter(within),
                 [&](const Edit& edit) { return part.contains(edit.span); });
    EditSet set;
    if (!set.add(within))
      return out;
    if (within.empty() || impl_->isHarmless(*this, tree, set)) {
      out.edits = std::move(within);
      return out;
    }
    if (range.contains(entries))
      return out;
  }
  return out;
}

/// Whether the edited file says what it said.
bool Checker::Impl::isHarmless(Checker& checker, const yaml::Tree& tree, const EditSet& edits) {
  const Source& source = sources.get(tree.file);
  FileId edited = sources.add(source.name, source.path, edits.apply(tree.file, source.text));
  diag::Sink sink(limits);
  yaml::Tree after = yaml::readYaml(sources, edited, limits, sink);
  if (sink.hasErrors() || !expr::differInBlanksAlone(sources, tree, after))
    return false;
  // Of a contract with errors only their codes are compared: messages quote blanks, too.
  auto meaning = [&](FileId file) {
    CheckedFile checked = checker.check(file);
    std::string errors, models;
    for (const diag::Diagnostic& finding : checked.diagnostics)
      if (finding.severity == diag::Severity::Error)
        errors += diag::info(finding.code).id;
    for (const model::Contract& contract : checked.contracts)
      models += model::print(contract) + "---\n";
    return errors.empty() ? models : errors;
  };
  return meaning(tree.file) == meaning(edited);
}

std::string Checker::dumpTree(FileId file) {
  diag::Sink sink(impl_->limits);
  yaml::Tree tree = yaml::readYaml(impl_->sources, file, impl_->limits, sink);
  return yaml::dumpTree(impl_->sources, tree);
}

std::optional<plan::Plan> searchedPolicy(const model::Contract& contract) {
  std::size_t size =
      (contract.clauses.size() + 1) * (contract.slices.size() + 1) * contract.rules.size();
  // Of rules without a clause nobody would say that they never act.
  bool isJudged = std::any_of(contract.clauses.begin(), contract.clauses.end(),
                              [](const model::Clause& clause) { return !clause.directive; });
  bool isSearched = isJudged && size > 0 && size <= efforts.policySize &&
                    contract.clauses.size() <= efforts.policyClauses;
  return isSearched ? std::optional(lower::policyOf(contract)) : std::nullopt;
}

std::vector<plan::Plan> plansOf(const CheckedFile& file) {
  std::vector<plan::Plan> out;
  const bounds::Proof nothing;
  for (std::size_t i = 0; i < file.contracts.size(); ++i)
    if (!file.contracts[i].isAbstract) {
      const bool isProved = i < file.proofs.size() && file.proofs[i];
      out.push_back(lower::lower(file.contracts[i], isProved ? *file.proofs[i] : nothing));
    }
  return out;
}

} // namespace tikc::pipeline
