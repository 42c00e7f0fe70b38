#include "data/bytes/Mapped.h"
#include "driver/Commands.h"
#include "support/Check.h"
#include "support/Escape.h"
#include "support/Files.h"
#include "support/KnownFiles.h"
#include "support/Names.h"
#include "support/Rational.h"
#include "support/Utf8.h"
#include "tikc/Version.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <csignal>
#include <cstdio>
#include <fcntl.h>
#include <new>
#include <unistd.h>

namespace tikc::driver {
namespace {

void complain(std::string_view message) { fmt::print(stderr, "tikc: {}\n", message); }

llvm::Error unknownCommand(std::string_view name) {
  std::vector<std::string_view> names;
  for (const CommandInfo& row : commands().subspan(1))
    names.push_back(row.name);
  std::string message = fmt::format("unknown command {}", utf8::ticked(name));
  if (auto near = nearestName(name, names))
    message += fmt::format("; did you mean `{}`?", *near);
  else
    message += fmt::format("; expected one of {}", fmt::join(names, ", "));
  return usageError(message);
}

std::string seeHelp(Command command) {
  return fmt::format(" (see `tikc{}{} --help`)", command == Command::Main ? "" : " ",
                     info(command).name);
}

llvm::Error unknownOption(std::string_view word, Command command) {
  std::string_view name = word.substr(0, word.find('='));
  std::vector<std::string_view> names;
  for (const OptionInfo& row : options())
    if (row.command == command)
      names.push_back(row.longName().substr(2));
  std::string message = fmt::format("unknown option {}", utf8::ticked(name));
  if (auto near = name.starts_with("--") ? nearestName(name.substr(2), names) : std::nullopt)
    message += fmt::format("; did you mean `--{}`?", *near);
  return usageError(message + seeHelp(command));
}

/// CLI11 leaves what is no option to us: as positionals it would split a path like [a,b] in two.
llvm::Error takeArguments(Invocation& out, const std::vector<std::string>& rest) {
  bool verbatim = false;
  for (const std::string& word : rest) {
    if (!verbatim && word == "--")
      verbatim = true;
    else if (!verbatim && word.starts_with('-') && word.size() > 1)
      return unknownOption(word, out.command);
    else
      out.arguments.push_back(word);
  }
  std::size_t most = 0;
  for (const ArgumentInfo& row : arguments())
    if (row.command == out.command)
      most += row.arity == Arity::Many ? out.arguments.size() : 1;
  if (out.arguments.size() <= most)
    return llvm::Error::success();
  return usageError(fmt::format("unexpected argument {}", utf8::ticked(out.arguments.back())) +
                    seeHelp(out.command));
}

/// Splits `--option=` in two, so that it has an empty value. CLI11 would take the next word for it,
/// which can be a file to read, and write to it.
std::vector<std::string> withEmptyValues(Command command, std::vector<std::string> words) {
  std::vector<std::string> out;
  bool isOption = true;
  for (std::string& word : words) {
    isOption = isOption && word != "--";
    const std::string_view name = std::string_view(word).substr(0, word.find('='));
    const bool isEmpty =
        isOption && word.size() == name.size() + 1 &&
        std::any_of(options().begin(), options().end(), [&](const OptionInfo& row) {
          return row.command == command && !row.isFlag() && row.longName() == name;
        });
    if (isEmpty)
      word.pop_back();
    out.push_back(std::move(word));
    if (isEmpty)
      out.emplace_back();
  }
  return out;
}

/// Configures CLI11 with the rows of one command alone: the others would cost time at each start.
llvm::Expected<Invocation> parse(Command command, std::vector<std::string> words) {
  Invocation out;
  out.command = command;
  CLI::App parser;
  parser.set_help_flag();
  parser.allow_extras();
  for (const OptionInfo& row : options()) {
    if (row.command != command)
      continue;
    std::string names(row.names);
    if (row.isFlag())
      parser.add_flag_callback(names, [&out, &row] { out.options[row.longName()]; });
    else
      parser
          .add_option_function<std::vector<std::string>>(
              names,
              [&out, &row](const std::vector<std::string>& values) {
                out.options[row.longName()] = values;
              })
          ->expected(1)
          ->allow_extra_args(false)
          ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  }
  words = withEmptyValues(command, std::move(words));
  std::reverse(words.begin(), words.end()); // CLI11 takes them from the back
  try {
    parser.parse(std::move(words));
  } catch (const CLI::ParseError& error) {
    return usageError(utf8::printable(error.what()) + seeHelp(command));
  }
  if (auto error = takeArguments(out, parser.remaining()))
    return error;
  return out;
}

/// CLI11's own check would list the words without saying which is near.
llvm::Error checkWords(const Invocation& invocation) {
  for (const OptionInfo& row : options()) {
    if (row.command != invocation.command)
      continue;
    // A script's variable that was never set, as in -o "$REPORT".
    if (!row.isFlag())
      for (const std::string& value : invocation.all(OptionName(row)))
        if (value.empty())
          return usageError(fmt::format("empty {1} for {0}", row.longName(), row.value));
    if (row.words.empty())
      continue;
    auto words = splitWords(row.words);
    for (const std::string& value : invocation.all(OptionName(row)))
      if (std::find(words.begin(), words.end(), value) == words.end())
        return usageError(fmt::format("invalid value {} for {}; expected {}", utf8::ticked(value),
                                      row.longName(), joinAlternatives(words)));
  }
  std::size_t place = 0;
  for (const ArgumentInfo& row : arguments())
    if (row.command == invocation.command && row.arity == Arity::One &&
        invocation.arguments.size() <= place++)
      return missingArgument(row.command, row.name);
  return llvm::Error::success();
}

llvm::Expected<int> print(std::string_view text) {
  if (auto error = writeStandardOutput(text))
    return error;
  return Clean;
}

llvm::Expected<int> dispatch(const Invocation& invocation) {
  bool ofLemma = invocation.command == Command::Bound && !invocation.arguments.empty();
  if (invocation.has("--help") && !ofLemma)
    return print(helpText(invocation.command));
  if (auto error = checkWords(invocation))
    return error;
  static constexpr llvm::Expected<int> (*commands[])(const Invocation&) = {
#define COMMAND(Id, ...) run##Id,
#include "driver/Commands.def"
  };
  return commands[static_cast<std::size_t>(invocation.command)](invocation);
}

llvm::Expected<int> runWords(std::vector<std::string> words) {
  std::string line = "tikc";
  for (const std::string& word : words)
    line += " " + escape::shellWord(word);
  Command command = Command::Main;
  if (!words.empty() && !words.front().starts_with('-')) {
    const CommandInfo* row = findCommand(words.front());
    if (!row)
      return unknownCommand(words.front());
    command = row->command;
    words.erase(words.begin());
  }
  auto invocation = parse(command, std::move(words));
  if (!invocation)
    return invocation.takeError();
  invocation->line = std::move(line);
  return dispatch(*invocation);
}

/// Data are read where the system maps them: what is cut off meanwhile is a fault of the world, and
/// nothing can be done but to say so.
void endForLackOfBytes(int, siginfo_t* place, void*) {
  const std::string_view name = data::MappedFile::nameAt(place->si_addr);
  bool isWritten = true;
  for (const std::string_view part :
       {std::string_view("tikc: "), name.empty() ? std::string_view("a file") : name,
        std::string_view(" was truncated or became unreadable while it was being read\n")})
    isWritten &= ::write(STDERR_FILENO, part.data(), part.size()) >= 0;
  ::_exit(isWritten ? WrongUse : Failed);
}

void nameWhatIsTruncated() {
  struct sigaction action = {};
  action.sa_sigaction = endForLackOfBytes;
  action.sa_flags = SA_SIGINFO;
  ::sigaction(SIGBUS, &action, nullptr);
}

/// One line a fault; the gravest decides the status.
int report(llvm::Error errors) {
  int status = Clean;
  llvm::handleAllErrors(
      std::move(errors),
      [&](const UsageError& error) {
        complain(error.message()), status = std::max<int>(status, WrongUse);
      },
      [&](const ClosedPipe&) { status = Failed; },
      [&](const llvm::ErrorInfoBase& error) { complain(error.message()), status = Failed; });
  return status;
}

} // namespace

llvm::Expected<int> runMain(const Invocation& invocation) {
  if (invocation.has("--version"))
    return print(fmt::format("tikc {}\n", versionString));
  return usageError("missing command (see `tikc --help`)");
}

llvm::Expected<int> runHelp(const Invocation& invocation) {
  if (invocation.arguments.empty())
    return print(helpText(Command::Main));
  const CommandInfo* about = findCommand(invocation.arguments.front());
  if (!about)
    return unknownCommand(invocation.arguments.front());
  return print(helpText(about->command));
}

/// A closed standard stream would lend its number to the next file that is opened, and output would
/// go into that file.
void keepStandardNumbers() {
  for (const int number : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    if (fcntl(number, F_GETFD) < 0)
      open("/dev/null",
           number == STDIN_FILENO ? O_WRONLY : O_RDONLY); // using it fails, as it does when closed
}

int run(int argc, const char* const* argv) {
  keepStandardNumbers();
  // A reader that goes away is then an error of write(), and ends in a status rather than in a
  // signal.
  std::signal(SIGPIPE, SIG_IGN);
  nameWhatIsTruncated();
  std::signal(SIGXFSZ, SIG_IGN); // likewise a file that may not grow further
  stopWithoutMemoryForNumbers();
  known_files::keep();
  try {
    auto status = runWords(std::vector<std::string>(argv + std::min(argc, 1), argv + argc));
    return status ? *status : report(status.takeError());
  } catch (const std::bad_alloc&) {
    std::fputs("tikc: out of memory\n", stderr);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "tikc: internal fault: %s\n", error.what());
  } catch (...) {
    std::fputs("tikc: internal fault\n", stderr);
  }
  return Failed;
}

} // namespace tikc::driver
