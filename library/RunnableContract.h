#pragma once

#include "engine/LoadedPlan.h"
#include "pipeline/Pipeline.h"
#include "plan/Plan.h"

#include <string>
#include <vector>

namespace tikc::library {

/// A contract that may be run. It never changes, and who was made from it points into it.
class RunnableContract {
public:
  RunnableContract(model::Contract of, plan::Plan from);
  RunnableContract(const RunnableContract&) = delete;
  RunnableContract& operator=(const RunnableContract&) = delete;

  /// Whether objects of either may meet: their fingerprints are the same, and as nobody has to
  /// take a hash's word for where memory ends, what it is of.
  bool isOneWith(const RunnableContract& other) const;

  struct Field {
    const char* name;
    bool isText;
    std::vector<const char*> values; // of a label
    std::vector<double> bounds;      // what slices compare it with, from the least on
  };

  const model::Contract contract;
  const plan::Plan plan;
  const engine::LoadedPlan tables;
  const engine::LoadedPolicy policy;
  std::vector<std::string> streamNames;
  std::vector<Field> fields; // then labels, as requests number them
};

} // namespace tikc::library
