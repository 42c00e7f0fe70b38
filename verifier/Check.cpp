#include "verifier/Check.h"

#include "verifier/Rules.h"

#include <algorithm>
#include <functional>
#include <map>
#include <set>

namespace verify {
namespace {

constexpr std::string_view limits =
    "Not checked, for no file can show it: that the kernels keep the clauses, and that there are\n"
    "kernels which can keep all of them, beyond what the steps above rule out; that the "
    "assumptions\n"
    "hold; and that the lemmas are true: their proofs are for people to read.\n";

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

/// What is exact is stated as it is; what is not, and a drift that grows from layer to layer, may
/// be rounded to the side that says less.
bool agrees(const Number& stated, const Fact& fact, bool upward) {
  if (stated.isExact() && fact.quantity != "hidden_drift")
    return stated == fact.bound;
  return upward ? stated <= fact.bound : fact.bound <= stated;
}

class Checker {
public:
  Checker(const Tree& certificate, const std::vector<File>& files)
      : certificate_(certificate), contract_(files, certificate["contract"].quoted()) {
    const auto& list = certificate["files"].list();
    require(list.size() == files.size(), "it quotes another number of files than are given");
    for (std::size_t i = 0; i < list.size(); ++i)
      require(list[i]["text"].quoted() == files[i].content,
              files[i].name + " is not the file that it quotes as " + list[i]["name"].quoted());
  }

  Verdict run() {
    require(certificate_["certificate"].quoted() == "tikc-3", "it is not of the form tikc-3");
    bits_ = certificate_["precision"].count() + 64;
    require(bits_ <= 8192 + 64, "its precision is above 8192 bits");
    Precision precision(bits_);
    checkBuild();
    each("inputs", [&](const Tree& input) { checkInput(input); });
    each("steps", [&](const Tree& step) { checkStep(step); });
    checkCounters();
    const std::string claims = checkClaims();
    std::string out = "Of the contract " + certificate_["contract"].text + "\n" + claims;
    if (!texts_.empty())
      out += "This rests on\n";
    for (const std::string& text : texts_)
      out += "  " + text + "\n";
    return {true, out + std::string(limits), open_};
  }

private:
  /// Says which entry is rejected.
  void each(const std::string& list, const std::function<void(const Tree&)>& work) {
    std::size_t i = 0;
    for (const Tree& json : certificate_[list].list())
      try {
        ++i;
        work(json);
      } catch (const Rejection& rejected) {
        throw Rejection{"entry " + std::to_string(i) + " of " + list + ": " + rejected.why};
      }
  }

  /// What the contract was measured on, as its text says.
  void checkBuild() {
    const Tree& root = contract_.tree();
    const Tree *version = root.find("version"), *model = root.find("model"),
               *digest = model == nullptr ? nullptr : model->find("digest");
    std::map<std::string, std::string> builds, quoted;
    for (const Tree& kernel : root["kernels"].items)
      if (const Tree* build = kernel.find("build"))
        builds[kernel.key] = build->text;
    if (digest != nullptr)
      builds["digest"] = digest->text;
    for (const Tree& build : certificate_["build"].items)
      quoted[build.key] = build.quoted();
    require(certificate_["version"].text == (version == nullptr ? "null" : version->text) &&
                quoted == builds,
            "it is of another version or build than the contract");
  }

  /// The entry that a quote points to; none where nothing is quoted.
  std::vector<const Tree*> quote(const Tree& json) const {
    if (json.find("file") == nullptr)
      return {};
    auto path = contract_.find(static_cast<std::size_t>(json["file"].count()),
                               static_cast<std::size_t>(json["from"].count()));
    require(!path.empty(), "no text of the contract stands there, or another one replaces it");
    return path;
  }

  static Fact factOf(const Tree& json) {
    Fact out;
    out.quantity = json["quantity"].quoted();
    out.quantifier = json["quantifier"].quoted();
    out.scope = json["scope"].quoted();
    out.link = json["link"].quoted();
    for (auto [key, member] : {std::pair("laws", &Fact::laws), std::pair("drawn", &Fact::drawn)})
      if (const Tree* about = json.find(key))
        out.*member = about->quoted();
    const std::string kind = kindOf(out.quantity);
    if (out.quantifier == "quantile")
      out.share = json["share"].number();
    require(!kind.empty() && isOneOf("given sup mean quantile", out.quantifier) &&
                (out.quantifier == "given") == kind.starts_with("given") && 0 <= out.share &&
                out.share < 1,
            "its quantity or quantifier is not known, or its share makes no sense");
    return out;
  }

  void checkInput(const Tree& json) {
    Fact fact = factOf(json["fact"]);
    fact.bound = json["value"].number();
    const std::vector<const Tree*> path = quote(json);
    const std::vector<Fact> stated = contract_.stated(path, fact.link);
    auto found = std::find_if(stated.begin(), stated.end(), [&](const Fact& each) {
      return each.sameKey(fact) && each.samePlace(fact) &&
             agrees(each.bound, fact, !isLower(fact.quantity));
    });
    require(found != stated.end(), "its text does not state this");
    fact.strict = found->strict;
    fact.open = found->open;
    if (!path.empty())
      texts_.insert(path.back()->key + ": " + path.back()->print());
    keep(json, fact);
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
    require(confirms([&] { return conclude(step, contract_); }, step.fact.bound,
                     isLower(step.fact.quantity), bits_),
            "it does not give what is claimed");
    step.fact.strict = keepsStrictness(step);
    step.fact.open = leavesShare(step);
    keep(json, step.fact);
  }

