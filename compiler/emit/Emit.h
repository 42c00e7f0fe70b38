#pragma once

#include "plan/Plan.h"

#include <string>
#include <vector>

namespace tikc::emit {

/// A file that a target makes, by its name within the output folder.
struct File {
  std::string name;
  std::string text;
};

struct Options {
  bool isStandalone = false; // needs no other file
};

/// One header with the checker and the router of each contract, each in a namespace of its own.
/// `stem` is the contracts' file, without its ending.
File emitCpp(const std::vector<plan::Plan>& plans, const std::string& stem, const Options& options);

} // namespace tikc::emit
