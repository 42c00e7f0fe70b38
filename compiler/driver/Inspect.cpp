#include "driver/CommonOptions.h"
#include "driver/Inspection.h"
#include "support/Utf8.h"

#include <fmt/format.h>

#include <charconv>

namespace tikc::driver {
namespace {

llvm::Expected<std::int64_t> wholeNumber(const Invocation& invocation, std::string_view option) {
  const std::string text = invocation.get(option);
  std::int64_t value = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), value);
  if (!text.empty() && (read.ec != std::errc() || read.ptr != text.data() + text.size()))
    return usageError(
        fmt::format("{} is no whole number, as {} takes it", utf8::ticked(text), option));
  return value;
}

/// How many of something may be passed over.
llvm::Expected<std::uint64_t> mostOf(const Invocation& invocation, std::string_view option) {
  auto value = wholeNumber(invocation, option);
  if (!value)
    return value.takeError();
  if (*value < 0)
    return usageError(fmt::format("{} is a number from 0 on", option));
  return static_cast<std::uint64_t>(*value);
}

llvm::Expected<data::Options> dataOptions(const Invocation& invocation) {
  data::Options out;
  out.presets = invocation.all("--preset");
  out.map = invocation.get("--map");
  out.join = invocation.get("--join");
  auto shift = wholeNumber(invocation, "--shift");
  if (!shift)
    return shift.takeError();
  out.shift = *shift;
  auto vocabulary = wholeNumber(invocation, "--vocabulary");
  if (!vocabulary)
    return vocabulary.takeError();
  constexpr std::int64_t most = 1 << 24;
  if (invocation.has("--vocabulary") && (*vocabulary < 2 || *vocabulary > most))
    return usageError(fmt::format("--vocabulary is a number from 2 to {}", most));
  out.vocabulary = static_cast<std::size_t>(*vocabulary);
  return out;
}

/// As they are typed again for the next command.
std::string typedOptions(const Invocation& invocation) {
  std::string out;
  for (std::string_view option : {"--preset", "--map", "--shift", "--join", "--vocabulary"})
    if (invocation.has(option))
      for (const std::string& value : invocation.all(option))
        out += fmt::format(" {}={}", option, shellWord(value));
  return out;
}

/// What keeps data from being judged, if anything does.
llvm::Error whyNotRead(const data::Source& source, const data::Summary& summary,
                       std::uint64_t broken, std::uint64_t unpaired) {
  const data::PieceReport& report = summary.report;
  if (const std::string& fault = source.survey().fault;
      source.layout().bindings.empty() && source.survey().fields.empty() && !fault.empty())
    return usageError(
        fmt::format("{}: {}", utf8::tickedPath(source.inputs().front()->files().front()), fault));
  if (source.layout().bindings.empty())
    return usageError(
        "the data are not like those of any known writer: say with --map which fields "
        "are train and infer");
  if (report.unpaired > unpaired)
    return usageError(fmt::format("{} response{} no partner on the other side",
                                  data::grouped(report.unpaired),
                                  report.unpaired == 1 ? " has" : "s have"));
  if (report.broken > broken)
    return usageError(fmt::format("{} of {} records {} broken", data::grouped(report.broken),
                                  data::grouped(std::max(report.broken, report.records)),
                                  report.broken == 1 ? "is" : "are"));
  if (report.records == 0)
    return usageError("there is no record in what was named");
  return llvm::Error::success();
}

} // namespace

llvm::Expected<int> runInspect(const Invocation& invocation) {
  if (invocation.arguments.empty())
    return usageError("DATA is missing (usage: " + usage(invocation.command) + ")");
  auto jobs = jobsOf(invocation);
  if (!jobs)
    return jobs.takeError();
  auto broken = mostOf(invocation, "--broken");
  if (!broken)
    return broken.takeError();
  auto unpaired = mostOf(invocation, "--unpaired");
  if (!unpaired)
    return unpaired.takeError();
  auto options = dataOptions(invocation);
  if (!options)
    return options.takeError();
  auto source = data::Source::open(invocation.arguments, *options);
  if (!source)
    return source.takeError();
  data::Summary summary;
  if (!source->layout().bindings.empty())
    summary = data::summarise(*source, *jobs, options->limits);
  for (const data::Fault& fault : summary.report.faults)
    fmt::print(stderr, "tikc: {}\n", data::describe(fault));
  const Inspection inspection{*source, summary, invocation.arguments, typedOptions(invocation),
                              options->join};
  if (auto error = writeOutput(invocation, invocation.get("--format") == "json"
                                               ? inspectionJson(inspection)
                                               : inspectionText(inspection)))
    return error;
  if (auto error = whyNotRead(*source, summary, *broken, *unpaired))
    return error;
  return Clean;
}

} // namespace tikc::driver
