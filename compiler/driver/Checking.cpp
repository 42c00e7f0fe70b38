#include "driver/Checking.h"

#include "driver/Workers.h"
#include "pipeline/Merge.h"

#include <map>
#include <memory>

namespace tikc::driver {

Checked Checking::check(const std::vector<pipeline::Input>& files) const {
  Checked out;
  out.results.resize(files.size());
  out.contracts.resize(files.size());
  runParallel(files.size(), jobs_, [&] {
    // Shared, since std::function wants to copy what it calls.
    auto checkers = std::make_shared<std::map<const pipeline::Settings*, pipeline::Checker>>();
    return [&, checkers](std::size_t i) {
      const pipeline::Input& input = files[i];
      pipeline::CheckedFile& result = out.results[i];
      result.file = input.file;
      if (input.tooLarge) {
        result.diagnostics.push_back(*input.tooLarge);
        return;
      }
      result = checkers->try_emplace(input.settings, sources_, *input.settings, limits_)
                   .first->second.check(input.file);
      // Only their number is told; a thousand models are better gone while the threads are at it.
      out.contracts[i] = result.contracts.size();
      result.contracts = {};
      result.proofs = {};
      result.tree = {};
      result.parents = {};
    };
  });
  return out;
}

std::vector<diag::Diagnostic> Checking::findings(const Checked& checked) const {
  std::vector<pipeline::CheckedFile> copies;
  for (const pipeline::CheckedFile& result : checked.results) {
    copies.emplace_back();
    copies.back().file = result.file;
    copies.back().diagnostics = result.diagnostics;
  }
  return pipeline::mergeFindings(sources_, copies);
}

} // namespace tikc::driver
