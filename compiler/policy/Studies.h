#pragma once

#include "plan/Plan.h"

#include <memory>
#include <vector>

namespace tikc::policy {

class Study;

/// Studies of the policies that were asked about last: what changes in a contract from one
/// keystroke to the next is hardly ever its rules.
class Studies {
public:
  Studies();
  ~Studies();

  Study& of(plan::Plan plan);

private:
  std::vector<std::unique_ptr<Study>> kept_; // the last one asked first
};

} // namespace tikc::policy
