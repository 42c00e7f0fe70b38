#pragma once

#include "plan/Plan.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tikc::emit {

/// A file that a target makes, by its name within the output folder.
struct File {
  std::string name;
  std::string text;
};

struct Options {
  bool isStandalone = false;  // needs no other file
  bool hasCInterface = false; // for engines in C, and what loads libraries
};

/// One header with the checker and the router of each contract, each in a namespace of its own;
/// first, before what goes with it. `stem` is the contracts' file, without its ending.
std::vector<File> emitCpp(const std::vector<plan::Plan>& plans, const std::string& stem,
                          const Options& options);

/// Why no checker can be made of a plan, as what is said of its contract: it leaves open what a
/// checker has to know, or is more than one can hold.
std::optional<std::string> whyNotCpp(const plan::Plan& plan);

/// What checkers of a plan and their tallies carry: tallies of the same fingerprint merge.
std::uint64_t fingerprint(const plan::Plan& plan);

/// The same of its router.
std::uint64_t policyFingerprint(const plan::Plan& plan);

/// How many bytes each object of a plan's checker takes.
std::string stats(const plan::Plan& plan);

} // namespace tikc::emit
