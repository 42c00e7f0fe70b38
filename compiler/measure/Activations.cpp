#include "measure/Activations.h"

namespace tikc::measure {

void Activations::add(const Activation& each) {
  ++count_;
  if (each.starts)
    active_.emplace(each.rule, each.slice);
  else
    active_.erase({each.rule, each.slice});
  if (first_.size() < mostAtAnEnd)
    return first_.push_back(each);
  if (last_.size() == mostAtAnEnd)
    last_.pop_front();
  last_.push_back(each);
}

std::vector<Activation> Activations::kept() const {
  std::vector<Activation> out = first_;
  out.insert(out.end(), last_.begin(), last_.end());
  return out;
}

} // namespace tikc::measure
