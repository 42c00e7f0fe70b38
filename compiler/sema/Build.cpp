#include "sema/Build.h"

#include "model/Members.h"
#include "sema/BoundAdvice.h"
#include "sema/MapReader.h"
#include "support/Check.h"

#include <algorithm>
#include <array>

namespace tikc::sema {

using namespace model;
using utf8::ticked;
using yaml::Entry;
using yaml::Node;

namespace {

Name nameOf(const Entry& entry) { return {entry.key->value, entry.key->span}; }

/// Reads a value into the member that has its key, by the member's type.
class MemberReader {
public:
  explicit MemberReader(const MapReader& from) : from_(from) {}

  void operator()(std::string_view key, std::optional<Text>& out) const { out = from_.text(key); }
  void operator()(std::string_view key, std::optional<Number>& out) const {
    out = from_.number(key);
  }
  void operator()(std::string_view key, std::optional<Located<bool>>& out) const {
    out = from_.flag(key);
  }
  void operator()(std::string_view key, std::optional<Amount>& out) const {
    out = from_.quantity(key);
  }
  void operator()(std::string_view key, std::optional<Range>& out) const { out = from_.range(key); }
  void operator()(std::string_view key, std::optional<Support>& out) const;
  void operator()(std::string_view key, std::optional<Staleness>& out) const;
  void operator()(std::string_view key, std::vector<Layer>& out) const;
  void operator()(std::string_view key, std::optional<Call>& out) const {
    if (auto calls = from_.calls(key, CallPlace::Correction); !calls.empty())
      out = std::move(calls.front());
  }
  void operator()(std::string_view key, std::optional<Located<GradientEstimator>>& out) const {
    out = word(key, estimatorName,
               {GradientEstimator::Step, GradientEstimator::Token,
                GradientEstimator::TokenMonteCarlo, GradientEstimator::Sequence});
  }
  void operator()(std::string_view key, std::optional<Located<Loss>>& out) const {
    out = word(key, lossName, {Loss::TokenSum, Loss::TokenMean, Loss::BatchMean});
  }

