#include "driver/Commands.h"

#include "support/Files.h"
#include "support/KnownFiles.h"
#include "support/UsageError.h"
#include "support/Utf8.h"

#include <fmt/format.h>

#include <algorithm>

namespace tikc::driver {
namespace {

#define RENDERING(Name, argument, ...) "|" argument
constexpr std::string_view barredFormats =
#include "diag/report/Renderings.def"
    ;
constexpr std::string_view formatWords = barredFormats.substr(1);

#define TRAINER(Id, name, ...) "|" name
constexpr std::string_view barredTrainers =
#include "trainers/TrainerFigures.def"
    ;
constexpr std::string_view trainerWords = barredTrainers.substr(1);

#define PRESET(name, ...) name ", "
constexpr std::string_view presetHelp = "The source of the data, one of "
#include "data/pairing/Presets.def"
                                        "if it is not detected.";

constexpr CommandInfo commandTable[] = {
#define COMMAND(Id, name, summary, description) {Command::Id, name, summary, description},
#include "driver/Commands.def"
};

constexpr ArgumentInfo argumentTable[] = {
#define ARGUMENT(command, name, arity, completes, help)                                            \
  {Command::command, name, Arity::arity, Completes::completes, help},
#include "driver/Commands.def"
};

constexpr OptionInfo optionTable[] = {
#define COMMAND(Id, ...)                                                                           \
  {Command::Id, "-h,--help", "", "", "", Completes::Nothing, "Print this help and exit."},
#define OPTION(command, names, value, words, fallback, completes, help)                            \
  {Command::command, names, value, words, fallback, Completes::completes, help},
#define FLAG(command, names, help) {Command::command, names, "", "", "", Completes::Nothing, help},
#include "driver/Commands.def"
};

constexpr ExampleInfo commandExamples[] = {
#define EXAMPLE(command, line, meaning) {Command::command, line, meaning},
#include "driver/Commands.def"
};

constexpr ExitInfo exitTable[] = {
#define EXIT(status, meaning) {status, meaning},
#include "driver/Commands.def"
};

} // namespace

std::span<const CommandInfo> commands() { return commandTable; }
std::span<const ArgumentInfo> arguments() { return argumentTable; }
std::span<const OptionInfo> options() { return optionTable; }
std::span<const ExampleInfo> examples() { return commandExamples; }
std::span<const ExitInfo> exits() { return exitTable; }
const CommandInfo& info(Command command) { return commandTable[static_cast<std::size_t>(command)]; }

const CommandInfo* findCommand(std::string_view name) {
  auto match = std::find_if(std::begin(commandTable) + 1, std::end(commandTable),
                            [&](const CommandInfo& row) { return row.name == name; });
  return match == std::end(commandTable) ? nullptr : match;
}

std::string Invocation::get(OptionName option) const {
  const std::string_view name = option.text();
  if (auto match = options.find(name); match != options.end() && !match->second.empty())
    return match->second.back();
  for (const OptionInfo& row : optionTable)
    if (row.command == command && row.longName() == name)
      return std::string(row.fallback);
  return {};
}

std::vector<std::string> Invocation::all(OptionName option) const {
  auto match = options.find(option.text());
  return match == options.end() ? std::vector<std::string>() : match->second;
}

llvm::Error refuseOverwriting(const Invocation& invocation, const std::filesystem::path& made) {
  std::error_code error;
  // Before anything was opened the names have to do.
  const bool isNamed = std::any_of(
      invocation.arguments.begin(), invocation.arguments.end(),
      [&](const std::string& each) { return std::filesystem::equivalent(each, made, error); });
  if (!isNamed && !known_files::has(made))
    return llvm::Error::success();
  return usageError(fmt::format("refusing to overwrite {}, which this command reads or has written",
                                utf8::tickedPath(made.native())));
}

llvm::Error writeOutput(const Invocation& invocation, std::string_view text) {
  std::string file = invocation.get("--output");
  if (!invocation.has("--output") || file == "-")
    return writeStandardOutput(text);
  if (auto error = refuseOverwriting(invocation, file))
    return error;
  return writeFile(file, text);
}

} // namespace tikc::driver
