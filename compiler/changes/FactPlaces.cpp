#include "changes/FactPlaces.h"

#include "model/Members.h"

namespace tikc::changes {
namespace {

template <typename T> std::optional<Span> spanOf(const std::optional<T>& member) {
  return member ? std::optional(member->span) : std::nullopt;
}
std::optional<Span> spanOf(const std::optional<model::Call>& member) {
  return member ? std::optional(member->expr.span) : std::nullopt;
}
std::optional<Span> spanOf(const std::vector<model::Layer>& members) {
  return members.empty() ? std::nullopt : std::optional(members.front().span);
}

} // namespace

template <typename Map> void FactPlaces::addMembers(const std::string& prefix, const Map& map) {
  forEachMember(map, [&](std::string_view key, const auto& member) {
    if (auto span = spanOf(member))
      places_.emplace(prefix + std::string(key), *span);
  });
}

FactPlaces::FactPlaces(const model::Contract& contract) {
  for (const model::Kernel& kernel : contract.kernels)
    places_.emplace("kernels." + kernel.name.text, kernel.name.span);
  for (const model::Label& label : contract.labels)
    places_.emplace("labels." + label.name.text, label.name.span);
  addMembers("model.", contract.policy);
  addMembers("load.", contract.load);
  addMembers("assumptions.", contract.assumptions);
}

Span FactPlaces::at(std::string path) const {
  for (;;) {
    if (auto known = places_.find(path); known != places_.end())
      return known->second;
    auto dot = path.rfind('.');
    if (dot == std::string::npos)
      return {};
    path.resize(dot);
  }
}

} // namespace tikc::changes
