#pragma once

#include "ide/Analysis.h"
#include "ide/completion/Context.h"

#include <map>
#include <string>
#include <vector>

namespace tikc::ide {

/// The names that a contract has where the cursor is: its parents' and its own.
struct Names {
  std::vector<std::string> kernels, chain, slices, clauses, receivers;
  std::vector<std::string> rules, moves; // of contracts that are tested: and what moves traffic
  std::map<std::string, std::vector<std::string>> labels; // with their values
  /// By section: what parents declare there.
  std::map<std::string, std::vector<std::string>, std::less<>> inherited;
};

/// Of the model, which knows the parents, and of the sketch, which knows what stands behind a line
/// that is half typed.
Names namesAt(const CursorContext& context, const Analysis& analysis);

} // namespace tikc::ide
