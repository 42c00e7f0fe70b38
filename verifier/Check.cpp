#include "verifier/Check.h"

#include "verifier/Rules.h"

#include <algorithm>
#include <functional>
#include <map>

namespace verify {
namespace {

constexpr std::string_view limits =
    "Not checked: which of several contracts in one file each text belongs to, and that no "
    "contract\n"
    "which extends it replaces it; that the list of slices is complete; that no kernel has a "
    "setting\n"
    "of its own where none is quoted, and that no `group` is declared where none is quoted; and\n"
    "that the lemmas are true: their proofs are for people to read.\n";

/// The way from a document to the entry whose key begins at this byte.
bool locate(const Tree& tree, std::size_t at, std::vector<const Tree*>& path) {
  for (const Tree& item : tree.items) {
    path.push_back(&item);
    if ((tree.kind == '{' && item.at == at) || locate(item, at, path))
      return true;
    path.pop_back();
  }
  return false;
}

/// Whether the value is on the safe side of what is claimed, decided with ever more bits.
bool confirms(const std::function<Value()>& compute, const Number& claimed, bool lower,
              std::int64_t bits) {
  for (std::int64_t most = std::max<std::int64_t>(16384, 4 * bits); bits <= most; bits *= 2) {
    Precision precision(bits);
    try {
      Value value = compute();
      require(value.has_value(), "the lemma's hypotheses do not hold at these arguments");
      return lower ? claimed <= *value : *value <= claimed;
    } catch (const Undecided&) {
    }
  }
  return false;
}

class Checker {
public:
  Checker(const Tree& certificate, const std::vector<File>& files)
      : certificate_(certificate), files_(files) {}

  std::string run() {
    require(certificate_["certificate"].quoted() == "tikc-2", "it is not of the form tikc-2");
    bits_ = certificate_["precision"].count() + 64;
    require(bits_ <= 8192 + 64, "its precision is above 8192 bits");
    Precision precision(bits_);
    checkFiles();
    each("slices", [&](const Tree& slice) { checkSlice(slice); });
    hasSlices_ = !setting_.slices.empty();
    if (named_ < 1)
      setting_.slices.insert("other");
    each("inputs", [&](const Tree& input) { checkInput(input); });
    require(!needsFullSupport_ || hasFullSupport_,
            "a clause on tv says nothing of the truncated kernel: support is not declared full");
    each("steps", [&](const Tree& step) { checkStep(step); });
    std::string out = "Every claim that is marked as proved is accepted.\n";
    each("claims", [&](const Tree& claim) {
      const std::string& verdict = claim["verdict"].quoted();
      out += "  " + claim["id"].quoted() + " on " + claim["scope"].quoted() +
             (verdict == "proved" ? ": accepted, " + checkClaim(claim)
                                  : ": not checked, the certificate says " + verdict) +
             "\n";
    });
    out += "They rest on\n";
    for (const std::string& text : texts_)
      out += "  " + text + "\n";
    return out + std::string(limits);
  }

private:
  /// Says which entry is rejected.
  void each(const std::string& list, const std::function<void(const Tree&)>& work) {
    std::size_t i = 0;
    for (const Tree& json : certificate_[list].list())
      try {
        ++i;
        work(json);
      } catch (const Rejected& rejected) {
        throw Rejected{"entry " + std::to_string(i) + " of " + list + ": " + rejected.why};
      }
  }

  void checkFiles() {
    const auto& list = certificate_["files"].list();
    require(list.size() == files_.size(), "it quotes another number of files than are given");
    for (std::size_t i = 0; i < list.size(); ++i) {
      require(list[i]["text"].quoted() == files_[i].content,
              files_[i].name + " is not the file that it quotes as " + list[i]["name"].quoted());
      documents_.push_back(parseYaml(files_[i].content));
    }
  }

