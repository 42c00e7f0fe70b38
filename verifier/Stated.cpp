#include "verifier/Contract.h"

#include <algorithm>

/// What the texts of a contract state: which facts, and of whom.
namespace verify {
namespace {

constexpr std::string_view statementKeys =
    "require slices over confidence severity because link drawn";

bool isKind(const Fact& fact, std::string_view kind) {
  return isOneOf(kindOf(fact.quantity), kind);
}

} // namespace

/// Facts of the contract, where their quantities' rows say that they hold: about the first two
/// kernels that it names, or about the newest weights and those of rollouts. What is no number but
/// a bound is about the ends, too, and of lengths over all responses.
std::vector<Fact> Contract::placed(std::vector<Fact> given) const {
  for (Fact& fact : given) {
    const bool isOfAge = isKind(fact, "age"), isOfRows = isOfAge || isKind(fact, "first");
    const std::size_t at = isOfAge ? 0 : trainer_;
    if (isKind(fact, "all"))
      continue;
    fact.link = isOfRows ? between(kernels_[at], kernels_[at + 1]) : ends();
    fact.laws = isOfRows ? rowLaws(fact.link) : "served served";
    fact.drawn = server();
    // A group that lies in several slices is whole in the mixture alone.
    const bool isOfAll = isOneOf("mean_length least_length", fact.quantity) ||
                         (slicesSplit_ && fact.quantity.starts_with("group"));
    fact.scope = isOfAll ? "*" : "";
  }
  return given;
}

std::vector<Fact> Contract::stated(const std::vector<const Tree*>& path,
                                   const std::string& link) const {
  if (path.empty())
    return temperatures(nullptr, link);
  const std::string& section = path[0]->key;
  const Tree& entry = *path.back();
  std::string way;
  for (const Tree* each : path)
    way += (way.empty() ? "" : "/") + each->key;
  if (path.size() == 2 && isOneOf("numerical statistical runtime", section))
    return clause(entry, "clause");
  if (way == "model/temperature" ||
      (path.size() == 4 && section == "kernels" && path[2]->key == "sampling"))
    return temperatures(&entry, link);
  if (path.size() >= 2 && section == "slices")
    return ofSlice(*path[1], path.size() > 2 ? path[2]->key : "");
  if (isOneOf("model/horizon model/vocabulary model/logit_bound", way))
    return placed(readGiven(entry));
  if (isOneOf("assumptions/estimator assumptions/correction assumptions/loss", way))
    return gradient(entry);
  const bool isOfSupport = way.starts_with("assumptions/support");
  require(section == "assumptions" && path.size() == (isOfSupport && path.size() > 2 ? 3 : 2),
          "no text stands there that has this meaning");
  // What the kernels' own settings speak against is assumed of none.
  if (isOfSupport && (isContradicted_ || (entry.key == "support" && !hasFullSupport_) ||
                      (entry.key == "top_p" && cutVaries_)))
    return {};
  std::vector<Fact> out = placed(readGiven(entry));
  if (entry.key == "support" && hasFullSupport_ && measured() != ends())
    for (std::size_t i = 0, count = out.size(); i < count; ++i) {
      out.push_back(out[i]); // newer weights mask what the older ones did
      out.back().link = measured();
    }
  return out;
}

/// Of two kernels that sample alike, it is the second one's that is quoted. Where requests bring
/// their own, it is nobody's.
std::vector<Fact> Contract::temperatures(const Tree* entry, const std::string& link) const {
  auto [first, second] = endsOf(link);
  std::vector<Fact> out;
  auto add = [&](const char* quantity, const Kernel& kernel) {
    if (kernel.temperatureAt == entry)
      out.push_back({quantity, "given", "", link, "", "", 0, kernel.temperature});
  };
  const Number &train = first->temperature, &infer = second->temperature;
  if ((isServer(*second) && temperatureVaries_) || (train == 0) != (infer == 0))
    return out;
  if (train == infer) {
    add(infer == 0 ? "greedy" : "temperature", *second);
  } else {
    add("train_temperature", *first);
    add("infer_temperature", *second);
  }
  return out;
}

std::vector<Fact> Contract::ofSlice(const Tree& slice, std::string_view key) const {
  std::vector<Fact> out;
  for (const char* share : {"weight", "token_weight"})
    if (const Tree* value = slice.find(share); value != nullptr && (key.empty() || key == share))
      out.push_back({share, "given", slice.key, "", "", "", 0, numberOf(value)});
  if (isOneOf("mean_length least_mean_length", key) && !cutsResponses(slice.key))
    for (Fact length : placed(readGiven(slice[key]))) {
      length.scope = slice.key;
      out.push_back(length);
    }
  return out;
}

/// What estimator, loss, correction and group state together: a mean over tokens is another kind of
/// gradient. Weights are made of what both ends log.
std::vector<Fact> Contract::gradient(const Tree& entry) const {
  const Tree *estimator = at({"assumptions", "estimator"}),
             *correction = at({"assumptions", "correction"}), *loss = at({"assumptions", "loss"});
  if (estimator == nullptr || correction == nullptr)
    return {};
  const bool isWeighted = !Tokens(scalarOf(*correction)).is("none");
  const bool logsServed =
      logged(kernels_.front()) == "served" && logged(kernels_.back()) == "served";
  std::vector<Fact> ofCorrection = readGiven(*correction);
  if (isWeighted && !logsServed)
    return {};
  if (&entry == correction)
    return placed(ofCorrection);
  const bool isMean = isMeanOfTokens(loss) && !isOneToken_; // which has no others
  std::vector<Fact> found =
      readEstimator(*estimator, isMean, isWeighted, at({"assumptions", "group"}) != nullptr);
  const std::vector<Fact> kind = {found.front()};
  if (isMean)
    found.erase(found.begin());
  return placed(&entry != loss ? found : isMean ? kind : std::vector<Fact>{});
}

/// The two kernels that the entry names.
std::string Contract::linkOf(const Tree& statement, const std::string& byDefault) const {
  const Tree* link = statement.find("link");
  const std::vector<std::string> names = itemsOf(link);
  require(link == nullptr || names.size() == 2, "a link has two kernels");
  const std::string out = link == nullptr ? byDefault : names[0] + ">" + names[1];
  endsOf(out);
  return out;
}

/// The slices that a statement binds, each by itself, or "*" for their mixture.
std::vector<std::string> Contract::scopesOf(const Statement& statement) const {
  const auto& named = statement.scopes;
  auto isNamed = [&](const std::string& slice) {
    return named.empty() || std::find(named.begin(), named.end(), slice) != named.end();
  };
  for (const std::string& name : named)
    require(isOneOf("other *", name) ||
                std::find(slices_.begin(), slices_.end(), name) != slices_.end(),
            "there is no slice " + name);
  if (slices_.empty() || (named.size() == 1 && named[0] == "*"))
    return {"*"};
  std::vector<std::string> out;
  std::copy_if(slices_.begin(), slices_.end(), std::back_inserter(out), isNamed);
  return out;
}

/// Log-probs are of what each kernel logs, all else of rows, and what is missing of those that the
/// second kernel cuts. Tokens that the server alone masks are left out of drifts where their mass
/// is declared missing. What a kernel does that takes the largest logit alone, rows of softmaxes do
/// not say.
std::vector<Fact> Contract::clause(const Tree& entry, const std::string& kind) const {
  requireKeys(entry, statementKeys);
  const std::string link = linkOf(entry, measured());
  auto [first, second] = endsOf(link);
  const Tree* by = entry.find("drawn");
  require(by == nullptr || scalarOf(*by) == "text" || kernel(by->text) != nullptr,
          "a clause is drawn by no kernel of the chain");
  const bool isGreedy = first->temperature == 0 || second->temperature == 0;
  std::vector<Fact> out;
  for (const Statement& statement : readRequirement(entry, kind)) {
    Fact fact = statement.fact;
    const bool isOfLogits = isOneOf("logit_linf logit_osc logit_l2 logit_rel", fact.quantity);
    fact.link = link;
    fact.drawn = by == nullptr ? server() : by->text;
    if (isKind(fact, "sample"))
      fact.laws = logged(*first) + " " + logged(*second);
    else if (isGreedy && !isOfLogits && !isOneOf("top1_flip top1_margin", fact.quantity))
      continue;
    else
      fact.laws = fact.quantity == "missing_mass" && cutsRows(*second) ? ofRows(*first) + " served"
                                                                       : rowLaws(link);
    if (isOfLogits && link == measured() && declaresMissingMass_)
      fact.laws =
          fact.laws.starts_with("served ") ? "kept" + fact.laws.substr(6) : "kept-" + fact.laws;
    for (const std::string& scope : scopesOf(statement)) {
      Work::spend(2'000);
      fact.scope = scope;
      if (!isKind(fact, "response") || !cutsResponses(scope))
        out.push_back(fact);
    }
  }
  return out;
}

/// Clauses that cannot be read state nothing, and so ask for nothing here.
std::vector<Contract::Counter> Contract::counters() const {
  std::vector<Counter> out;
  for (std::string_view section : {"numerical", "statistical", "runtime"})
    if (const Tree* clauses = root_.find(section))
      for (const Tree& entry : clauses->items)
        try {
          for (const Fact& asked : clause(entry, "counter"))
            out.push_back({entry.key, asked});
        } catch (const Rejection&) {
        }
  return out;
}

std::vector<Contract::Goal> Contract::goals() const {
  std::vector<Goal> out;
  const Tree none, *claims = root_.find("claims");
  const bool isOfBatch = isMeanOfBatch(at({"assumptions", "loss"})) && !isOneToken_;
  for (const Tree& entry : (claims == nullptr ? none : *claims).items) {
    requireKeys(entry, "require slices severity because link");
    const std::string link = linkOf(entry, ends());
    for (const Statement& statement : readRequirement(entry, "claim")) {
      // No quantity of a claim is below 0.
      if (statement.op == ">=" && statement.fact.bound <= 0)
        continue;
      Fact fact = statement.fact;
      fact.link = link;
      fact.laws = "served served";
      fact.drawn = isKind(fact, "response") ? endsOf(link).second->name : server();
      if (isOfBatch && fact.quantity == "pg_bias")
        fact.quantity = "pg_token_bias";
      for (const std::string& scope : scopesOf(statement)) {
        Work::spend(20'000);
        fact.scope = scope;
        out.push_back({&entry, fact, statement.op, statement.text});
      }
    }
  }
  return out;
}

} // namespace verify
