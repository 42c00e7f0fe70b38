#include "driver/DataOptions.h"

#include "driver/CommonOptions.h"
#include "support/Names.h"
#include "support/Utf8.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace tikc::driver {
namespace {

llvm::Expected<std::int64_t> wholeNumber(const Invocation& invocation, OptionName option) {
  const std::string text = invocation.get(option);
  std::int64_t value = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), value);
  if (!text.empty() && (read.ec != std::errc() || read.ptr != text.data() + text.size()))
    return usageError(fmt::format("invalid value {} for {}; expected a whole number",
                                  utf8::ticked(text), option.text()));
  return value;
}

llvm::Expected<std::uint64_t> mostOf(const Invocation& invocation, OptionName option) {
  auto value = wholeNumber(invocation, option);
  if (!value)
    return value.takeError();
  if (*value < 0)
    return usageError(fmt::format("invalid value {} for {}; expected a number of at least 0",
                                  *value, option.text()));
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
    return usageError(fmt::format(
        "invalid value {} for --vocabulary; expected a number from 2 to {}", *vocabulary, most));
  out.vocabulary = static_cast<std::size_t>(*vocabulary);
  return out;
}

llvm::Expected<Tolerance> toleratedBy(const Invocation& invocation) {
  auto broken = mostOf(invocation, "--broken");
  if (!broken)
    return broken.takeError();
  auto unpaired = mostOf(invocation, "--unpaired");
  if (!unpaired)
    return unpaired.takeError();
  return Tolerance{*broken, *unpaired};
}

/// A field that the command line names and no record has.
llvm::Error whyNotNamed(const data::Source& source, const data::PieceReport& report,
                        const data::Options& options) {
  constexpr std::size_t most = 20;
  if (options.map.empty() || report.records == 0)
    return llvm::Error::success();
  auto named = data::parseMap(options.map);
  if (!named)
    return named.takeError();
  for (const data::Binding& each : *named) {
    if (report.found.contains(data::nameOf(each)))
      continue;
    std::vector<std::string_view> names;
    for (const data::SurveyedField& field : source.survey().fields)
      names.push_back(field.path);
    std::string message =
        fmt::format("--map maps {} to the field {}, which no record has",
                    utf8::ticked(data::nameOf(each)), utf8::ticked(each.paths.front()));
    if (const auto near = nearestName(each.paths.front(), names))
      message += fmt::format("; did you mean {}?", utf8::ticked(*near));
    else
      message += '.';
    message += " Fields: ";
    for (std::size_t i = 0; i < std::min(most, names.size()); ++i)
      message += fmt::format("{}{}", i == 0 ? "" : ", ", utf8::printable(names[i]));
    return usageError(message + (names.size() > most ? ", and more" : ""));
  }
  return llvm::Error::success();
}

} // namespace

llvm::Expected<DataRequest> dataAsked(const Invocation& invocation) {
  auto jobs = jobsOf(invocation);
  if (!jobs)
    return jobs.takeError();
  auto tolerated = toleratedBy(invocation);
  if (!tolerated)
    return tolerated.takeError();
  auto options = dataOptions(invocation);
  if (!options)
    return options.takeError();
  options->readsAhead = *jobs > 1;
  options->limits.digestsBytes = false; // who names data by it asks for it
  return DataRequest{std::move(*options), *tolerated, *jobs};
}

llvm::Error whyNotRecognised(const data::Source& source) {
  if (source.layout().namesNumbers())
    return llvm::Error::success();
  const data::Survey& survey = source.survey();
  const std::string fault =
      survey.records == 0 && survey.fault.empty() ? "expected records, found none" : survey.fault;
  if (survey.fields.empty() && !fault.empty())
    return usageError(
        fmt::format("{}: {}", utf8::tickedPath(source.inputs().front()->files().front()), fault));
  return usageError("unknown data format; name the fields with --map train=FIELD,infer=FIELD");
}

llvm::Error whyNotRead(const data::Source& source, const data::PieceReport& report,
                       const DataRequest& request) {
  const Tolerance& tolerated = request.tolerated;
  if (auto error = whyNotRecognised(source))
    return error;
  if (auto error = source.whyNotIntact())
    return error;
  if (report.lost)
    return usageError(fmt::format("{} could not be read to its end, which --broken does not excuse",
                                  utf8::tickedPath(report.lost->file)));
  if (auto error = whyNotNamed(source, report, request.options))
    return error;
  if (report.unpaired > tolerated.unpaired)
    return usageError(fmt::format("{} response{} no partner on the other side",
                                  data::grouped(report.unpaired),
                                  report.unpaired == 1 ? " has" : "s have"));
  if (report.broken > tolerated.broken)
    return usageError(fmt::format("{} of {} records {} broken", data::grouped(report.broken),
                                  data::grouped(std::max(report.broken, report.records)),
                                  report.broken == 1 ? "is" : "are"));
  if (report.records == 0)
    return usageError("no records found");
  if (auto error = data::whyNotMarked(report))
    return error;
  return llvm::Error::success();
}

} // namespace tikc::driver
