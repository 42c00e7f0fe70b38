#include "changes/Pairs.h"

#include <algorithm>
#include <numeric>

namespace tikc::changes {
namespace {

class ContractPairing {
public:
  ContractPairing(const std::vector<ContractPlace>& was, const std::vector<ContractPlace>& is)
      : was_(was), is_(is), old_(indicesOf(was)), fresh_(indicesOf(is)) {}

  std::vector<ContractPair> pairs() {
    using Place = ContractPlace;
    match([](const Place& a, const Place& b) { return a.name == b.name && a.place == b.place; });
    match([](const Place& a, const Place& b) { return !a.name.empty() && a.name == b.name; });
    if (was_.size() == 1 && is_.size() == 1)
      match([](const Place&, const Place&) { return true; });
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

  void match(const auto& isSame) {
    std::erase_if(old_, [&](std::size_t each) {
      auto found = std::find_if(fresh_.begin(), fresh_.end(),
                                [&](std::size_t other) { return isSame(was_[each], is_[other]); });
      if (found == fresh_.end())
        return false;
      out_.push_back({each, *found});
      fresh_.erase(found);
      return true;
    });
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
