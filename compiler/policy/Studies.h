#pragma once

#include "checker/plan/Plan.h"

#include <memory>
#include <vector>

namespace tikc::policy {

class Study;

/// A cache of studies of recent policies. Keystrokes in a contract rarely change its rules.
class Studies {
public:
  Studies();
  ~Studies();

  Study& of(plan::Plan plan);

private:
  std::vector<std::unique_ptr<Study>> kept_; // the most recently used first
};

} // namespace tikc::policy
