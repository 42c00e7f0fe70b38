#include "verifier/Check.h"

#include "verifier/Json.h"
#include "verifier/Rules.h"

#include <algorithm>
#include <functional>
#include <map>

namespace verify {
namespace {

constexpr std::string_view limits = "Not checked: that YAML reads each quoted text as it is read "
                                    "here, and that nothing elsewhere in\n"
                                    "the files replaces it; which of several contracts in one file "
                                    "it belongs to; that the list of\n"
                                    "slices is complete; that no kernel has a temperature or a "
                                    "truncation of its own; that no `group`\n"
                                    "is declared where none is quoted; and that the lemmas are "
                                    "true: their proofs are for people to\n"
                                    "read.\n";

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
  Checker(const Json& certificate, const std::vector<File>& files)
      : certificate_(certificate), files_(files) {}

  std::string run() {
    require(certificate_["certificate"].text() == "tikc-1", "it is not of the form tikc-1");
    bits_ = certificate_["precision"].count() + 64;
    require(bits_ <= 8192 + 64, "its precision is above 8192 bits");
    checkFiles();
    each("slices", [&](const Json& slice) { checkSlice(slice); });
    hasSlices_ = !setting_.slices.empty();
    if (named_ < 1)
      setting_.slices.insert("other");
    each("inputs", [&](const Json& input) { checkInput(input); });
    require(!needsFullSupport_ || hasFullSupport_,
            "a clause on tv says nothing of the truncated kernel: support is not declared full");
    each("steps", [&](const Json& step) { checkStep(step); });
    std::string out = "Every claim that is marked as proved is accepted.\n";
    each("claims", [&](const Json& claim) {
      bool isProved = claim["verdict"].text() == "proved";
      if (isProved)
        checkClaim(claim);
      out += "  " + claim["id"].text() + " on " + claim["scope"].text() +
             (isProved ? ": accepted, " + claim["text"].text()
                       : ": not checked, the certificate says " + claim["verdict"].text()) +
             "\n";
    });
    out += "They rest on\n";
    for (const std::string& text : texts_)
      out += "  " + text + "\n";
    return out + std::string(limits);
  }

private:
  /// Says which entry is rejected.
  void each(const std::string& list, const std::function<void(const Json&)>& work) {
    std::size_t i = 0;
    for (const Json& json : certificate_[list].list())
      try {
        ++i;
        work(json);
      } catch (const Rejected& rejected) {
        const Json* lemma = json.find("lemma");
        throw Rejected{"entry " + std::to_string(i) + " of " + list +
                       (lemma != nullptr ? ", " + lemma->text() : "") + ": " + rejected.why};
      }
  }

  void checkFiles() {
    const auto& list = certificate_["files"].list();
    require(list.size() == files_.size(), "it quotes another number of files than are given");
    for (std::size_t i = 0; i < list.size(); ++i)
      require(list[i]["sha256"].text() == sha256(files_[i].content),
              files_[i].name + " is not the file that it quotes as " + list[i]["name"].text());
  }

  Quote quote(const Json& json, const std::string& kind, std::string_view sections) {
    auto file = static_cast<std::size_t>(json["file"].count());
    auto from = static_cast<std::size_t>(json["from"].count());
    const std::string& text = json["text"].text();
    require(file < files_.size() && from <= files_[file].content.size() &&
                files_[file].content.compare(from, text.size(), text) == 0,
            "the quoted text does not stand there");
    require(isWhole(files_[file].content, from, from + text.size()) &&
                isOneOf(sections, sectionAt(files_[file].content, from)),
            "the quoted text does not stand where it would have this meaning");
    texts_.insert(text);
    return readQuote(text, kind);
  }

  void checkSlice(const Json& json) {
    Quote text = quote(json, "given", "slices");
    for (const Statement& statement : text.statements)
      named_ = statement.fact.quantity == "weight" ? named_ + statement.fact.bound : named_;
    setting_.slicesCutResponses = setting_.slicesCutResponses || hasWord(text.word, "position") ||
                                  hasWord(text.word, "response_tokens");
    require(text.key == json["name"].text() && setting_.slices.insert(text.key).second,
            "it does not agree with the text");
  }

  static bool hasWord(const std::string& text, std::string_view word) {
    Tokens in(text);
    while (!in.is("") && !in.is(word))
      in.any();
    return in.is(word);
  }

  static Fact factOf(const Json& json) {
    Fact out;
    out.quantity = json["quantity"].text();
    out.quantifier = json["quantifier"].text();
    out.scope = json["scope"].text();
    out.link = json["link"].text();
    const std::string kind = kindOf(out.quantity);
    if (out.quantifier == "quantile")
      out.share = json["share"].number();
    require(!kind.empty() && isOneOf("given sup mean quantile", out.quantifier) &&
                (out.quantifier == "given") == kind.starts_with("given") && 0 <= out.share &&
                out.share < 1,
            "its quantity or quantifier is not known, or its share makes no sense");
    return out;
  }

