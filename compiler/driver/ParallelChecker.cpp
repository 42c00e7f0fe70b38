#include "driver/ParallelChecker.h"

#include "support/Workers.h"

#include <map>
#include <memory>

namespace tikc::driver {

pipeline::CheckedFiles ParallelChecker::check(const std::vector<project::InputFile>& files,
                                              const Look& look) const {
  pipeline::CheckedFiles out;
  out.results.resize(files.size());
  out.contracts.resize(files.size());
  runParallel(files.size(), jobs_, [&] {
    // Shared, since std::function wants to copy what it calls.
    auto checkers = std::make_shared<std::map<const project::Settings*, pipeline::Checker>>();
    return [&, checkers](std::size_t i) {
      const project::InputFile& input = files[i];
      pipeline::CheckedFile& result = out.results[i];
      result.file = input.file;
      if (input.tooLarge) {
        result.diagnostics.push_back(*input.tooLarge);
        return;
      }
      auto [checker, fresh] =
          checkers->try_emplace(input.settings, sources_, *input.settings, limits_);
      if (fresh && countsVerdictsOnly_)
        checker->second.countVerdictsOnly();
      result = checker->second.check(input.file);
      if (look)
        look(i, result);
      out.contracts[i] = pipeline::countAndForget(result); // while the threads are at it
    };
  });
  return out;
}

} // namespace tikc::driver
