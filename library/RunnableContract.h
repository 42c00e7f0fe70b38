#pragma once

#include "checker/engine/DeviceRows.h"
#include "checker/engine/LoadedPlan.h"
#include "checker/plan/Plan.h"
#include "pipeline/Pipeline.h"

#include <string>
#include <vector>

namespace tikc::library {

/// A contract that can run. It never changes, and objects made from it point into it.
class RunnableContract {
public:
  RunnableContract(model::Contract source, plan::Plan from);
  RunnableContract(const RunnableContract&) = delete;
  RunnableContract& operator=(const RunnableContract&) = delete;

  /// Returns whether objects of the two may interact: their fingerprints are equal, and so is the
  /// text that the fingerprint hashes, because memory safety must not depend on a hash.
  bool isOneWith(const RunnableContract& other) const;

  struct Field {
    const char* name;
    bool isText;
    std::vector<const char*> values; // of a label
    std::vector<double> bounds;      // the values that slices compare it with, ascending
  };

  const model::Contract contract;
  const plan::Plan plan;
  const engine::LoadedPlan tables;
  const engine::LoadedPolicy policy;
  const engine::DeviceRows deviceRows; // keeps compiled kernels
  std::vector<std::string> streamNames;
  std::vector<Field> fields; // request fields, then labels, in the order of requests
};

} // namespace tikc::library
