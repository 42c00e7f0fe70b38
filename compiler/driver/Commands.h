#pragma once

#include "support/UsageError.h"

#include <llvm/Support/Error.h>

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/// The table of the command line (Commands.def), for the parser and the generated files.
namespace tikc::driver {

enum class Command : std::uint8_t {
#define COMMAND(Id, ...) Id,
#include "driver/Commands.def"
};

enum class Arity : std::uint8_t { One, Maybe, Many };
/// The values that a shell completes.
enum class Completes : std::uint8_t {
  Nothing,
  Words,
  Files,
  Contracts,
  Folders,
  Codes,
  CodesAndContracts,
  Lemmas,
  Commands
};

struct ArgumentInfo {
  Command command;
  std::string_view name;
  Arity arity;
  Completes completes;
  std::string_view help;
};

struct OptionInfo {
  Command command;
  std::string_view names;    // "-o,--output"
  std::string_view value;    // "FILE"; empty for a flag
  std::string_view words;    // "a|b": the only values
  std::string_view fallback; // the default value
  Completes completes;
  std::string_view help;

  bool isFlag() const { return value.empty(); }
  constexpr std::string_view longName() const { return names.substr(names.find("--")); }
  std::string_view shortName() const {
    return names.starts_with("--") ? std::string_view() : names.substr(0, 2);
  }
};

struct ExampleInfo {
  Command command;
  std::string_view line;
  std::string_view meaning;
};

struct ExitInfo {
  int status;
  std::string_view meaning;
};

struct CommandInfo {
  Command command;
  std::string_view name;
  std::string_view summary;
  std::string_view description;
};

std::span<const CommandInfo> commands();
std::span<const ArgumentInfo> arguments();
std::span<const OptionInfo> options();
std::span<const ExampleInfo> examples();
std::span<const ExitInfo> exits();
const CommandInfo& info(Command command);
const CommandInfo* findCommand(std::string_view name);
/// Returns "tikc check [OPTION…] [PATH…]".
std::string usage(Command command);
/// Returns the error for a command line without the argument of this name.
llvm::Error missingArgument(Command command, std::string_view name);
/// Returns the text of --help.
std::string helpText(Command command);

enum ExitStatus : int { Clean = 0, Findings = 1, WrongUse = 2, Failed = 3, Undecided = 4 };

/// The long name of an option of the table. A name that no option has does not compile.
class OptionName {
public:
  consteval OptionName(const char* text) : text_(text) { // NOLINT(google-explicit-constructor)
    if (!isKnown(text_))
      isOfNoOption();
  }
  constexpr explicit OptionName(const OptionInfo& row) : text_(row.longName()) {}

  constexpr std::string_view text() const { return text_; }

private:
  static consteval bool isKnown(std::string_view text) {
    constexpr std::string_view rows[] = {
#define OPTION(command, names, ...) names,
#define FLAG(command, names, help) names,
#include "driver/Commands.def"
        "-h,--help"};
    for (std::string_view names : rows)
      if (names.substr(names.find("--")) == text)
        return true;
    return false;
  }
  static void isOfNoOption(); // not defined: a constant expression cannot call it

  std::string_view text_;
};

/// A parsed command line.
struct Invocation {
  Command command = Command::Main;
  std::vector<std::string> arguments;
  std::map<std::string_view, std::vector<std::string>> options; // by long name
  std::string line;                                             // as a shell reads it

  bool has(OptionName option) const { return options.contains(option.text()); }
  /// Returns the last given value, otherwise the default.
  std::string get(OptionName option) const;
  std::vector<std::string> all(OptionName option) const;
};

/// Fails if the output file is also a named input.
llvm::Error refuseOverwriting(const Invocation& invocation, const std::filesystem::path& made);
/// Writes atomically to the file of --output, or to standard output.
llvm::Error writeOutput(const Invocation& invocation, std::string_view text);

/// Each command is in a file of its own name.
#define COMMAND(Id, ...) llvm::Expected<int> run##Id(const Invocation& invocation);
#include "driver/Commands.def"

/// Runs tikc; main() only calls this.
int run(int argc, const char* const* argv);

} // namespace tikc::driver
