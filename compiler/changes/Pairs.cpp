#include "changes/Pairs.h"

#include "changes/Flattening.h"

#include <algorithm>
#include <iterator>
#include <numeric>

namespace tikc::changes {
namespace {

/// Beyond so many pairs of contracts none is held to another.
constexpr std::size_t mostLikenesses = 4096;

/// What a contract says, and the ids of what it promises, each in order. Contracts of one project
/// have much in common, kernels and rules, so that those alone make none of them another.
struct Sayings {
  std::vector<std::pair<std::string, std::string>> all;
  std::vector<std::string> promised;
};
Sayings sayingsOf(const ContractPlace& place) {
  Sayings out;
  if (!place.contract)
    return out;
  Facts facts = factsOf(*place.contract);
  for (std::string_view own : namesOfContract)
    facts.erase(std::string(own));
  out.all.assign(facts.begin(), facts.end());
  for (const model::Clause& clause : place.contract->clauses)
    if (!clause.directive)
      out.promised.push_back(clause.id.text);
  for (const model::Claim& claim : place.contract->claims)
    out.promised.push_back(claim.id.text);
  std::sort(out.promised.begin(), out.promised.end());
  return out;
}

/// How many of the things that either has both have, out of one.
template <typename Row> double sharedPart(const std::vector<Row>& a, const std::vector<Row>& b) {
  std::vector<Row> both;
  std::set_intersection(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(both));
  std::size_t either = a.size() + b.size() - both.size();
  return either == 0 ? 0 : static_cast<double>(both.size()) / static_cast<double>(either);
}

constexpr double half = 0.5;

double likeness(const Sayings& a, const Sayings& b) {
  return sharedPart(a.promised, b.promised) > half ? sharedPart(a.all, b.all) : 0;
}

/// Of many the likest one, if there is one.
std::optional<std::size_t> likestOf(const std::vector<double>& row) {
  auto best = std::max_element(row.begin(), row.end());
  bool isLone = best != row.end() && *best > half && std::count(row.begin(), row.end(), *best) == 1;
  return isLone ? std::optional(static_cast<std::size_t>(best - row.begin())) : std::nullopt;
}

class ContractPairing {
public:
  ContractPairing(const std::vector<ContractPlace>& was, const std::vector<ContractPlace>& is)
      : was_(was), is_(is), old_(indicesOf(was)), fresh_(indicesOf(is)) {}

  std::vector<ContractPair> pairs() {
    using Place = ContractPlace;
    match([](const Place& a, const Place& b) { return a.name == b.name && a.place == b.place; });
    match([](const Place& a, const Place& b) { return !a.name.empty() && a.name == b.name; });
    if (was_.size() == 1 && is_.size() == 1 && !was_[0].isAside && !is_[0].isAside)
      match([](const Place&, const Place&) { return true; });
    match([this](const Place& a, const Place& b) {
      return a.place == b.place && isLoneAt(was_, old_, a.place) && isLoneAt(is_, fresh_, b.place);
    });
    matchLikest();
    for (std::size_t each : old_)
      out_.push_back({each, std::nullopt});
    for (std::size_t each : fresh_)
      out_.push_back({std::nullopt, each});
    return std::move(out_);
  }

private:
  static std::vector<std::size_t> indicesOf(const std::vector<ContractPlace>& rows) {
    std::vector<std::size_t> out(rows.size());
    std::iota(out.begin(), out.end(), std::size_t{0});
    return out;
  }

  /// Of those that have no partner, the only one in its file.
  static bool isLoneAt(const std::vector<ContractPlace>& rows, const std::vector<std::size_t>& left,
                       const std::string& place) {
    return std::count_if(left.begin(), left.end(),
                         [&](std::size_t each) { return rows[each].place == place; }) == 1;
  }

  void match(const auto& isSame) {
    std::vector<ContractPair> found;
    std::vector<std::size_t> left = fresh_;
    for (std::size_t each : old_) {
      auto same = std::find_if(left.begin(), left.end(),
                               [&](std::size_t other) { return isSame(was_[each], is_[other]); });
      if (same == left.end())
        continue;
      found.push_back({each, *same});
      left.erase(same);
    }
    take(found);
  }

  void take(const std::vector<ContractPair>& found) {
    for (const ContractPair& pair : found) {
      out_.push_back(pair);
      std::erase(old_, *pair.old);
      std::erase(fresh_, *pair.fresh);
    }
  }

  void matchLikest() {
    if (old_.empty() || fresh_.empty() || old_.size() * fresh_.size() > mostLikenesses)
      return;
    std::vector<std::vector<double>> byOld(old_.size(), std::vector<double>(fresh_.size())),
        byFresh(fresh_.size(), std::vector<double>(old_.size()));
    std::vector<Sayings> before, after;
    for (std::size_t each : old_)
      before.push_back(sayingsOf(was_[each]));
    for (std::size_t each : fresh_)
      after.push_back(sayingsOf(is_[each]));
    for (std::size_t i = 0; i < before.size(); ++i)
      for (std::size_t j = 0; j < after.size(); ++j)
        byOld[i][j] = byFresh[j][i] = likeness(before[i], after[j]);
    std::vector<ContractPair> found;
    for (std::size_t i = 0; i < byOld.size(); ++i)
      if (auto j = likestOf(byOld[i]); j && likestOf(byFresh[*j]) == i)
        found.push_back({old_[i], fresh_[*j]});
    take(found);
  }

  const std::vector<ContractPlace>&was_, &is_;
  std::vector<std::size_t> old_, fresh_; // that have no partner yet
  std::vector<ContractPair> out_;
};

} // namespace

std::vector<ContractPair> pairContracts(const std::vector<ContractPlace>& was,
                                        const std::vector<ContractPlace>& is) {
  return ContractPairing(was, is).pairs();
}

} // namespace tikc::changes
