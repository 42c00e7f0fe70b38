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

std::string pathOf(const std::string& parent, const std::string& key) {
  return parent.empty() ? key : parent + "/" + (isOneOf("kernels slices", parent) ? "*" : key);
}

bool mergesByKey(const Tree& tree, const std::string& path) {
  return tree.kind == '{' && (path.empty() || isOneOf(mergedMaps, path));
}

bool isNull(const Tree& tree) {
  return tree.kind == 0 || (tree.kind == 'a' && isOneOf("null Null NULL ~", tree.text));
}

/// A slice that is a condition alone, as the map that this is short for.
Tree spelledOut(const Tree& slice) {
  if (isNull(slice) || (slice.kind != 'a' && slice.kind != '"'))
    return slice;
  Tree out = slice, when = slice;
  when.key = "when";
  out.kind = '{';
  out.text.clear();
  out.items = {when};
  return out;
}

void lay(Tree& under, const Tree& over, const std::string& path) {
  if (path == "slices/*" && under.kind != over.kind) {
    under = spelledOut(under);
    if (over.kind != '{')
      return lay(under, spelledOut(over), path);
  }
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

/// Whether a predicate speaks of one of these fields.
bool speaksOf(const Tree& slice, std::string_view fields) {
  const Tree& when = slice.kind == '{' ? slice["when"] : slice;
  for (Tokens in(when.text); !in.is(""); in.any())
    if (in.isOneOf(fields))
      return true;
  return false;
}

} // namespace

void requireKeys(const Tree& tree, std::string_view known) {
  for (const Tree& item : tree.items)
    require(tree.kind != '{' || item.key.starts_with("x-") || isOneOf(known, item.key),
            "unknown key `" + item.key + "`");
}

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

} // namespace verify
