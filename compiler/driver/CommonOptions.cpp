#include "driver/CommonOptions.h"

#include "diag/Drawing.h"
#include "driver/LimitNames.h"
#include "fixture/Fixture.h"
#include "support/Files.h"
#include "support/Utf8.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <iterator>
#include <string_view>
#include <thread>
#include <vector>

#include <unistd.h>

namespace tikc::driver {

namespace fs = std::filesystem;

std::optional<std::uint32_t> parseNumber(std::string_view text) {
  std::uint32_t value = 0;
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size() ? std::optional(value)
                                                                  : std::nullopt;
}

llvm::Expected<unsigned> jobsOf(const Invocation& invocation) {
  if (!invocation.has("--jobs"))
    return std::max(1u, std::thread::hardware_concurrency());
  std::string text = invocation.get("--jobs");
  auto jobs = parseNumber(text);
  if (!jobs || *jobs < 1 || *jobs > 1024)
    return usageError(fmt::format("invalid value {} for --jobs; expected a number from 1 to 1024",
                                  utf8::ticked(text)));
  return *jobs;
}

namespace {

llvm::Error lowerLimit(Limits& limits, std::string_view setting) {
  struct Row {
    std::string_view name;
    std::uint32_t Limits::*member;
  };
#define TIKC_LIMIT_ROW(member, name) {name, &Limits::member},
  static constexpr Row rows[] = {TIKC_LIMITS(TIKC_LIMIT_ROW)};
  static_assert(sizeof(Limits) == std::size(rows) * sizeof(std::uint32_t), "each limit has a row");
  auto equals = std::min(setting.find('='), setting.size());
  std::string_view name = setting.substr(0, equals);
  auto value = parseNumber(setting.substr(std::min(equals + 1, setting.size())));
  std::vector<std::string_view> names;
  for (const Row& row : rows) {
    names.push_back(row.name);
    if (row.name != name)
      continue;
    if (!value || *value > limits.*row.member)
      return usageError(
          fmt::format("--limit {}: expected a number up to {}", row.name, limits.*row.member));
    limits.*row.member = *value;
    return llvm::Error::success();
  }
  return usageError(fmt::format("unknown limit {}; expected one of {}", utf8::ticked(name),
                                fmt::join(names, ", ")));
}

} // namespace

llvm::Expected<Limits> limitsOf(const Invocation& invocation) {
  Limits limits;
  for (const std::string& setting : invocation.all("--limit"))
    if (auto error = lowerLimit(limits, setting))
      return error;
  return limits;
}

llvm::Error addInputs(project::Inputs& inputs, const Invocation& invocation, Lacking lacking) {
  auto add = [&](const std::string& path) {
    lacking == Lacking::MayBeGone ? inputs.addPathIfThere(path) : inputs.addPath(path);
  };
  if (invocation.has("--root"))
    if (auto error = inputs.setRoot(invocation.get("--root")))
      return error;
  if (invocation.has("--force-exclude"))
    inputs.forceExclude();
  bool fromStandardInput = false;
  for (const std::string& path : invocation.arguments) {
    if (path == "-" && !fromStandardInput)
      inputs.addStandardInput(invocation.get("--stdin-filename"));
    else if (path != "-")
      add(path);
    fromStandardInput |= path == "-";
  }
  if (invocation.has("--stdin-filename") && !fromStandardInput)
    return usageError("--stdin-filename requires the path `-`");
  if (invocation.arguments.empty())
    add(".");
  if (!invocation.has("--quiet"))
    for (const std::string& each : inputs.passedOver())
      fmt::print(stderr, "tikc: {}\n", each);
  return inputs.takeErrors();
}

llvm::Error refuseOptions(const Invocation& invocation, std::span<const OptionName> options,
                          std::string_view with) {
  for (OptionName option : options)
    if (invocation.has(option))
      return usageError(fmt::format("{} cannot be combined with {}", option.text(), with));
  return llvm::Error::success();
}

llvm::Error refuseOneFileTwice(const Invocation& invocation) {
  constexpr OptionName options[] = {"--output", "--evidence", "--resume", "--report", "--state"};
  for (OptionName one : options)
    for (OptionName other : options) {
      if (one.text() >= other.text() || !invocation.has(one) || !invocation.has(other))
        continue;
      std::error_code error;
      const fs::path a = fs::weakly_canonical(fs::absolute(invocation.get(one)), error);
      const fs::path b = fs::weakly_canonical(fs::absolute(invocation.get(other)), error);
      if (!error && a == b)
        return usageError(fmt::format("{} is given for both {} and {}",
                                      utf8::tickedPath(invocation.get(one)), other.text(),
                                      one.text()));
    }
  return llvm::Error::success();
}

llvm::Error refuseOtherFiles(const Invocation& invocation) {
  for (const std::string& path : invocation.arguments) {
    const fs::path name = fs::path(path).filename();
    if (path.ends_with(fixture::fixtureSuffix))
      return usageError(fmt::format("{} is a test file, not a contract; run it with `tikc test`",
                                    utf8::tickedPath(path)));
    if (name == project::baselineFile)
      return usageError(fmt::format("{} is a baseline, not a contract; `tikc baseline` updates it, "
                                    "and with --prune drops findings that are gone",
                                    utf8::tickedPath(path)));
    if (name == project::settingsFile)
      return usageError(fmt::format(
          "{} is a settings file, not a contract; tikc reads it for the contracts below it",
          utf8::tickedPath(path)));
  }
  return llvm::Error::success();
}

llvm::Error refuseStreams(const project::Inputs& inputs, const SourceManager& sources,
                          std::string_view instead) {
  for (const project::InputFile& input : inputs.files())
    if (input.stream)
      return usageError(fmt::format("cannot write to {}: it is a pipe; pipe it into `{}`",
                                    utf8::ticked(sources.get(input.file).name), instead));
  return llvm::Error::success();
}

llvm::Expected<pipeline::TestedContract*> namedContract(pipeline::TestedContracts& contracts,
                                                        const std::string& reference,
                                                        std::string_view used) {
  auto contract = contracts.find(".", reference);
  if (!contract)
    return usageError(fmt::format("{} cannot be {}: {}", utf8::tickedPath(reference), used,
                                  llvm::toString(contract.takeError())));
  return *contract;
}

llvm::Expected<std::unique_ptr<const OpenedContract>>
OpenedContract::open(const Invocation& invocation, const std::string& reference,
                     std::string_view used) {
  std::unique_ptr<OpenedContract> out(new OpenedContract(invocation.get("--root")));
  auto contract = namedContract(out->contracts_, reference, used);
  if (!contract)
    return contract.takeError();
  out->contract_ = *contract;
  return out;
}

bool complainOfErrors(const SourceManager& sources, std::span<const diag::Diagnostic> findings) {
  std::string text;
  for (const diag::Diagnostic& diagnostic : findings)
    if (diagnostic.severity == diag::Severity::Error)
      text += diag::renderText(sources, diagnostic);
  std::fwrite(text.data(), 1, text.size(), stderr);
  return !text.empty();
}

llvm::Error showText(std::string_view text) {
  return writeStandardOutput(::isatty(STDOUT_FILENO) == 1 ? printableLines(text)
                                                          : std::string(text));
}

std::string printableLines(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    std::size_t end = text.find_first_of("\n\t");
    out += utf8::printable(text.substr(0, end));
    if (end != std::string_view::npos)
      out += text[end];
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  }
  return out;
}

llvm::Expected<int> withUnread(llvm::Expected<int> status, project::Inputs& inputs) {
  llvm::Error unread = inputs.takeUnread();
  if (!unread)
    return status;
  return status ? std::move(unread) : llvm::joinErrors(status.takeError(), std::move(unread));
}

} // namespace tikc::driver