  template <typename T>
  std::optional<Located<T>> word(std::string_view key, std::string_view (*nameOf)(T),
                                 std::initializer_list<T> values) const {
    if (auto text = from_.text(key))
      for (T value : values)
        if (nameOf(value) == text->value)
          return Located<T>{value, text->span};
    return std::nullopt;
  }

private:
  const MapReader& from_;
};

void MemberReader::operator()(std::string_view key, std::optional<Support>& out) const {
  const Node* node = from_.get(key);
  if (!node)
    return;
  if (node->kind == Node::Kind::Scalar) {
    out = Support{SupportKind::Full, 0, node->span};
    return;
  }
  MapReader in = from_.in(*node);
  if (auto mass = in.share("missing_mass"))
    out = Support{SupportKind::MissingMass, mass->value, mass->span};
  else if (auto nucleus = in.share("top_p"))
    out = Support{SupportKind::TopP, nucleus->value, nucleus->span};
}

void MemberReader::operator()(std::string_view key, std::optional<Staleness>& out) const {
  const Node* node = from_.get(key);
  if (!node)
    return;
  MapReader in = from_.in(*node);
  auto steps = in.number("steps"), drift = in.number("logit_osc");
  if (steps && drift)
    out = Staleness{*steps, *drift, node->span};
}

void MemberReader::operator()(std::string_view key, std::vector<Layer>& out) const {
  if (const Node* layers = from_.get(key))
    for (const auto& item : layers->items) {
      MapReader in = from_.in(*item);
      auto error = item->invalid ? std::nullopt : in.number("error");
      if (error)
        out.push_back(
            {in.text("name"), *error, in.number("gain"), in.number("repeat"), item->span});
    }
}

template <typename Map> void readMembers(const MapReader& reader, Map& out) {
  forEachMember(out, MemberReader(reader));
}

Kernel buildKernel(const MapReader& reader, const Entry& entry) {
  Kernel kernel;
  kernel.name = nameOf(entry);
  kernel.span = entry.span;
  readMembers(reader, kernel);
  if (const Node* flags = reader.get("flags"))
    for (const Entry& flag : flags->entries)
      if (!flag.value->invalid)
        kernel.flags.push_back({nameOf(flag), Text{flag.value->value, flag.value->span},
                                flag.value->type == yaml::ScalarType::String});
  if (const Node* node = reader.get("parallel"))
    readMembers(reader.in(*node), kernel.parallel);
  if (const Node* node = reader.get("sampling")) {
    MapReader in = reader.in(*node);
    forEachMember(kernel.sampling, [&](std::string_view key, std::optional<Number>& out) {
      out = in.share(key); // also of the temperature and top_k, which have no other unit
    });
  }
  return kernel;
}

Located<Severity> buildSeverity(const MapReader& reader) {
  return MemberReader(reader)
      .word("severity", severityName, {Severity::Error, Severity::Warning, Severity::Note})
      .value_or(Located<Severity>{});
}

/// A quantity beside `require` stands for the same words inside it, for each comparison that does
/// not say its own.
void spread(const std::optional<Amount>& value, Requirement& requirement,
            std::optional<Amount> Comparison::*member) {
  if (!value)
    return;
  for (Comparison& comparison : requirement.comparisons)
    if (!(comparison.*member))
      comparison.*member = value;
}

/// What `coherent` is about cannot be said otherwise, so that a key that would is none of its own.
void refuseScope(FileContext& context, const Node& directive) {
  for (const Entry& entry : directive.entries)
    for (std::string_view key : {"slices", "over", "confidence", "link", "drawn"})
      if (entry.key->value == key)
        context.sink.report<diag::UnknownKey>(entry.key->span, ticked(key), "a clause of coherence")
            .note("`coherent` always uses each slice, the stage's window and the server's draws; "
                  "its confidence is its second argument");
}

void buildStatement(const MapReader& parent, const Entry& entry, bool directive, Statement& out,
                    std::optional<Call>& call) {
  const Node& node = *entry.value;
  FileContext& context = parent.context();
  out.id = nameOf(entry);
  out.span = entry.span;
  if (node.invalid)
    return;
  const Node* text = &node;
  MapReader reader = parent.in(node);
  if (node.kind == Node::Kind::Mapping)
    text = reader.get("require");
  if (text && directive) {
    if (auto expr = reader.call(*text, model::CallPlace::Directive))
      call = Call{CallId{}, std::move(*expr)};
    if (call && call->expr.text == "coherent" && node.kind == Node::Kind::Mapping)
      refuseScope(context, node);
  } else if (text) {
    std::size_t before = context.sink.size();
    if (auto requirement = context.expressions.requirement(*text, context.sink))
      out.written = std::move(*requirement);
    else
      adviseOnRequirement(context, *text, before);
  }
  if (node.kind != Node::Kind::Mapping)
    return;
  out.severity = buildSeverity(reader);
  out.because = reader.text("because");
  spread(reader.quantity("over"), out.written, &Comparison::over);
  spread(reader.quantity("confidence"), out.written, &Comparison::confidence);
  if (const Node* slices = reader.get("slices"))
    for (Comparison& comparison : out.written.comparisons)
      if (!comparison.scope.span.valid())
        comparison.scope = {Scope::Kind::Named, reader.names("slices"), slices->span};
  const Node* link = reader.get("link");
  auto ends = reader.names("link");
  if (link && ends.size() != 2)
    context.sink.report<diag::LinkNeedsTwo>(link->span, ends.size());
  // With more than two, the outer ones stand in: that a link is missing would be another fault.
  if (ends.size() >= 2)
    out.link = Link{ends.front(), ends.back(), link->span};
  out.drawn = reader.name("drawn");
}

Rule buildRule(const MapReader& reader, const Entry& entry) {
  FileContext& context = reader.context();
  Rule rule;
  rule.id = nameOf(entry);
  rule.span = entry.span;
  if (const Node* when = reader.get("when"))
    rule.when = context.expressions.trigger(*when, context.sink);
  if (const Node* until = reader.get("until"))
    rule.until = context.expressions.trigger(*until, context.sink);
  rule.actions = reader.calls("do", model::CallPlace::Action);
  rule.slices = reader.names("slices");
  rule.because = reader.text("because");
  if (const Node* steps = reader.get("steps"))
    for (const auto& item : steps->items) {
      MapReader in = reader.in(*item);
      auto lasts = item->invalid ? std::nullopt : in.quantity("for");
      if (lasts)
        rule.steps.push_back({*lasts, in.calls("do", model::CallPlace::Action)});
    }
  return rule;
}

Stage buildStage(const MapReader& reader, const Entry& entry, StageKind kind) {
  Stage stage;
  stage.kind = kind;
  stage.span = entry.span;
  readMembers(reader, stage);
  stage.because = reader.text("because");
  return stage;
}

void buildFacts(const MapReader& top, Contract& out) {
  top.forEachName("labels", [&](const Entry& entry) {
    Label label{nameOf(entry), {}};
    for (const auto& item : entry.value->items)
      if (!item->invalid)
        label.values.push_back({item->value, item->span});
    out.labels.push_back(std::move(label));
  });
  top.forEachName("kernels", [&](const Entry& entry) {
    out.kernels.push_back(buildKernel(top.in(*entry.value), entry));
  });
  if (const Node* pair = top.get("pair")) {
    MapReader in = top.in(*pair);
    for (std::string_view key : {"train", "infer"})
      if (auto name = in.name(key))
        out.chain.push_back(*name);
  } else if (top.get("chain")) {
    out.isPair = false;
    out.chain = top.names("chain");
  }
  if (const Node* node = top.get("model"))
    readMembers(top.in(*node), out.policy);
  if (const Node* node = top.get("load"))
    readMembers(top.in(*node), out.load);
  if (const Node* node = top.get("assumptions"))
    readMembers(top.in(*node), out.assumptions);
  top.forEachName("slices", [&](const Entry& entry) {
    MapReader in = top.in(*entry.value);
    Slice slice;
    slice.name = nameOf(entry);
    slice.span = entry.span;
    slice.summary = in.text("summary");
    readMembers(in, slice);
    const Node* when =
        entry.value->kind == Node::Kind::Mapping ? in.get("when") : entry.value.get();
    if (when && !when->invalid)
      slice.when = top.context().expressions.predicate(*when, top.context().sink);
    out.slices.push_back(std::move(slice));
  });
}

void buildStatements(const MapReader& top, Contract& out) {
  // Growing would copy every exact number.
  std::size_t clauses = 0;
  for (Family family :
       {Family::Numerical, Family::Statistical, Family::Runtime, Family::Observability})
    clauses += top.count(familyName(family));
  out.clauses.reserve(clauses);
  out.claims.reserve(top.count("claims"));
  for (Family family :
       {Family::Numerical, Family::Statistical, Family::Runtime, Family::Observability})
    top.forEachName(familyName(family), [&](const Entry& entry) {
      Clause clause;
      clause.family = family;
      buildStatement(top, entry, family == Family::Observability, clause, clause.directive);
      out.clauses.push_back(std::move(clause));
    });
  top.forEach("claims", [&](const Entry& entry) {
    Claim claim;
    std::optional<Call> none;
    buildStatement(top, entry, false, claim, none);
    out.claims.push_back(std::move(claim));
  });
}

void buildPolicy(const MapReader& top, Contract& out) {
  top.forEach("escalation", [&](const Entry& entry) {
    out.rules.push_back(buildRule(top.in(*entry.value), entry));
  });
  top.forEach("promotion", [&](const Entry& entry) {
    for (StageKind kind :
         {StageKind::Offline, StageKind::Shadow, StageKind::Canary, StageKind::Full})
      if (stageName(kind) == entry.key->value)
        out.stages.push_back(buildStage(top.in(*entry.value), entry, kind));
  });
}

} // namespace

Contract buildContract(FileContext& context, const yaml::YamlDocument& document) {
  Contract out;
  const Node& root = *document.root;
  MapReader top(context, root);
  out.span = root.span;
  out.files = {document.span.file};
  out.files.insert(out.files.end(), document.ancestors.begin(), document.ancestors.end());
  if (auto name = top.text("contract"))
    out.name = *name;
  out.version = top.text("version");
  out.summary = top.text("summary");
  if (const Node* owners = top.get("owners"))
    for (const auto& item : owners->items)
      if (!item->invalid)
        out.owners.push_back({item->value, item->span});
  if (auto draft = top.flag("draft"); draft && draft->value) {
    const Entry* entry = root.findEntry("draft");
    TIKC_CHECK(entry, "a key that is read has its entry");
    out.draft = entry->span;
  }
  if (auto isAbstract = top.flag("abstract"))
    out.isAbstract = isAbstract->value;
  buildFacts(top, out);
  buildStatements(top, out);
  buildPolicy(top, out);
  return out;
}

} // namespace tikc::sema
