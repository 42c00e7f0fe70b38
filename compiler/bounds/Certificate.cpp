#include "bounds/Certificate.h"

#include <fmt/format.h>
#include <llvm/ADT/StringExtras.h>
#include <llvm/Support/JSON.h>
#include <llvm/Support/SHA256.h>
#include <llvm/Support/raw_ostream.h>

#include <algorithm>
#include <map>

namespace tikc::bounds {
namespace {

llvm::StringRef jsonText(std::string_view text) { return {text.data(), text.size()}; }

std::string digest(std::string_view text) {
  auto hash = llvm::SHA256::hash(llvm::arrayRefFromStringRef(jsonText(text)));
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

class Writer {
public:
  Writer(const SourceManager& sources, const model::Contract& contract, const Proof& proof,
         llvm::json::OStream& json)
      : sources_(sources), contract_(contract), proof_(proof), json_(json) {}

  void write() {
    number();
    json_.object([&] {
      json_.attribute("certificate", "tikc-1");
      json_.attribute("lemmas", tableDigest());
      json_.attribute("contract", jsonText(contract_.name.value));
      if (contract_.version)
        json_.attribute("version", jsonText(contract_.version->value));
      else
        json_.attribute("version", nullptr);
      build();
      json_.attribute("precision", precision_);
      files();
      slices();
      json_.attributeArray("inputs", [&] {
        for (const Numbered& each : facts_)
          if (factOf(each).origin)
            input(each);
      });
      json_.attributeArray("steps", [&] {
        for (const Numbered& each : facts_)
          if (!factOf(each).origin)
            step(each);
      });
      json_.attributeArray("claims", [&] {
        for (const Proof::Entry& entry : proof_.entries)
          claim(entry);
      });
    });
  }

private:
  struct Numbered {
    std::size_t problem;
    FactId fact;
  };

  const Fact& factOf(const Numbered& each) const {
    return proof_.problems[each.problem].facts[each.fact];
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
        for (const auto* list : {&fact.premises, &fact.under})
          for (FactId id : *list)
            needed[static_cast<std::size_t>(id)] = true;
      }
      for (std::size_t i = 0; i < facts.size(); ++i)
        if (needed[i]) {
          ids_[{problem, static_cast<FactId>(i)}] = facts_.size();
          facts_.push_back({problem, static_cast<FactId>(i)});
          precision_ = std::max(precision_, proof_.problems[problem].bits);
          if (const auto& origin = facts[static_cast<FactId>(i)].origin;
              origin && origin->span.valid())
            fileOf(origin->span.file);
        }
    }
    for (const model::Claim& claim : contract_.claims)
      fileOf(claim.span.file);
  }

  std::size_t fileOf(FileId file) {
    auto known = std::find(files_.begin(), files_.end(), file);
    if (known == files_.end())
      known = files_.insert(known, file);
    return static_cast<std::size_t>(known - files_.begin());
  }

  void build() {
    json_.attributeObject("build", [&] {
      for (const model::Kernel& kernel : contract_.kernels)
        if (kernel.build)
          json_.attribute(kernel.name.text, jsonText(kernel.build->value));
      if (contract_.policy.digest)
        json_.attribute("digest", jsonText(contract_.policy.digest->value));
    });
  }

  void files() {
    json_.attributeArray("files", [&] {
      for (FileId file : files_)
        json_.object([&] {
          json_.attribute("name", jsonText(sources_.get(file).name));
          json_.attribute("sha256", digest(sources_.get(file).text));
        });
    });
  }

  /// Which slices there are, and what share each has.
  void slices() {
    json_.attributeArray("slices", [&] {
      for (const model::Slice& slice : contract_.slices)
        json_.object([&] {
          json_.attribute("name", jsonText(slice.name.text));
          quote(slice.span);
        });
    });
  }

  /// The bytes from the key to the end of its value.
  Span quoteOf(const Origin& origin) const {
    if (origin.kind == Origin::Kind::Clause)
      for (const model::Clause& clause : contract_.clauses)
        if (clause.id.text == origin.name && clause.span.contains(origin.span))
          return clause.span;
    return withKey(origin.name, origin.span);
  }

  /// A value stands after its key and a colon, on the same line or below it.
  Span withKey(std::string_view name, const Span& value) const {
    std::string_view before =
        std::string_view(sources_.get(value.file).text).substr(0, value.begin);
    auto key = before.rfind(name);
    return key == std::string_view::npos
               ? value
               : Span{value.file, static_cast<std::uint32_t>(key), value.end};
  }

  /// Which kind of estimator it is takes three texts: these are the other two.
  void estimatorTexts() {
    const model::Assumptions& given = contract_.assumptions;
    auto text = [&](std::string_view key, const Span& value) {
      json_.object([&] { quote(withKey(key, value)); });
    };
    json_.attributeArray("with", [&] {
      if (given.correction)
        text("correction", given.correction->expr.span);
      if (given.group)
        text("group", given.group->span);
    });
  }