  /// The number in nats, on the side that a promise or a budget may take.
  bool agrees(const Statement& statement, const Number& value, bool upward) const {
    const Number& stated = statement.fact.bound;
    if (!statement.inBits && statement.fact.quantity != "hidden_drift")
      return stated == value;
    auto nats = [&] { return Value(statement.inBits ? stated * log(Number(2)) : stated); };
    return confirms(nats, value, !upward, bits_);
  }

  /// A claim, which has an operator, is about the mixture only where it says so.
  bool states(const Quote& text, const std::string& op, const Fact& fact, bool upward) const {
    auto is = [&](const Statement& statement) {
      const auto& scopes = statement.scopes;
      bool isHere = std::count(scopes.begin(), scopes.end(), fact.scope) > 0 ||
                    (scopes.empty() && (op.empty() || fact.scope != "*" || !hasSlices_));
      return isHere && fact.sameKey(statement.fact) && (op.empty() || statement.op == op) &&
             agrees(statement, fact.bound, upward);
    };
    return std::any_of(text.statements.begin(), text.statements.end(), is);
  }

  /// Texts without a link of their own are all about the same one.
  void checkLink(const Quote& text, const Fact& fact) const {
    const std::string& usual = certificate_["link"].text();
    require(fact.link == (text.link.empty() ? usual : text.link) &&
                (text.link.empty() || !usual.empty()),
            "its text is about another link");
  }

  void checkInput(const Json& json) {
    Fact fact = factOf(json["fact"]);
    fact.bound = json["value"].number();
    const std::string& kind = json["kind"].text();
    require(isOneOf("clause assumption fact default", kind), "its kind is not known");
    bool isClause = kind == "clause", isDefault = kind == "default";
    Quote text;
    if (isDefault)
      text.statements = readQuote("temperature: 1", "given").statements;
    else
      text = isClause ? quote(json, kind, "numerical statistical")
                      : quote(json, "given", "model assumptions kernels slices");
    if (text.key == "estimator") {
      std::vector<Quote> with;
      for (const Json& other : json["with"].list())
        with.push_back(quote(other, "given", "assumptions"));
      text.statements = readEstimator(text, with);
      setting_.isOneToken = setting_.isOneToken || text.word == "step";
    }
    bool isStated = states(text, "", fact, !isLower(fact.quantity));
    bool isPart = isOneOf("weight token_weight", fact.quantity);
    require(isStated && (!isPart || (fact.scope == text.key && setting_.slices.contains(text.key))),
            "its text does not state this");
    if (isClause)
      checkLink(text, fact);
    needsFullSupport_ = needsFullSupport_ || (isClause && fact.quantity == "tv");
    hasFullSupport_ = hasFullSupport_ || fact.quantity == "full_support";
    keep(json, fact);
  }

  void keep(const Json& json, const Fact& fact) {
    require(known_.emplace(json["id"].count(), fact).second, "its id is taken");
  }

  const Fact& factAt(const Json& id) const {
    auto found = known_.find(id.count());
    require(found != known_.end(), "it rests on what no earlier entry has");
    return found->second;
  }

  void checkStep(const Json& json) {
    Step step;
    step.lemma = json["lemma"].text();
    step.curve = json.find("curve") != nullptr ? json["curve"].text() : "";
    step.fact = factOf(json["fact"]);
    for (const Json& id : json["args"].list())
      step.args.push_back(&factAt(id));
    for (const Json& id : json["under"].list())
      step.under.push_back(&factAt(id));
    for (const Json& choice : json["params"].list())
      step.choices.push_back(choice.number());
    step.fact.bound = json["bound"].number();
    require(confirms([&] { return conclude(step, setting_); }, step.fact.bound,
                     isLower(step.fact.quantity), bits_),
            "it does not give what is claimed");
    keep(json, step.fact);
  }

  void checkClaim(const Json& json) {
    Fact fact = factOf(json["fact"]);
    fact.bound = json["budget"].number();
    Quote text = quote(json, "claim", "claims");
    const std::string& op = json["op"].text();
    const bool lower = isLower(fact.quantity);
    require(text.key == json["id"].text() && !fact.scope.empty() &&
                json["scope"].text() == fact.scope,
            "its id or scope is not that of the text");
    require(states(text, op, fact, lower), "its text does not state this");
    checkLink(text, fact);
    const Fact& shown = factAt(json["step"]);
    require(shown.sameKey(fact) && holdsAt(shown, fact),
            "the step that it rests on is about something else");
    bool meets = shown.bound == fact.bound && op.size() == 2;
    require(meets || (lower ? fact.bound < shown.bound : shown.bound < fact.bound),
            "the step that it rests on does not reach its budget");
  }

  const Json& certificate_;
  const std::vector<File>& files_;
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
    Json json = Json::parse(certificate);
    return {true, Checker(json, files).run()};
  } catch (const Rejected& reason) {
    return rejected(reason.why);
  } catch (const TooMuch&) {
    return rejected("checking it would take too long.");
  } catch (const Undecided&) {
    return rejected("a number cannot be computed.");
  } catch (const std::exception& error) {
    return rejected(error.what());
  }
}

} // namespace verify
