#include "driver/CommonOptions.h"
#include "driver/DataOptions.h"
#include "suggest/Choices.h"
#include "suggest/Contest.h"
#include "suggest/Proposal.h"
#include "suggest/Tightening.h"
#include "support/Diff.h"
#include "support/Files.h"
#include "support/Names.h"
#include "support/Utf8.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>

namespace tikc::driver {
namespace {

/// "25%", "0.25"
llvm::Expected<Rational> shareOf(const Invocation& invocation, OptionName option) {
  std::string text = invocation.get(option);
  const bool isPercent = text.ends_with('%');
  if (isPercent)
    text.pop_back();
  auto number = parseDecimal(text);
  if (!number)
    return usageError(fmt::format("invalid value {} for {}; expected a share",
                                  utf8::ticked(invocation.get(option)), option.text()));
  return isPercent ? Rational(*number / 100) : *number;
}

llvm::Expected<std::optional<Rational>> givenNumber(const Invocation& invocation,
                                                    OptionName option) {
  if (!invocation.has(option))
    return std::nullopt;
  const auto number = parseDecimal(invocation.get(option));
  if (!number || *number <= 0)
    return usageError(fmt::format("invalid value {} for {}; expected a number above 0",
                                  utf8::ticked(invocation.get(option)), option.text()));
  return number;
}

llvm::Error readShares(const Invocation& invocation, suggest::SuggestionOptions& out) {
  auto headroom = shareOf(invocation, "--headroom");
  if (!headroom)
    return headroom.takeError();
  if (*headroom < 0 || *headroom > 10)
    return usageError(fmt::format("invalid value {} for --headroom; expected 0% to 1000%",
                                  utf8::ticked(invocation.get("--headroom"))));
  out.headroom = *headroom;
  auto confidence = shareOf(invocation, "--confidence");
  if (!confidence)
    return confidence.takeError();
  if (*confidence < Rational(1, 2) || *confidence > Rational(999999, 1000000))
    return usageError(fmt::format("invalid value {} for --confidence; expected 50% to 99.9999%",
                                  utf8::ticked(invocation.get("--confidence"))));
  out.confidence = *confidence;
  return llvm::Error::success();
}

llvm::Error readGivens(const Invocation& invocation, suggest::SuggestionOptions& out) {
  for (const auto& [option, into] : {std::pair(OptionName("--advantage"), &out.advantage),
                                     std::pair(OptionName("--score-norm"), &out.scoreNorm),
                                     std::pair(OptionName("--load"), &out.load)}) {
    auto number = givenNumber(invocation, option);
    if (!number)
      return number.takeError();
    *into = *number;
  }
  out.hasFullSupport = invocation.has("--full-support");
  if (out.advantage.has_value() != out.scoreNorm.has_value())
    return usageError("--advantage and --score-norm require each other");
  if (!invocation.has("--reward"))
    return llvm::Error::success();
  const std::string text = invocation.get("--reward");
  const std::size_t comma = std::min(text.find(','), text.size());
  const auto low = parseDecimal(text.substr(0, comma));
  const auto high = parseDecimal(text.substr(std::min(comma + 1, text.size())));
  if (!low || !high || *low >= *high)
    return usageError(
        fmt::format("invalid value {} for --reward; expected LOW,HIGH", utf8::ticked(text)));
  out.reward = std::pair(*low, *high);
  return llvm::Error::success();
}

llvm::Expected<suggest::SuggestionOptions> askedOf(const Invocation& invocation) {
  suggest::SuggestionOptions out;
  if (auto error = readShares(invocation, out))
    return error;
  if (auto error = readGivens(invocation, out))
    return error;
  if (invocation.has("--name"))
    out.name = invocation.get("--name");
  if (invocation.has("--engines")) {
    const std::string text = invocation.get("--engines");
    const std::size_t comma = text.find(',');
    if (comma == std::string::npos || comma == 0 || comma + 1 == text.size())
      return usageError(
          fmt::format("invalid value {} for --engines; expected TRAINER,SERVER, such as fsdp2,vllm",
                      utf8::ticked(text)));
    out.trainer = text.substr(0, comma);
    out.server = text.substr(comma + 1);
  }
  return out;
}

/// Opened, with the labels that there are to slice by.
llvm::Expected<data::Source> openForSlices(const Invocation& invocation,
                                           std::span<const std::string> paths,
                                           data::Options& options) {
  if (std::find(paths.begin(), paths.end(), "-") != paths.end())
    return usageError("standard input cannot be read several times; expected a file");
  options.labels = invocation.all("--by");
  for (const std::string& each : options.labels)
    if (!isIdentifier(each) || !data::isLabel(each))
      return usageError(
          fmt::format("{} cannot be a label of a contract; name the field with --map LABEL={}",
                      utf8::ticked(each), utf8::printable(each)));
  auto source = data::Source::open(paths, options);
  if (!source || invocation.has("--by"))
    return source;
  options.labels = suggest::labelsIn(*source);
  return data::Source::open(paths, options);
}

/// A look at all of the data, which are such as can be judged.
llvm::Expected<suggest::Look> lookedAt(const Invocation& invocation, const data::Source& source,
                                       const DataRequest& request) {
  if (auto error = whyNotRecognised(source))
    return error;
  suggest::Look look = suggest::look(source, request.jobs, request.options.limits);
  for (const data::Fault& fault : look.report.faults)
    fmt::print(stderr, "tikc: {}\n", data::describe(fault));
  if (auto error = whyNotRead(source, look.report, request))
    return error;
  if (look.unpaired > request.tolerated.unpaired)
    return usageError(fmt::format("{} response{} log-probs of only one side",
                                  data::grouped(look.unpaired),
                                  look.unpaired == 1 ? " has" : "s have"));
  for (const std::string& each : invocation.all("--by"))
    if (!look.report.found.contains(each))
      return usageError(
          fmt::format("no record has the field {}, which --by names", utf8::ticked(each)));
  if (look.report.responses != 0 && look.all.size.count + look.nonFinite == 0)
    return usageError("no response has a token that counts");
  return look;
}

llvm::Expected<int> compareServers(const Invocation& invocation,
                                   const suggest::SuggestionOptions& request,
                                   const suggest::Look& ours) {
  auto reading = dataAsked(invocation);
  if (!reading)
    return reading.takeError();
  const std::vector<std::string> paths = invocation.all("--against");
  auto source = openForSlices(invocation, paths, reading->options);
  if (!source)
    return source.takeError();
  auto theirs = lookedAt(invocation, *source, *reading);
  if (!theirs)
    return theirs.takeError();
  const suggest::Look& others = *theirs;
  for (const suggest::Look* each : {&ours, &others}) {
    if (each->all.size.count == 0)
      return usageError("--against requires log-probs of tokens in both data; found none in one");
    if (each->nonFinite != 0)
      return usageError(fmt::format("{} log-prob{} not finite, so their mean is undefined",
                                    data::grouped(each->nonFinite),
                                    each->nonFinite == 1 ? " is" : "s are"));
  }
  if (auto error = writeOutput(invocation, suggest::contestText(ours, *theirs, request.confidence)))
    return error;
  return Clean;
}

llvm::Expected<int> updateBase(const Invocation& invocation,
                               const suggest::SuggestionOptions& request,
                               const data::Source& source, const suggest::Look& look,
                               unsigned jobs) {
  const std::string path = invocation.get("--base");
  auto text = readFile(path, {});
  if (!text)
    return text.takeError();
  if (text->tooLarge)
    return usageError(fmt::format("{} is too large to read", utf8::tickedPath(path)));
  const suggest::TighteningResult out = suggest::tighten(text->text, request, source, look, jobs);
  if (auto error = source.whyNotIntact()) // it was read again
    return error;
  if (!out.fault.empty())
    return usageError(fmt::format("cannot update {}: {}", utf8::tickedPath(path), out.fault));
  for (const std::string& note : out.notes)
    fmt::print(stderr, "tikc: {}\n", note);
  if (out.text == text->text)
    fmt::print(stderr, "tikc: these data do not change {}\n", utf8::tickedPath(path));
  const bool isWhole = invocation.get("--format") == "yaml";
  if (auto error = writeOutput(invocation,
                               isWhole ? out.text
                                       : unifiedDiff(utf8::printable(path), text->text, out.text)))
    return error;
  return Clean;
}

llvm::Expected<int> listClauses(const Invocation& invocation,
                                const suggest::SuggestionOptions& request,
                                const data::Source& source, const suggest::Look& look,
                                unsigned jobs) {
  const std::string quantity = invocation.get("--claim");
  const suggest::Choices out = suggest::choicesFor(quantity, request, source, look, jobs);
  if (auto error = source.whyNotIntact()) // it was read again
    return error;
  if (!out.fault.empty())
    return usageError(
        fmt::format("invalid value {} for --claim; {}", utf8::ticked(quantity), out.fault));
  if (out.table.empty()) {
    fmt::print(stderr, "tikc: {}\n", out.refusal);
    return Findings;
  }
  if (auto error = writeOutput(invocation, out.table))
    return error;
  return Clean;
}

llvm::Error whyNotAsked(const Invocation& invocation) {
  if (invocation.arguments.empty())
    return missingArgument(invocation.command, "DATA");
  if (invocation.has("--base") && invocation.has("--against"))
    return usageError("--base cannot be combined with --against");
  for (const OptionName other : {OptionName("--base"), OptionName("--against")})
    if (invocation.has("--claim") && invocation.has(other))
      return usageError(fmt::format("--claim cannot be combined with {}", other.text()));
  if (invocation.has("--format") && !invocation.has("--base"))
    return usageError("--format requires --base");
  return llvm::Error::success();
}

} // namespace

llvm::Expected<int> runSuggest(const Invocation& invocation) {
  if (auto error = whyNotAsked(invocation))
    return error;
  auto request = askedOf(invocation);
  if (!request)
    return request.takeError();
  auto reading = dataAsked(invocation);
  if (!reading)
    return reading.takeError();
  auto source = openForSlices(invocation, invocation.arguments, reading->options);
  if (!source)
    return source.takeError();
  auto look = lookedAt(invocation, *source, *reading);
  if (!look)
    return look.takeError();
  if (invocation.has("--against"))
    return compareServers(invocation, *request, *look);
  if (invocation.has("--claim"))
    return listClauses(invocation, *request, *source, *look, reading->jobs);
  const suggest::Proposal proposal = suggest::propose(*request, *source, *look, reading->jobs);
  if (auto error = source->whyNotIntact()) // it was read again
    return error;
  if (!proposal.fault.empty())
    return usageError("the suggested contract would have findings: " + proposal.fault);
  if (proposal.text.empty()) {
    fmt::print(stderr, "tikc: no contract was suggested: {}\n", proposal.refusal);
    return Findings;
  }
  if (invocation.has("--base"))
    return updateBase(invocation, *request, *source, *look, reading->jobs);
  if (auto error = writeOutput(invocation, proposal.text))
    return error;
  return Clean;
}

} // namespace tikc::driver
