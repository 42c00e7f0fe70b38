#include "verifier/Contract.h"

#include <algorithm>
#include <filesystem>

namespace verify {
namespace {

/// Maps that merge by key where one contract extends another, by their paths; * is any name. All
/// else is replaced whole.
constexpr std::string_view mergedMaps =
    " labels kernels pair model load assumptions slices numerical statistical runtime observability"
    " claims escalation promotion assumptions/staleness kernels/* kernels/*/sampling slices/* ";
/// What a contract does not take from the one that it extends.
constexpr std::string_view ownKeys = "tikc contract extends abstract draft";
constexpr std::string_view statementKeys =
    "require slices over confidence severity because link drawn";

std::string pathOf(const std::string& parent, const std::string& key) {
  return parent.empty() ? key : parent + "/" + (isOneOf("kernels slices", parent) ? "*" : key);
}

bool mergesByKey(const Tree& tree, const std::string& path) {
  return tree.kind == '{' && (path.empty() || isOneOf(mergedMaps, path));
}

bool isNull(const Tree& tree) {
  return tree.kind == 0 || (tree.kind == 'a' && isOneOf("null Null NULL ~", tree.text));
}

void lay(Tree& under, const Tree& over, const std::string& path) {
  if (!mergesByKey(under, path) || !mergesByKey(over, path)) {
    under = over;
    return;
  }
  under.file = over.file;
  under.at = over.at;
  for (const Tree& item : over.items) {
    auto same = [&](const Tree& other) { return other.key == item.key; };
    auto known = std::find_if(under.items.begin(), under.items.end(), same);
    if (known == under.items.end())
      under.items.push_back(item);
    else
      lay(*known, item, pathOf(path, item.key));
  }
}

void removeNulls(Tree& tree, const std::string& path) {
  if (!mergesByKey(tree, path))
    return;
  std::erase_if(tree.items, isNull);
  for (Tree& item : tree.items)
    removeNulls(item, pathOf(path, item.key));
}

bool locate(const Tree& tree, std::size_t file, std::size_t at, std::vector<const Tree*>& path) {
  for (const Tree& item : tree.items) {
    path.push_back(&item);
    if ((tree.kind == '{' && item.file == file && item.at == at) || locate(item, file, at, path))
      return true;
    path.pop_back();
  }
  return false;
}

/// A key that is not known here may mean anything.
void requireKeys(const Tree& tree, std::string_view known) {
  for (const Tree& item : tree.items)
    require(tree.kind != '{' || item.key.starts_with("x-") || isOneOf(known, item.key),
            "`" + item.key + "` is no key that is known where it stands");
}

/// Whether a predicate speaks of one of these fields.
bool speaksOf(const Tree& slice, std::string_view fields) {
  for (Tokens in(slice["when"].text); !in.is(""); in.any())
    if (in.isOneOf(fields))
      return true;
  return false;
}

bool isKind(const Fact& fact, std::string_view kind) {
  return isOneOf(kindOf(fact.quantity), kind);
}

} // namespace

Contract::Contract(const std::vector<File>& files, std::string_view name) {
  for (std::size_t i = 0; i < files.size(); ++i) {
    documents_.push_back(parseYaml(files[i].content, i));
    size_ += files[i].content.size();
  }
  require(!files.empty(), "there is no contract file");
  root_ = resolved(files, 0, name, true, 0);
  removeNulls(root_, "");
  require(root_["tikc"].text == "v1", "the contract is not in v1 of the language");
  readKernels();
  readSlices();
  readSupport();
  const Tree *estimator = at({"assumptions", "estimator"}),
             *correction = at({"assumptions", "correction"});
  isOneToken_ = estimator != nullptr && correction != nullptr && estimator->text == "step";
}

Tree Contract::resolved(const std::vector<File>& files, std::size_t file, std::string_view name,
                        bool isNamed, int depth) const {
  Work::spend(32 * size_);
  require(depth < 32, "the contract extends others without end");
  const Tree* found = nullptr;
  for (const Tree& document : documents_[file].items) {
    const Tree* own = document.find("contract");
    if (isNamed && (own == nullptr || own->text != name))
      continue;
    require(found == nullptr, files[file].name + " has several contracts that could be meant");
    found = &document;
  }
  require(found != nullptr, files[file].name + " has no contract " + std::string(name));
  const Tree* extends = found->find("extends");
  if (extends == nullptr || isNull(*extends))
    return *found;
  std::string_view wanted = scalarOf(*extends);
  const bool isWanted = wanted.find('#') != std::string_view::npos;
  const std::string path(take(wanted, "#"));
  std::size_t parent = file;
  if (!path.empty()) {
    auto place = std::filesystem::path(files[file].name).parent_path() / path;
    auto isThere = [&](const File& each) {
      return std::filesystem::path(each.name).lexically_normal() == place.lexically_normal();
    };
    parent =
        static_cast<std::size_t>(std::find_if(files.begin(), files.end(), isThere) - files.begin());
    require(path[0] != '/' && parent < files.size(),
            files[file].name + " extends " + path + ", which is not given");
  }
  Tree out = resolved(files, parent, wanted, isWanted, depth + 1);
  std::erase_if(out.items, [](const Tree& item) { return isOneOf(ownKeys, item.key); });
  lay(out, *found, "");
  return out;
}

const Tree* Contract::at(std::initializer_list<std::string_view> path) const {
  const Tree* out = &root_;
  for (std::string_view key : path)
    out = out == nullptr ? nullptr : out->find(key);
  return out;
}

std::vector<const Tree*> Contract::find(std::size_t file, std::size_t at) const {
  Work::spend(32 * size_);
  std::vector<const Tree*> path;
  locate(root_, file, at, path);
  return path;
}

// Kernels and their laws.

void Contract::readKernels() {
  const Tree *pair = root_.find("pair"), *chain = root_.find("chain");
  require((pair == nullptr) != (chain == nullptr), "it has neither a pair nor a chain, or both");
  if (pair != nullptr)
    requireKeys(*pair, "train infer");
  for (const std::string& name :
       pair != nullptr ? std::vector{scalarOf((*pair)["train"]), scalarOf((*pair)["infer"])}
                       : itemsOf(chain)) {
    require(kernel(name) == nullptr && !isOneOf("text", name),
            "a kernel is in the chain twice, or its name is that of no kernel");
    readKernel(name);
  }
  require(kernels_.size() >= 2, "its chain has fewer than two kernels");
  if (at({"assumptions", "staleness"}) == nullptr)
    return;
  Kernel newest = kernels_.front();
  newest.name.insert(0, "newest ");
  require(kernel(newest.name) == nullptr, "a kernel has the name of newer weights");
  kernels_.insert(kernels_.begin(), newest);
  trainer_ = 1;
}

void Contract::readKernel(const std::string& name) {
  Kernel kernel;
  kernel.name = name;
  const Tree& entry = root_["kernels"][name];
  const Tree none, *given = entry.find("sampling"), *logs = entry.find("logprobs");
  const Tree& sampling = given == nullptr ? none : *given;
  require(given == nullptr || given->kind == '{', "its sampling cannot be read");
  requireKeys(sampling, "temperature top_p top_k min_p");
  auto setting = [&](std::string_view key, const Number& by) {
    const Tree* value = sampling.find(key);
    return value == nullptr ? by : numberOf(value);
  };
  const Tree* own = sampling.find("temperature");
  kernel.temperatureAt = own != nullptr ? own : at({"model", "temperature"});
  kernel.temperature = numberOf(kernel.temperatureAt);
  require(0 <= kernel.temperature, "a temperature is below 0");
  kernel.cuts =
      setting("top_p", 1) < 1 || sampling.find("top_k") != nullptr || 0 < setting("min_p", 0);
  require(logs == nullptr || isOneOf("raw processed", scalarOf(*logs)),
          "what its log-probs are of cannot be read");
  kernel.logsRaw = logs != nullptr && logs->text == "raw";
  kernels_.push_back(kernel);
}

const Contract::Kernel* Contract::kernel(std::string_view name) const {
  auto found = std::find_if(kernels_.begin(), kernels_.end(),
                            [&](const Kernel& each) { return each.name == name; });
  return found == kernels_.end() ? nullptr : &*found;
}

std::pair<const Contract::Kernel*, const Contract::Kernel*>
Contract::endsOf(std::string_view link) const {
  const Kernel *first = kernel(take(link, ">")), *second = kernel(link);
  require(first != nullptr && second != nullptr && first < second,
          "a link is not from one kernel of the chain to a later one");
  return {first, second};
}

/// The law as the weakest kind that equals it: a kernel serves all of what it does not cut. Of the
/// server that has to be assumed.
std::string Contract::settled(const Kernel& kernel, std::string law) const {
  if (law == "raw" && kernel.temperature == 1)
    law = ofRows(kernel);
  bool servesWhole = !kernel.cuts && (!isServer(kernel) || hasFullSupport_);
  return law == "whole" && servesWhole ? "served" : law;
}

/// At the temperature that is declared, which is not that of requests which bring their own.
std::string Contract::ofRows(const Kernel& kernel) const {
  return settled(kernel, isServer(kernel) && temperatureVaries_ ? "nominal" : "whole");
}

/// Whether every one of its rows is cut as the kernel declares, and so measured.
bool Contract::cutsRows(const Kernel& kernel) const {
  return kernel.cuts && !(isServer(kernel) && (temperatureVaries_ || cutVaries_));
}

std::string Contract::logged(const Kernel& kernel) const {
  return settled(kernel, kernel.logsRaw ? "raw" : "served");
}

std::string Contract::rowLaws(const std::string& link) const {
  auto [first, second] = endsOf(link);
  return ofRows(*first) + " " + ofRows(*second);
}

// Slices and support.

void Contract::readSlices() {
  Number sum;
  bool isAllKnown = true;
  if (const Tree* slices = root_.find("slices"))
    for (const Tree& slice : slices->items) {
      requireKeys(slice, "when weight token_weight mean_length least_mean_length summary");
      require(!isOneOf("other all", slice.key), "a slice has the name of another thing");
      slices_.push_back(slice.key);
      temperatureVaries_ = temperatureVaries_ || speaksOf(slice, "temperature");
      cutVaries_ = cutVaries_ || speaksOf(slice, "top_p");
      slicesCut_ = slicesCut_ || speaksOf(slice, "position response_tokens");
      slicesSplit_ = slicesSplit_ || speaksOf(slice, "position response_tokens temperature top_p "
                                                     "batch_size model_version");
      const Tree* weight = slice.find("weight");
      isAllKnown = isAllKnown && weight != nullptr;
      const Number share = weight == nullptr ? 0 : numberOf(weight);
      sum = sum + share;
      require(0 <= share && sum <= 1, "its slices' weights are below 0, or above the whole");
    }
  if (!slices_.empty() && !(isAllKnown && sum == 1))
    slices_.emplace_back("other");
}

bool Contract::cutsResponses(const std::string& slice) const {
  return slicesCut_ && slice != "*" && !slice.empty();
}

void Contract::readSupport() {
  const Tree* support = at({"assumptions", "support"});
  if (const Tree* given = root_.find("assumptions"))
    requireKeys(
        *given,
        "support mean_length least_mean_length reward step_reward reward_sigma reward_lipschitz "
        "advantage group score_norm loss estimator correction discount ratio_cap layers "
        "head_norm staleness");
  if (support == nullptr)
    return;
  const Kernel& last = kernels_.back();
  const bool isFull = support->kind != '{';
  require(isFull ? scalarOf(*support) == "full" : support->items.size() == 1,
          "its support cannot be read");
  requireKeys(*support, "missing_mass top_p");
  declaresMissingMass_ = support->find("missing_mass") != nullptr;
  const Tree *kept = support->find("top_p"), *own = at({"kernels", last.name, "sampling", "top_p"});
  isContradicted_ = (isFull && (last.cuts || last.temperature == 0)) ||
                    (kept != nullptr && own != nullptr && numberOf(own) < numberOf(kept));
  hasFullSupport_ = isFull && !cutVaries_ && !isContradicted_;
}

// What texts state.

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
    return clause(entry);
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
std::vector<Fact> Contract::clause(const Tree& entry) const {
  requireKeys(entry, statementKeys);
  const std::string link = linkOf(entry, measured());
  auto [first, second] = endsOf(link);
  const Tree* by = entry.find("drawn");
  require(by == nullptr || scalarOf(*by) == "text" || kernel(by->text) != nullptr,
          "a clause is drawn by no kernel of the chain");
  const bool isGreedy = first->temperature == 0 || second->temperature == 0;
  std::vector<Fact> out;
  for (const Statement& statement : readRequirement(entry, "clause")) {
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
