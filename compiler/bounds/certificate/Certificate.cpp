#include "bounds/certificate/Certificate.h"

#include "support/Json.h"
#include "support/StringRef.h"

#include <fmt/format.h>
#include <llvm/ADT/StringExtras.h>
#include <llvm/Support/SHA256.h>

#include <algorithm>
#include <map>

namespace tikc::bounds {
namespace {

std::string digest(std::string_view text) {
  auto hash = llvm::SHA256::hash(llvm::arrayRefFromStringRef(asRef(text)));
  return llvm::toHex(hash, /*LowerCase=*/true);
}

/// Changes whenever a lemma does, so that a certificate says which table it was made with.
std::string tableDigest() {
  std::string text;
  for (const Lemma* lemma : allLemmas())
    text.append(lemma->id).append("\n").append(lemma->formula).append("\n");
  return digest(text);
}

std::string_view quantifierName(Quantifier quantifier) {
  static constexpr std::string_view names[] = {"given", "sup", "mean", "quantile"};
  return names[static_cast<std::size_t>(quantifier)];
}

/// A rational, or the logarithm of one: "1/2 log 3".
std::string textOf(const Rational& bound, const Logarithm* exactly) {
  return exactly == nullptr ? bound.get_str()
                            : exactly->factor.get_str() + " log " + exactly->of.get_str();
}

class CertificateWriter {
public:
  CertificateWriter(const SourceManager& sources, const model::Contract& contract,
                    const Proof& proof, llvm::json::OStream& json)
      : sources_(sources), contract_(contract), proof_(proof), json_(json) {}

  void write() {
    number();
    json_.object([&] {
      json_.attribute("certificate", "tikc-3");
      json_.attribute("lemmas", tableDigest());
      json_.attribute("contract", asRef(contract_.name.value));
      if (contract_.version)
        json_.attribute("version", asRef(contract_.version->value));
      else
        json_.attribute("version", nullptr);
      build();
      json_.attribute("precision", precision_);
      files();
      json_.attributeArray("inputs", [&] {
        for (const FactRef& each : facts_)
          if (originOf(each) != nullptr)
            input(each);
      });
      json_.attributeArray("steps", [&] {
        for (const FactRef& each : facts_)
          if (originOf(each) == nullptr)
            step(each);
      });
      json_.attributeArray("claims", [&] {
        for (const Proof::Entry& entry : proof_.entries)
          claim(entry);
      });
    });
  }

private:
  struct FactRef {
    std::size_t problem;
    FactId fact;
  };

  const Fact& factOf(const FactRef& each) const {
    return proof_.problems[each.problem].facts[each.fact];
  }

  /// The text that a fact is read from. The drift of a network is, for its layers stand in one
  /// text.
  static const Origin* originOf(const Derivation& facts, const Fact& fact) {
    if (fact.lemma == &lemmas::netLip)
      return originOf(facts, facts[fact.premises.front()]);
    return fact.origin ? &*fact.origin : nullptr;
  }
  const Origin* originOf(const FactRef& each) const {
    return originOf(proof_.problems[each.problem].facts, factOf(each));
  }

  /// Numbers, from 0, the facts that some proved claim rests on; a premise before what rests on it.
  void number() {
    for (std::size_t problem = 0; problem < proof_.problems.size(); ++problem) {
      const Derivation& facts = proof_.problems[problem].facts;
      std::vector<bool> needed(facts.size(), false);
      for (const Proof::Entry& entry : proof_.entries)
        if (entry.problem == problem && entry.decision.verdict == Verdict::Proved)
          needed[static_cast<std::size_t>(*entry.decision.fact)] = true;
      for (std::size_t i = facts.size(); i-- > 0;) {
        if (!needed[i])
          continue;
        const Fact& fact = facts[static_cast<FactId>(i)];
        if (originOf(facts, fact) == nullptr)
          for (FactId id : fact.premises)
            needed[static_cast<std::size_t>(id)] = true;
        for (FactId id : fact.under)
          needed[static_cast<std::size_t>(id)] = true;
      }
      for (std::size_t i = 0; i < facts.size(); ++i)
        if (needed[i]) {
          ids_[{problem, static_cast<FactId>(i)}] = facts_.size();
          facts_.push_back({problem, static_cast<FactId>(i)});
          precision_ = std::max(precision_, proof_.problems[problem].bits);
        }
    }
  }