  /// The entry that a quote points to: below a section of a document, or below an entry that may
  /// have `parts`.
  const Tree& quote(const Tree& json, std::string_view sections, std::string_view parts = "") {
    auto file = static_cast<std::size_t>(json["file"].count());
    std::vector<const Tree*> path;
    require(file < files_.size(), "it quotes an unknown file");
    Work::spend(32 * files_[file].content.size());
    locate(documents_[file], static_cast<std::size_t>(json["from"].count()), path);
    require(path.size() >= 3 && isOneOf(sections, path[1]->key),
            "no text stands there that has this meaning");
    const bool isKernels = path[1]->key == "kernels";
    require(isKernels
                ? path.size() == 5 && path[3]->key == "sampling" && path[4]->key == "temperature"
                : path.size() == 3 || isOneOf(parts, path[1]->key + "/" + path[2]->key),
            "no text stands there that has this meaning");
    kernel_ = isKernels ? path[2]->key : "";
    texts_.insert(path.back()->key + ": " + path.back()->print());
    return *path.back();
  }

  void checkSlice(const Tree& json) {
    const Tree& entry = quote(json, "slices");
    for (const Statement& statement : readGiven(entry))
      named_ = statement.fact.quantity == "weight" ? named_ + statement.fact.bound : named_;
    for (Tokens in(entry["when"].text); !in.is(""); in.any())
      setting_.slicesCutResponses =
          setting_.slicesCutResponses || in.isOneOf("position response_tokens");
    require(entry.key == json["name"].quoted() && setting_.slices.insert(entry.key).second,
            "it does not agree with the text");
  }

  static Fact factOf(const Tree& json) {
    Fact out;
    out.quantity = json["quantity"].quoted();
    out.quantifier = json["quantifier"].quoted();
    out.scope = json["scope"].quoted();
    out.link = json["link"].quoted();
    const std::string kind = kindOf(out.quantity);
    if (out.quantifier == "quantile")
      out.share = json["share"].number();
    require(!kind.empty() && isOneOf("given sup mean quantile", out.quantifier) &&
                (out.quantifier == "given") == kind.starts_with("given") && 0 <= out.share &&
                out.share < 1,
            "its quantity or quantifier is not known, or its share makes no sense");
    return out;
  }

  /// A claim, which has an operator, is about the mixture only where it says so.
  bool states(const std::vector<Statement>& text, const std::string& op, const Fact& fact,
              bool upward) const {
    auto is = [&](const Statement& statement) {
      const auto& scopes = statement.scopes;
      bool isHere = std::count(scopes.begin(), scopes.end(), fact.scope) > 0 ||
                    (scopes.empty() && (op.empty() || fact.scope != "*" || !hasSlices_));
      // What is not exact may be rounded to the side that says less.
      const Number& stated = statement.fact.bound;
      return isHere && fact.sameKey(statement.fact) && (op.empty() || statement.op == op) &&
             (stated.isExact() ? stated == fact.bound
              : upward         ? stated <= fact.bound
                               : fact.bound <= stated);
    };
    return std::any_of(text.begin(), text.end(), is);
  }

  /// Texts without a link of their own are all about the same one.
  void checkLink(const Tree& entry, const Fact& fact) const {
    const std::string &usual = certificate_["link"].quoted(), own = linkOf(entry);
    require(fact.link == (own.empty() ? usual : own) && (own.empty() || !usual.empty()),
            "its text is about another link");
  }

  void checkInput(const Tree& json) {
    Fact fact = factOf(json["fact"]);
    fact.bound = json["value"].number();
    const std::string& kind = json["kind"].quoted();
    std::vector<Statement> stated;
    if (kind == "clause") {
      const Tree& entry = quote(json, "numerical statistical");
      stated = readRequirement(entry, kind);
      checkLink(entry, fact);
      needsFullSupport_ = needsFullSupport_ || fact.quantity == "tv";
    } else if (kind == "default") {
      stated = readGiven({'a', "temperature", "1", 0, {}});
    } else {
      stated = readFact(json, fact);
    }
    require(states(stated, "", fact, !isLower(fact.quantity)), "its text does not state this");
    hasFullSupport_ = hasFullSupport_ || fact.quantity == "full_support";
    keep(json, fact);
  }