  void quote(const Span& span) {
    json_.attribute("file", static_cast<std::int64_t>(fileOf(span.file)));
    json_.attributeArray("bytes", [&] {
      json_.value(span.begin);
      json_.value(span.end);
    });
    json_.attribute("text", llvm::json::fixUTF8(jsonText(sources_.text(span))));
  }

  void fact(const Key& key, const Place& place, const Problem& problem) {
    json_.attributeObject("fact", [&] {
      json_.attribute("quantity", jsonText(info(key.quantity).symbol));
      json_.attribute("quantifier", jsonText(quantifierName(key.quantifier)));
      if (key.quantifier == Quantifier::Quantile)
        json_.attribute("share", key.share.get_str());
      json_.attribute("scope", place.slice < problem.slices.size()
                                   ? jsonText(problem.slices[place.slice].name)
                                   : jsonText(""));
      json_.attribute("link",
                      place.link < problem.links.size()
                          ? problem.links[place.link].from + ">" + problem.links[place.link].to
                          : std::string());
    });
  }

  void input(const Numbered& each) {
    static constexpr std::string_view kinds[] = {"clause", "assumption", "fact", "default"};
    const Fact& given = factOf(each);
    json_.object([&] {
      json_.attribute("id", static_cast<std::int64_t>(ids_.at({each.problem, each.fact})));
      if (given.origin->span.valid())
        quote(quoteOf(*given.origin));
      if (given.origin->name == "estimator")
        estimatorTexts();
      fact(given.key, given.place, proof_.problems[each.problem]);
      json_.attribute("value", given.bound.get_str());
      json_.attribute("kind", jsonText(kinds[static_cast<std::size_t>(given.origin->kind)]));
    });
  }

  void references(llvm::StringRef name, std::size_t problem, const std::vector<FactId>& list) {
    json_.attributeArray(name, [&] {
      for (FactId id : list)
        json_.value(static_cast<std::int64_t>(ids_.at({problem, id})));
    });
  }

  void step(const Numbered& each) {
    const Fact& derived = factOf(each);
    bool upper = info(derived.key.quantity).side == QuantityInfo::Side::Upper;
    json_.object([&] {
      json_.attribute("id", static_cast<std::int64_t>(ids_.at({each.problem, each.fact})));
      json_.attribute("lemma", jsonText(derived.lemma->id));
      references("args", each.problem, derived.premises);
      json_.attributeArray("params", [&] {
        if (derived.curve)
          json_.value(jsonText(derived.curve->id));
        for (const Rational& parameter : derived.parameters)
          json_.value(parameter.get_str());
      });
      references("under", each.problem, derived.under);
      fact(derived.key, derived.place, proof_.problems[each.problem]);
      json_.attributeArray("out", [&] {
        json_.value((upper ? derived.otherEnd : derived.bound).get_str());
        json_.value((upper ? derived.bound : derived.otherEnd).get_str());
      });
    });
  }

  void claim(const Proof::Entry& entry) {
    const Decision& decision = entry.decision;
    const model::Claim& claim = contract_.claims[decision.goal.claim];
    const Problem& problem = proof_.problems[entry.problem];
    json_.object([&] {
      json_.attribute("id", jsonText(claim.id.text));
      quote(claim.span);
      json_.attribute("scope", jsonText(problem.slices[decision.goal.place.slice].name));
      if (decision.goal.key)
        fact(*decision.goal.key, decision.goal.place, problem);
      json_.attribute("op", decision.goal.lower ? (decision.goal.strict ? ">" : ">=")
                                                : (decision.goal.strict ? "<" : "<="));
      json_.attribute("budget", decision.goal.budget.get_str());
      json_.attribute("verdict", jsonText(verdictName(decision.verdict)));
      if (decision.verdict == Verdict::Proved)
        json_.attribute("step",
                        static_cast<std::int64_t>(ids_.at({entry.problem, *decision.fact})));
    });
  }

  const SourceManager& sources_;
  const model::Contract& contract_;
  const Proof& proof_;
  llvm::json::OStream& json_;
  std::vector<Numbered> facts_;
  std::map<std::pair<std::size_t, FactId>, std::size_t> ids_;
  std::vector<FileId> files_;
  unsigned precision_ = firstPrecision;
};

} // namespace

std::string certificate(const SourceManager& sources, const model::Contract& contract,
                        const Proof& proof) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  llvm::json::OStream json(stream, 2);
  Writer(sources, contract, proof, json).write();
  json.flush();
  stream << '\n';
  return stream.str();
}

} // namespace tikc::bounds