  /// A file that was read again, as somebody's parent, is the same.
  bool isSame(FileId a, FileId b) const {
    const auto &path = sources_.get(a).path, &other = sources_.get(b).path;
    return a == b || (!path.empty() && path == other);
  }

  std::size_t fileOf(FileId file) const {
    auto known =
        std::find_if(files_.begin(), files_.end(), [&](FileId each) { return isSame(each, file); });
    return static_cast<std::size_t>(known - files_.begin());
  }

  void build() {
    json_.attributeObject("build", [&] {
      for (const model::Kernel& kernel : contract_.kernels)
        if (kernel.build)
          json_.attribute(kernel.name.text, asRef(kernel.build->value));
      if (contract_.policy.digest)
        json_.attribute("digest", asRef(contract_.policy.digest->value));
    });
  }

  /// The contract's, then those of what it extends.
  void files() {
    for (FileId file : contract_.files)
      if (fileOf(file) == files_.size())
        files_.push_back(file);
    json_.attributeArray("files", [&] {
      for (FileId file : files_)
        json_.object([&] {
          json_.attribute("name", asRef(sources_.get(file).name));
          jsonText(json_, "text", sources_.get(file).text);
        });
    });
  }

  /// The key that the text stands under, as a span of that file which begins there.
  Span quoteOf(const Origin& origin) const {
    if (origin.stated)
      return origin.stated->clauseOf(contract_).span;
    if (origin.name == "weight" || origin.name == "token_weight")
      for (const model::Slice& slice : contract_.slices)
        if (slice.span.contains(origin.span))
          return slice.span;
    return withKey(origin.name, origin.span);
  }

  /// A value stands after its key.
  Span withKey(std::string_view name, const Span& value) const {
    std::string_view text = sources_.get(value.file).text;
    auto key = text.substr(0, value.begin).rfind(name);
    if (key == std::string_view::npos)
      return value;
    return Span{value.file, static_cast<std::uint32_t>(key), value.end};
  }

  /// An entry of a file, by the byte at which its key begins.
  void quote(const Span& span) {
    json_.attribute("file", static_cast<std::int64_t>(fileOf(span.file)));
    json_.attribute("from", span.begin);
  }

  /// A share is one of tokens or of requests, as its text says.
  void fact(const Key& key, const Place& place, const Problem& problem,
            const Origin* origin = nullptr) {
    json_.attributeObject("fact", [&] {
      bool isShare = key.quantity == Quantity::Share && origin != nullptr;
      json_.attribute("quantity", isShare ? asRef(origin->name) : asRef(info(key.quantity).symbol));
      json_.attribute("quantifier", asRef(quantifierName(key.quantifier)));
      if (key.quantifier == Quantifier::Quantile)
        json_.attribute("share", key.share.get_str());
      json_.attribute("scope", place.slice < problem.slices.size()
                                   ? asRef(problem.slices[place.slice].name)
                                   : asRef(""));
      json_.attribute("link",
                      place.link < problem.links.size()
                          ? problem.links[place.link].from + ">" + problem.links[place.link].to
                          : std::string());
      if (place.about < problem.abouts.size())
        laws(problem.abouts[place.about], problem);
    });
  }

  /// Whose laws the fact compares, and who drew. What is kept is of the served law, but where
  /// another one is named.
  void laws(const About& about, const Problem& problem) {
    bool isServed = about.first == model::Law::Served;
    std::string first(about.isKept && isServed ? "" : model::lawName(about.first));
    json_.attribute("laws", fmt::format("{}{}{} {}", about.isKept ? "kept" : "",
                                        about.isKept && !isServed ? "-" : "", first,
                                        model::lawName(about.second)));
    json_.attribute("drawn", about.drawer < problem.kernels.size()
                                 ? asRef(problem.kernels[about.drawer])
                                 : asRef("text"));
  }