  std::vector<Statement> readFact(const Tree& json, const Fact& fact) {
    const Tree& entry = quote(json, "model assumptions kernels slices", "assumptions/support");
    const bool isTrainer = fact.quantity == "train_temperature";
    std::string_view infer = fact.link, train = take(infer, ">");
    require(kernel_.empty() || kernel_ == (isTrainer ? train : infer),
            "its text is about another kernel");
    require(!isOneOf("weight token_weight", fact.quantity) ||
                (fact.scope == entry.key && setting_.slices.contains(entry.key)),
            "its text is about another slice");
    if (entry.key != "estimator")
      return readGiven(entry);
    std::vector<const Tree*> with;
    for (const Tree& other : json["with"].list())
      with.push_back(&quote(other, "assumptions"));
    setting_.isOneToken = setting_.isOneToken || entry.text == "step";
    return readEstimator(entry, with);
  }

  void keep(const Tree& json, const Fact& fact) {
    require(known_.emplace(json["id"].count(), fact).second, "its id is taken");
  }

  const Fact& factAt(const Tree& id) const {
    auto found = known_.find(id.count());
    require(found != known_.end(), "it rests on what no earlier entry has");
    return found->second;
  }

  void checkStep(const Tree& json) {
    Step step;
    step.lemma = json["lemma"].quoted();
    step.curve = json["curve"].quoted();
    step.fact = factOf(json["fact"]);
    for (const Tree& id : json["args"].list())
      step.args.push_back(&factAt(id));
    for (const Tree& choice : json["params"].list())
      step.choices.push_back(choice.number());
    step.fact.bound = json["bound"].number();
    require(confirms([&] { return conclude(step, setting_); }, step.fact.bound,
                     isLower(step.fact.quantity), bits_),
            "it does not give what is claimed");
    keep(json, step.fact);
  }

  /// Returns the claim's text.
  std::string checkClaim(const Tree& json) {
    Fact fact = factOf(json["fact"]);
    fact.bound = json["budget"].number();
    const Tree& entry = quote(json, "claims");
    const std::string& op = json["op"].quoted();
    const bool lower = isLower(fact.quantity);
    require(entry.key == json["id"].quoted() && !fact.scope.empty() &&
                json["scope"].quoted() == fact.scope,
            "its id or scope is not that of the text");
    require(states(readRequirement(entry, "claim"), op, fact, lower),
            "its text does not state this");
    checkLink(entry, fact);
    const Fact& shown = factAt(json["step"]);
    require(shown.sameKey(fact) && holdsAt(shown, fact),
            "the step that it rests on is about something else");
    const Number &less = lower ? fact.bound : shown.bound, &more = lower ? shown.bound : fact.bound;
    require(op.size() == 2 ? less <= more : less < more,
            "the step that it rests on does not reach its budget");
    return entry.print();
  }

  const Tree& certificate_;
  const std::vector<File>& files_;
  std::vector<Tree> documents_; // of each file
  std::string kernel_;          // whose setting was quoted last
  std::int64_t bits_ = 0;
  Number named_; // the slices' weights
  Setting setting_;
  std::map<std::int64_t, Fact> known_;
  std::set<std::string> texts_;
  bool hasSlices_ = false, hasFullSupport_ = false, needsFullSupport_ = false;
};

} // namespace

Verdict check(std::string_view certificate, const std::vector<File>& files) {
  Work::used = 0;
  Precision precision(320);
  auto rejected = [](const std::string& why) { return Verdict{false, "Rejected: " + why + "\n"}; };
  try {
    const Tree documents = parseYaml(certificate);
    require(documents.items.size() == 1, "it is more than one certificate");
    return {true, Checker(documents.items[0], files).run()};
  } catch (const Rejected& reason) {
    return rejected(reason.why);
  } catch (const std::exception& error) {
    return rejected(error.what());
  }
}

} // namespace verify
