#include "driver/CommonOptions.h"
#include "driver/EvidenceFiles.h"
#include "support/Files.h"
#include "support/Utf8.h"

#include <fmt/format.h>

namespace tikc::driver {

llvm::Expected<int> runMerge(const Invocation& invocation) {
  const std::string path = invocation.get("--output");
  if (invocation.arguments.empty() || path.empty() || path == "-")
    return usageError(
        "EVIDENCE and the FILE of --output are needed (usage: " + usage(invocation.command) + ")");
  auto evidence = readEvidence(invocation.arguments, invocation.has("--allow-other"));
  if (!evidence)
    return evidence.takeError();
  // All is in memory by now, so that the file may be one of those that were read.
  if (auto error = writeFile(path, evidence->bytes()))
    return error;
  std::string told =
      fmt::format("{}: {}\n", utf8::printable(path), measure::summaryOf(*evidence).text());
  if (!evidence->origins.empty())
    for (const std::string& each : measure::othersIn(*evidence, evidence->origins.front()))
      told += utf8::printable(each) + "\n";
  if (auto error = showText(told))
    return error;
  return Clean;
}

} // namespace tikc::driver
