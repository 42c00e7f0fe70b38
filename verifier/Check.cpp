#include "verifier/Check.h"

#include "verifier/Lemmas.h"
#include "verifier/Rules.h"
#include "verifier/Yaml.h"

#include <algorithm>
#include <functional>
#include <map>
#include <set>

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

bool isOneOf(std::string_view word, std::initializer_list<std::string_view> words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

struct Slice {
  std::string name;
  std::int64_t file = 0, from = 0, to = 0;
};

class Checker {
public:
  Checker(const Json& certificate, const std::vector<File>& files)
      : certificate_(certificate), files_(files) {}

  std::string run() {
    if (certificate_["certificate"].text() != "tikc-1")
      reject("it is not a certificate of the form tikc-1");
    bits_ = certificate_["precision"].count() + 64;
    if (bits_ > 8192 + 64)
      reject("its precision is above 8192 bits");
    checkFiles();
    checkSlices();
    for (const Json& input : certificate_["inputs"].list())
      during("input", input, [&] { checkInput(input); });
    if (needsFullSupport_ && !hasFullSupport_)
      reject("a clause on tv says nothing of the truncated kernel: support is not declared full");
    if (certificate_["steps"].list().size() > 100'000)
      reject("it has more than 100,000 steps");
    for (const Json& step : certificate_["steps"].list())
      during("step", step, [&] { checkStep(step); });
    std::string out;
    for (const Json& claim : certificate_["claims"].list()) {
      out += checkClaim(claim);
      if (out.size() > 64'000'000)
        throw TooMuch{};
    }
    return out;
  }

private:
  // Files, quotes and slices.

  static void during(std::string_view what, const Json& json, const std::function<void()>& work) {
    std::string name = std::string(what) + " " + std::to_string(json["id"].count());
    if (const Json* lemma = json.find("lemma"))
      name += ", " + lemma->text();
    try {
      work();
    } catch (const Rejected& rejected) {
      reject(name + ": " + rejected.why);
    }
  }

  void checkFiles() {
    const auto& list = certificate_["files"].list();
    if (list.size() != files_.size())
      reject("it quotes " + std::to_string(list.size()) + " files, and " +
             std::to_string(files_.size()) + " are given");
    for (std::size_t i = 0; i < list.size(); ++i)
      if (list[i]["sha256"].text() != sha256(files_[i].content))
        reject(files_[i].name + " is not the file that the certificate quotes as " +
               list[i]["name"].text());
  }

  Quote quote(const Json& json, Reading reading) const {
    auto file = static_cast<std::size_t>(json["file"].count());
    const auto& bytes = json["bytes"].list();
    const std::string& text = json["text"].text();
    if (file >= files_.size() || bytes.size() != 2)
      reject("its quote names no place in a file");
    const std::string& content = files_[file].content;
    auto from = static_cast<std::size_t>(bytes[0].count()),
         to = static_cast<std::size_t>(bytes[1].count());
    if (from > to || to > content.size() || content.substr(from, to - from) != text)
      reject("the quoted text does not stand at these bytes");
    std::string section = sectionAt(content, from);
    bool fits = reading == Reading::Claim ? section == "claims"
                : reading == Reading::Clause
                    ? isOneOf(section, {"numerical", "statistical"})
                    : isOneOf(section, {"model", "assumptions", "kernels", "slices"});
    if (!fits || !canStartAt(content, from))
      reject("the quoted text does not stand where it would have this meaning");
    return read(text, reading);
  }

  void checkSlices() {
    const Json* list = certificate_.find("slices");
    setting_.knowsSlices = list != nullptr;
    if (!setting_.knowsSlices)
      return;
    Rational named = 0;
    for (const Json& json : list->list()) {
      Quote text = quote(json, Reading::Given);
      Slice slice{text.key, json["file"].count(), json["bytes"].list()[0].count(),
                  json["bytes"].list()[1].count()};
      for (const Statement& statement : text.statements)
        named = statement.op == "weight" ? named + statement.fact.bound : named;
      std::string when = " " + text.word + " ";
      for (char& c : when)
        c = (c >= 'a' && c <= 'z') || c == '_' ? c : ' ';
      setting_.slicesCutResponses = setting_.slicesCutResponses ||
                                    when.find(" position ") != std::string::npos ||
                                    when.find(" response_tokens ") != std::string::npos;
      if (slice.name != json["name"].text() || !setting_.slices.insert(slice.name).second)
        reject("its list of slices does not agree with the texts");
      slices_.push_back(slice);
    }
    if (slices_.empty() || named < Rational(1))
      setting_.slices.insert("other");
  }

  // Inputs.

  static Fact factOf(const Json& json) {
    static const std::map<std::string_view, Quantifier> quantifiers = {
        {"given", Quantifier::Given},
        {"sup", Quantifier::Sup},
        {"mean", Quantifier::Mean},
        {"quantile", Quantifier::Quantile}};
    Fact out;
    out.quantity = findQuantity(json["quantity"].text());
    auto quantifier = quantifiers.find(json["quantifier"].text());
    if (out.quantity == nullptr || quantifier == quantifiers.end())
      reject("its quantity or quantifier is not known");
    out.quantifier = quantifier->second;
    if (out.quantifier == Quantifier::Quantile)
      out.share = json["share"].rational();
    if (out.share < Rational(0) || !(out.share < Rational(1)) ||
        (out.quantifier == Quantifier::Given) != (out.quantity->level == Level::Given))
      reject("its share or quantifier makes no sense");
    out.scope = json["scope"].text();
    out.link = json["link"].text();
    return out;
  }

  /// The number in nats, on the side that a promise or a budget may take.
  bool agrees(const Statement& statement, const Rational& value, bool upward) const {
    if (!statement.inBits)
      return statement.fact.bound == value;
    auto nats = [&] { return Value(Number(statement.fact.bound) * log(Number(2))); };
    return confirms(nats, value, !upward, bits_);
  }

  /// Quotes without a link of their own are all about the same one.
  void checkLink(const Quote& text, const Fact& fact) {
    if (!text.link.empty()) {
      hasLinks_ = true;
      if (fact.link != text.link)
        reject("its text names another link");
    } else if (!defaultLink_) {
      defaultLink_ = fact.link;
    } else if (*defaultLink_ != fact.link) {
      reject("its text names no link, so it is about the same link as other texts without one");
    }
    if (hasLinks_ && defaultLink_ && defaultLink_->empty())
      reject("some texts name a link, so each fact must");
  }

  void checkInput(const Json& json) {
    Known known;
    known.fact = factOf(json["fact"]);
    known.fact.bound = json["value"].rational();
    known.isInput = true;
    const Fact& fact = known.fact;
    const std::string& kind = json["kind"].text();
    if (kind == "default") {
      if (!isOneOf(fact.quantity->name,
                   {"temperature", "train_temperature", "infer_temperature"}) ||
          !(fact.bound == Rational(1)))
        reject("no default of the language says this");
      known.origin = "temperature: 1 (the default)";
    } else {
      if (kind != "clause" && kind != "assumption" && kind != "fact")
        reject("its kind is not known");
      known.quote = quote(json, kind == "clause" ? Reading::Clause : Reading::Given);
      known.origin = json["text"].text();
      if (known.quote.key == "estimator")
        checkEstimator(json, known);
      else
        checkStated(json, known, kind == "clause");
    }
    hasFullSupport_ = hasFullSupport_ || fact.isAbout("full_support");
    keep(json, std::move(known));
  }

  void checkStated(const Json& json, Known& known, bool isClause) {
    const Fact& fact = known.fact;
    for (const Statement& statement : known.quote.statements) {
      bool slice = statement.onAll ? fact.scope == "*"
                                   : statement.slices.empty() ||
                                         std::count(statement.slices.begin(),
                                                    statement.slices.end(), fact.scope) > 0;
      if (!fact.sameKey(statement.fact) || !slice ||
          !agrees(statement, fact.bound, !fact.quantity->lower))
        continue;
      if (isClause)
        checkLink(known.quote, fact);
      needsFullSupport_ = needsFullSupport_ || (isClause && fact.isAbout("tv"));
      known.shareKey = statement.op;
      if (!fact.isAbout("share") || isShareOfSlice(json, fact.scope))
        return;
    }
    reject("its text does not state this");
  }

  bool isShareOfSlice(const Json& json, const std::string& name) const {
    std::int64_t from = json["bytes"].list()[0].count(), to = json["bytes"].list()[1].count();
    return std::any_of(slices_.begin(), slices_.end(), [&](const Slice& slice) {
      return slice.name == name && slice.file == json["file"].count() && slice.from <= from &&
             to <= slice.to;
    });
  }

  /// What kind of estimator it is takes the texts of estimator, correction and group together.
  void checkEstimator(const Json& json, const Known& known) {
    static const std::map<std::string, std::array<std::string_view, 4>> cells = {
        {"step", {"step_plain", "step_weighted", "group_step_plain", "group_step_weighted"}},
        {"token", {"causal_plain", "causal_weighted", "group_plain", "group_weighted"}},
        {"token_mc", {"return_plain", "return_weighted", "group_plain", "group_weighted"}},
        {"sequence", {"return_plain", "whole_weighted", "group_plain", "group_whole"}}};
    std::string correction;
    bool isGrouped = false;
    for (const Json& other : json["with"].list()) {
      Quote text = quote(other, Reading::Given);
      correction = text.key == "correction" ? text.word : correction;
      isGrouped = isGrouped || text.key == "group";
    }
    auto row = cells.find(known.quote.word);
    if (correction.empty() || row == cells.end())
      reject("its estimator and correction are not both quoted");
    bool isWeighted = correction != "none";
    bool reachesAll =
        isWeighted && !isGrouped && (known.quote.word == "step" || known.quote.word == "sequence");
    std::string_view cell = row->second[(isWeighted ? 1u : 0u) + (isGrouped ? 2u : 0u)];
    bool states = known.fact.isAbout(cell) || (reachesAll && known.fact.isAbout("pg_prefix") &&
                                               known.fact.quantifier == Quantifier::Mean);
    if (!states || !(known.fact.bound == Rational(0)))
      reject("its text does not state this");
    setting_.isOneToken = setting_.isOneToken || known.quote.word == "step";
  }

  void keep(const Json& json, Known known) {
    if (!known_.emplace(json["id"].count(), std::move(known)).second)
      reject("its id is taken");
  }

  const Known& knownAt(const Json& id) const {
    auto found = known_.find(id.count());
    return found != known_.end() ? found->second
                                 : throw Rejected{"it rests on " + std::to_string(id.count()) +
                                                  ", which no earlier entry has"};
  }

  // Steps.

  void checkStep(const Json& json) {
    Step step;
    step.id = json["id"].count();
    step.lemma = json["lemma"].text();
    step.fact = factOf(json["fact"]);
    Known known;
    for (const char* key : {"args", "under"})
      for (const Json& id : json[key].list()) {
        (*key == 'a' ? step.args : step.under).push_back(&knownAt(id));
        known.rests.push_back(id.count());
      }
    for (const Json& param : json["params"].list())
      step.params.push_back(param.text());
    const auto& out = json["out"].list();
    if (out.size() != 2 || out[1].rational() < out[0].rational())
      reject("its result is no interval");
    bool lower = step.fact.quantity->lower;
    step.fact.bound = out[lower ? 0 : 1].rational();
    if (!confirms([&] { return conclude(step, setting_); }, step.fact.bound, lower, bits_))
      reject("it does not give what is claimed");
    known.fact = step.fact;
    known.origin = step.lemma;
    if (!step.params.empty() && findLemma(step.params[0]) != nullptr)
      known.origin += " of " + step.params[0];
    keep(json, std::move(known));
  }

  // Claims.

  std::string checkClaim(const Json& json) {
    const std::string& verdict = json["verdict"].text();
    std::string scope = json["scope"].text();
    std::string name = json["id"].text() + (scope == "*" ? " on all" : " on " + scope);
    if (verdict != "proved")
      return "  " + name + ": not checked, the certificate says " + verdict + "\n";
    try {
      return "  " + name + ": accepted\n" + acceptClaim(json);
    } catch (const Rejected& rejected) {
      reject("claim " + name + ": " + rejected.why);
    }
  }

  std::string acceptClaim(const Json& json) {
    Fact fact = factOf(json["fact"]);
    fact.bound = json["budget"].rational();
    Quote text = quote(json, Reading::Claim);
    const std::string &op = json["op"].text(), &scope = json["scope"].text();
    require(text.key == json["id"].text() && scope == fact.scope && !scope.empty(),
            "its id or scope is not that of the text");
    bool stated = std::any_of(
        text.statements.begin(), text.statements.end(), [&](const Statement& statement) {
          bool here = statement.onAll ? scope == "*"
                      : statement.slices.empty()
                          ? scope != "*" || slices_.empty()
                          : std::count(statement.slices.begin(), statement.slices.end(), scope) > 0;
          return fact.sameKey(statement.fact) && statement.op == op && here &&
                 agrees(statement, fact.bound, fact.quantity->lower);
        });
    require(stated, "its text does not state this");
    checkLink(text, fact);
    std::int64_t id = json["step"].count();
    const Fact& shown = knownAt(json["step"]).fact;
    require(shown.sameKey(fact) && holdsAt(shown, fact),
            "the step that it rests on is about something else");
    bool holds = op == "<="   ? shown.bound <= fact.bound
                 : op == "<"  ? shown.bound < fact.bound
                 : op == ">=" ? fact.bound <= shown.bound
                              : fact.bound < shown.bound;
    require(holds, "the step that it rests on does not reach its budget");
    bool up = !fact.quantity->lower;
    return "    bound " + decimal(shown.bound, up) + " " + op + " " + decimal(fact.bound, up) +
           (fact.link.empty() ? "" : ", for " + fact.link) + "\n" + rests(id);
  }

  std::string rests(std::int64_t id) const {
    std::set<std::int64_t> seen;
    std::set<std::string> lemmas, texts;
    for (std::vector<std::int64_t> open = {id}; !open.empty();) {
      std::int64_t next = open.back();
      open.pop_back();
      Work::spend(1000);
      if (!seen.insert(next).second)
        continue;
      const Known& known = known_.at(next);
      (known.isInput ? texts : lemmas).insert(known.origin);
      open.insert(open.end(), known.rests.begin(), known.rests.end());
    }
    std::string out = "    by";
    for (const std::string& lemma : lemmas)
      out += " " + lemma + ",";
    out += " from\n";
    for (const std::string& text : texts)
      out += "      " + text + "\n";
    return out;
  }

  const Json& certificate_;
  const std::vector<File>& files_;
  std::int64_t bits_ = 0;
  std::map<std::int64_t, Known> known_;
  std::vector<Slice> slices_;
  Setting setting_;
  bool hasLinks_ = false;
  bool hasFullSupport_ = false, needsFullSupport_ = false;
  std::optional<std::string> defaultLink_;
};

} // namespace

Verdict check(std::string_view certificate, const std::vector<File>& files) {
  Work::used = 0;
  Precision precision(320);
  try {
    Json json = Json::parse(certificate);
    std::string claims = Checker(json, files).run();
    return {true,
            "Every claim that is marked as proved is accepted.\n" + claims + std::string(limits)};
  } catch (const Rejected& rejected) {
    return {false, "Rejected: " + rejected.why + "\n"};
  } catch (const TooMuch&) {
    return {false, "Rejected: checking it would take too long.\n"};
  } catch (const Undecided&) {
    return {false, "Rejected: a number cannot be computed.\n"};
  } catch (const std::exception& error) {
    return {false, std::string("Rejected: ") + error.what() + "\n"};
  }
}

} // namespace verify