  /// From clauses that no kernels keep together anything follows.
  void checkCounters() const {
    for (const auto& [clause, asked] : contract_.counters())
      for (const auto& [id, fact] : known_)
        require(!isRuledOut(asked, fact), "no kernels keep all clauses: entry " +
                                              std::to_string(id) + " rules out what " + clause +
                                              " requires");
  }

  static bool isRuledOut(const Fact& asked, const Fact& by) {
    const bool isOfThese = by.quantifier == "sup" || asked.quantifier == "given" ||
                           (asked.quantifier == "mean" && by.quantifier == "mean");
    if (asked.quantity != by.quantity || !asked.samePlace(by) || !isOfThese)
      return false;
    const bool lower = isLower(by.quantity);
    const Number &less = lower ? asked.bound : by.bound, &more = lower ? by.bound : asked.bound;
    return less < more || (less == more && (asked.strict || by.strict));
  }

  /// Every comparison of every claim, on every slice that it binds, in the order of the texts: none
  /// may be left out. A claim is proved where all of them are.
  std::string checkClaims() {
    const std::vector<Contract::Goal> goals = contract_.goals();
    const Tree none, *claims = contract_.tree().find("claims");
    std::map<const Tree*, std::string> parts;
    std::map<const Tree*, int> missing;
    auto goal = goals.begin();
    each("claims", [&](const Tree& json) {
      require(goal != goals.end(), "the contract claims nothing more");
      const bool isProved = checkGoal(json, *goal);
      parts[goal->claim] +=
          "    " + goal->text + placeOf(goal->fact.scope) +
          (isProved ? ": accepted\n"
                    : ": not checked, the certificate says " + json["verdict"].text + "\n");
      missing[goal->claim] += isProved ? 0 : 1;
      ++goal;
    });
    if (goal != goals.end())
      throw Rejection{"it leaves out what " + goal->claim->key + " claims on " + goal->fact.scope};
    std::string out;
    for (const Tree& claim : (claims == nullptr ? none : *claims).items) {
      out += "  " + claim.key + (missing[&claim] == 0 ? ": accepted, " : ": not proved, ") +
             claim.print() + "\n" + (missing[&claim] == 0 ? "" : parts[&claim]);
      if (missing[&claim] > 0)
        open_.push_back(claim.key);
    }
    return out;
  }

  /// Nothing where there is one place only.
  std::string placeOf(const std::string& scope) const {
    return contract_.slices().empty() ? "" : scope == "*" ? " on all" : " on " + scope;
  }

  /// Whether the certificate marks it as proved; rejects what it marks so and is not.
  bool checkGoal(const Tree& json, const Contract::Goal& goal) const {
    const std::vector<const Tree*> path = quote(json);
    require(!path.empty() && path.back() == goal.claim && json["id"].quoted() == goal.claim->key &&
                json["op"].quoted() == goal.op && json["scope"].quoted() == goal.fact.scope,
            "it is not what the contract claims next: " + goal.claim->key + " on " +
                goal.fact.scope);
    if (json["verdict"].quoted() != "proved")
      return false;
    Fact fact = factOf(json["fact"]);
    fact.bound = json["budget"].number();
    const bool lower = isLower(fact.quantity);
    require(fact.sameKey(goal.fact) && fact.samePlace(goal.fact) &&
                agrees(goal.fact.bound, fact, lower),
            "its text does not state this");
    const Fact& shown = factAt(json["step"]);
    require(shown.sameKey(fact) && holdsAt(shown, fact, fact.laws),
            "the step that it rests on is about something else");
    require(fact.quantifier != "quantile" || !lower || shown.open,
            "a quantile from below needs less than its level below it");
    const Number &less = lower ? fact.bound : shown.bound, &more = lower ? shown.bound : fact.bound;
    require(goal.op.size() == 2 || shown.strict ? less <= more : less < more,
            "the step that it rests on does not reach its budget");
    return true;
  }

  const Tree& certificate_;
  Contract contract_;
  std::int64_t bits_ = 0;
  std::map<std::int64_t, Fact> known_;
  std::set<std::string> texts_;
  std::vector<std::string> open_;
};

} // namespace

Verdict check(std::string_view certificate, const std::vector<File>& files) {
  Work::used = 0;
  Precision precision(320);
  auto rejected = [](const std::string& why) { return Verdict{false, "Rejected: " + why + "\n"}; };
  try {
    const Tree documents = parseYaml(certificate);
    require(documents.items.size() == 1, "it is more than one certificate");
    return Checker(documents.items[0], files).run();
  } catch (const Rejection& reason) {
    return rejected(reason.why);
  } catch (const std::exception& error) {
    return rejected(error.what());
  }
}

} // namespace verify