  void input(const FactRef& each) {
    const Fact& premise = factOf(each);
    const Origin& origin = *originOf(each);
    json_.object([&] {
      json_.attribute("id", static_cast<std::int64_t>(ids_.at({each.problem, each.fact})));
      if (origin.span.valid())
        quote(quoteOf(origin));
      fact(premise.key, premise.place, proof_.problems[each.problem], &origin);
      json_.attribute("value", textOf(premise.bound, premise.logarithm()));
    });
  }

  /// Premises, and what must stand beside them.
  void references(std::size_t problem, const Fact& derived) {
    json_.attributeArray("args", [&] {
      for (const auto* list : {&derived.premises, &derived.under})
        for (FactId id : *list)
          json_.value(static_cast<std::int64_t>(ids_.at({problem, id})));
    });
  }

  /// A mean that goes through a concave curve is an argument of the curve's own lemma. The share
  /// that a conclusion is asked for stands in its fact.
  void step(const FactRef& each) {
    const Fact& derived = factOf(each);
    bool isMeanOnCurve = derived.lemma == &lemmas::mJensen;
    auto uses = (isMeanOnCurve ? derived.curve : derived.lemma)->uses();
    bool isAsked = std::any_of(uses.begin(), uses.end(), [](const Use& use) {
      return std::any_of(use.premises.begin(), use.premises.end(), [](const Premise& premise) {
        return premise.need == Premise::Need::Asked;
      });
    });
    json_.object([&] {
      json_.attribute("id", static_cast<std::int64_t>(ids_.at({each.problem, each.fact})));
      json_.attribute("lemma", asRef((isMeanOnCurve ? derived.curve : derived.lemma)->id));
      bool isCarried = derived.curve != nullptr && !isMeanOnCurve;
      json_.attribute("curve", isCarried ? asRef(derived.curve->id) : asRef(""));
      references(each.problem, derived);
      json_.attributeArray("params", [&] {
        for (const Rational& parameter : derived.parameters)
          if (!isAsked)
            json_.value(parameter.get_str());
      });
      fact(derived.key, derived.place, proof_.problems[each.problem]);
      json_.attribute("bound", textOf(derived.bound, derived.logarithm()));
    });
  }

  void claim(const Proof::Entry& entry) {
    const Decision& decision = entry.decision;
    const model::Claim& claim = contract_.claims[decision.goal.claim];
    const Problem& problem = proof_.problems[entry.problem];
    json_.object([&] {
      json_.attribute("id", asRef(claim.id.text));
      quote(claim.span);
      json_.attribute("scope", asRef(problem.slices[decision.goal.place.slice].name));
      if (decision.goal.key)
        fact(*decision.goal.key, decision.goal.place, problem);
      json_.attribute("op", decision.goal.lower ? (decision.goal.strict ? ">" : ">=")
                                                : (decision.goal.strict ? "<" : "<="));
      const auto& exactly = decision.goal.exactly;
      json_.attribute("budget", textOf(decision.goal.budget, exactly ? &exactly->value : nullptr));
      json_.attribute("verdict", asRef(verdictName(decision.verdict)));
      if (decision.verdict == Verdict::Proved)
        json_.attribute("step",
                        static_cast<std::int64_t>(ids_.at({entry.problem, *decision.fact})));
    });
  }

  const SourceManager& sources_;
  const model::Contract& contract_;
  const Proof& proof_;
  llvm::json::OStream& json_;
  std::vector<FactRef> facts_;
  std::map<std::pair<std::size_t, FactId>, std::size_t> ids_;
  std::vector<FileId> files_;
  unsigned precision_ = firstPrecision;
};

} // namespace

std::string certificate(const SourceManager& sources, const model::Contract& contract,
                        const Proof& proof) {
  return writeJson([&](llvm::json::OStream& json) {
    CertificateWriter(sources, contract, proof, json).write();
  });
}

} // namespace tikc::bounds
