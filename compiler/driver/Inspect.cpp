#include "driver/CommonOptions.h"
#include "driver/DataOptions.h"
#include "measure/inspection/Inspection.h"
#include "support/Utf8.h"

#include <fmt/format.h>
#include <llvm/ADT/StringExtras.h>

#include <cmath>

namespace tikc::driver {
namespace {

/// As they are typed again for the next command.
std::string typedOptions(const Invocation& invocation) {
  std::string out;
  for (OptionName option : fieldOptions)
    if (invocation.has(option))
      for (const std::string& value : invocation.all(option))
        out += fmt::format(" {}={}", option.text(), measure::shellWord(value));
  return out;
}

llvm::Expected<data::SummaryOptions> figuresAsked(const Invocation& invocation) {
  data::SummaryOptions out;
  std::optional<double> cap;
  if (invocation.has("--cap")) {
    double value = 0;
    if (!llvm::to_float(invocation.get("--cap"), value) || !(value > 0) || !std::isfinite(value))
      return usageError(fmt::format("invalid value {} for --cap; expected a number above 0",
                                    utf8::ticked(invocation.get("--cap"))));
    if (!invocation.has("--figures"))
      return usageError("--cap requires --figures");
    cap = value;
  }
  if (const auto trainer = trainers::trainerNamed(invocation.get("--figures")))
    out.figures.emplace_back(*trainer, cap);
  return out;
}

} // namespace

llvm::Expected<int> runInspect(const Invocation& invocation) {
  if (invocation.arguments.empty())
    return missingArgument(invocation.command, "DATA");
  auto request = dataAsked(invocation);
  if (!request)
    return request.takeError();
  auto figures = figuresAsked(invocation);
  if (!figures)
    return figures.takeError();
  auto source = data::Source::open(invocation.arguments, request->options);
  if (!source)
    return source.takeError();
  data::Summary summary;
  if (source->layout().namesNumbers())
    summary = data::summarise(*source, request->jobs, request->options.limits, *figures);
  for (const data::Fault& fault : summary.report.faults)
    fmt::print(stderr, "tikc: {}\n", data::describe(fault));
  if (auto error = source->whyNotIntact())
    return error;
  auto whyNot = whyNotRead(*source, summary.report, *request);
  if (whyNot && summary.report.records <= summary.report.broken && source->survey().fields.empty())
    return whyNot; // nothing to show
  const measure::Inspection inspection{*source, summary, invocation.arguments,
                                       typedOptions(invocation), request->options.join};
  if (auto error = writeOutput(invocation, invocation.get("--format") == "json"
                                               ? measure::inspectionJson(inspection)
                                               : measure::inspectionText(inspection)))
    return llvm::joinErrors(std::move(error), std::move(whyNot));
  if (whyNot)
    return whyNot;
  return Clean;
}

} // namespace tikc::driver
