#include "driver/CommonOptions.h"
#include "driver/DataOptions.h"
#include "driver/Inspection.h"

#include <fmt/format.h>

namespace tikc::driver {
namespace {

/// As they are typed again for the next command.
std::string typedOptions(const Invocation& invocation) {
  std::string out;
  for (std::string_view option : {"--preset", "--map", "--shift", "--join", "--vocabulary"})
    if (invocation.has(option))
      for (const std::string& value : invocation.all(option))
        out += fmt::format(" {}={}", option, shellWord(value));
  return out;
}

} // namespace

llvm::Expected<int> runInspect(const Invocation& invocation) {
  if (invocation.arguments.empty())
    return usageError("DATA is missing (usage: " + usage(invocation.command) + ")");
  auto asked = dataAsked(invocation);
  if (!asked)
    return asked.takeError();
  auto source = data::Source::open(invocation.arguments, asked->options);
  if (!source)
    return source.takeError();
  data::Summary summary;
  if (!source->layout().bindings.empty())
    summary = data::summarise(*source, asked->jobs, asked->options.limits);
  for (const data::Fault& fault : summary.report.faults)
    fmt::print(stderr, "tikc: {}\n", data::describe(fault));
  const Inspection inspection{*source, summary, invocation.arguments, typedOptions(invocation),
                              asked->options.join};
  if (auto error = writeOutput(invocation, invocation.get("--format") == "json"
                                               ? inspectionJson(inspection)
                                               : inspectionText(inspection)))
    return error;
  if (auto error = whyNotRead(*source, summary.report, asked->tolerated))
    return error;
  return Clean;
}

} // namespace tikc::driver
