#include "model/Laws.h"

#include <algorithm>

namespace tikc::model {
namespace {

KernelLaws lawsOf(const Contract& contract, const Name& name) {
  KernelLaws out;
  out.name = name.text;
  auto match = std::find_if(contract.kernels.begin(), contract.kernels.end(),
                            [&](const Kernel& each) { return each.name.text == name.text; });
  const Kernel* kernel = match == contract.kernels.end() ? nullptr : &*match;
  const auto& own = kernel ? kernel->sampling.temperature : contract.policy.temperature;
  if (const auto& serves = own ? own : contract.policy.temperature) {
    out.temperature = serves->value;
    out.temperatureFrom = &*serves;
  }
  if (!kernel)
    return out;
  const Sampling& sampling = kernel->sampling;
  if (sampling.topP && sampling.topP->value < 1)
    out.cuts.push_back({"top_p", &*sampling.topP});
  if (sampling.topK)
    out.cuts.push_back({"top_k", &*sampling.topK});
  if (sampling.minP && sampling.minP->value > 0)
    out.cuts.push_back({"min_p", &*sampling.minP});
  out.logsRaw = kernel->logprobs && kernel->logprobs->value == "raw";
  return out;
}

} // namespace

std::string_view lawName(Law law) {
  static constexpr std::string_view names[] = {"raw", "nominal", "whole", "served"};
  return names[static_cast<std::size_t>(law)];
}

bool speaksOf(const Expr& predicate, std::initializer_list<std::string_view> fields) {
  if (predicate.kind == Expr::Kind::Name &&
      std::find(fields.begin(), fields.end(), predicate.text) != fields.end())
    return true;
  return std::any_of(predicate.arguments.begin(), predicate.arguments.end(),
                     [&](const Expr& argument) { return speaksOf(argument, fields); });
}

Laws::Laws(const Contract& contract) : support_(contract.assumptions.support) {
  for (const Name& name : contract.chain)
    kernels_.push_back(lawsOf(contract, name));
  for (const Slice& slice : contract.slices) {
    if (!slice.when)
      continue;
    temperatureVaries_ = temperatureVaries_ || speaksOf(*slice.when, {"temperature"});
    cutVaries_ = cutVaries_ || speaksOf(*slice.when, {"top_p"});
    slicesCutResponses_ =
        slicesCutResponses_ || speaksOf(*slice.when, {"position", "response_tokens"});
    slicesSplitGroups_ = slicesSplitGroups_ || slicesCutResponses_ || temperatureVaries_ ||
                         cutVaries_ || speaksOf(*slice.when, {"batch_size", "model_version"});
  }
  if (!support_)
    return;
  hasFullSupport_ = support_->kind == SupportKind::Full && !cutVaries_ && contradictions().empty();
  declaresMissingMass_ = support_->kind == SupportKind::MissingMass;
}

std::optional<std::size_t> Laws::placeOf(std::string_view kernel) const {
  for (std::size_t i = 0; i < kernels_.size(); ++i)
    if (kernels_[i].name == kernel)
      return i;
  return std::nullopt;
}

bool Laws::servesWhole(std::size_t kernel) const {
  if (kernels_[kernel].declaresCut())
    return false;
  return kernel != server() || hasFullSupport_;
}

Law Laws::settled(std::size_t kernel, Law law) const {
  if (law == Law::Raw && kernels_[kernel].temperature == 1)
    law = ofRows(kernel);
  return law == Law::Whole && servesWhole(kernel) ? Law::Served : law;
}

Law Laws::logged(std::size_t kernel) const {
  return settled(kernel, kernels_[kernel].logsRaw ? Law::Raw : Law::Served);
}

bool Laws::logsDiffer(std::size_t kernel) const {
  bool varies = kernel == server() && (temperatureVaries_ || cutVaries_);
  return varies || kernels_[kernel].temperature != 1 || kernels_[kernel].declaresCut();
}

Law Laws::ofRows(std::size_t kernel) const {
  bool isRequests = kernel == server() && temperatureVaries_;
  return settled(kernel, isRequests ? Law::Nominal : Law::Whole);
}

std::vector<Laws::Contradiction> Laws::contradictions() const {
  std::vector<Contradiction> out;
  if (!support_ || kernels_.empty() || support_->kind == SupportKind::MissingMass)
    return out;
  const KernelLaws& last = kernels_.back();
  if (support_->kind == SupportKind::Full) {
    if (last.isGreedy())
      out.push_back({"temperature: 0", last.temperatureFrom});
    for (const KernelLaws::Cut& cut : last.cuts)
      out.push_back({cut.key, cut.setting});
    return out;
  }
  // What keeps less than it is assumed to keep.
  for (const KernelLaws::Cut& cut : last.cuts)
    if (cut.key == "top_p" && cut.setting->value < support_->value)
      out.push_back({cut.key, cut.setting});
  return out;
}

std::uint32_t Laws::drawerOf(const Statement& statement) const {
  if (!statement.drawn)
    return static_cast<std::uint32_t>(server());
  auto place = placeOf(statement.drawn->text);
  return place ? static_cast<std::uint32_t>(*place) : Drawer::ofText;
}

} // namespace tikc::model
