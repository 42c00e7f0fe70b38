#pragma once

#include "ide/Analysis.h"
#include "ide/completion/Context.h"

#include <map>
#include <string>
#include <vector>

namespace tikc::ide {

/// The names available at the cursor: the contract's own and those of its parents.
struct Names {
  std::vector<std::string> kernels, chain, slices, clauses, receivers;
  std::vector<std::string> rules, moves; // of tested contracts; `moves` are actions on traffic
  std::map<std::string, std::vector<std::string>> labels; // with their values
  /// Names declared by parents, by section.
  std::map<std::string, std::vector<std::string>, std::less<>> inherited;
};

/// Combines the model, which knows the parents, with the sketch, which knows the text after an
/// incomplete line.
Names namesAt(const CursorContext& context, const Analysis& analysis);

} // namespace tikc::ide
