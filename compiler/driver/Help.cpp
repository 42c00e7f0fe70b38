#include "driver/Commands.h"
#include "support/Names.h"
#include "support/Utf8.h"
#include "support/Wrap.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace tikc::driver {
namespace {

struct HelpRow {
  std::string left;
  std::string right;
};

/// Rows in two columns; a left side of more than `widest` takes a line of its own.
std::string table(std::string_view title, const std::vector<HelpRow>& rows,
                  std::size_t widest = 28) {
  if (rows.empty())
    return {};
  std::size_t column = 0;
  for (const HelpRow& row : rows)
    if (utf8::length(row.left) <= widest)
      column = std::max(column, utf8::length(row.left) + 4);
  if (column == 0)
    column = 6;
  std::string out = fmt::format("\n{}:\n", title);
  for (const HelpRow& row : rows) {
    std::size_t width = utf8::length(row.left) + 2;
    out += "  " + row.left;
    if (width + 2 > column) {
      out += '\n';
      width = 0;
    }
    out.append(column - width, ' ');
    out += wrapped(row.right, column, column) + '\n';
  }
  return out;
}

/// Meanings stand next to all command lines, or below all of them if one is long.
std::string exampleTable(Command command) {
  constexpr std::size_t widest = 40;
  std::vector<HelpRow> rows;
  bool isLong = false;
  for (const ExampleInfo& row : examples())
    if (row.command == command) {
      rows.push_back({std::string(row.line), std::string(row.meaning)});
      isLong |= utf8::length(row.line) > widest;
    }
  return table("Examples", rows, isLong ? 0 : widest);
}

std::string optionHead(const OptionInfo& row) {
  std::string head = row.shortName().empty() ? "    " : std::string(row.shortName()) + ", ";
  head += row.longName();
  if (!row.isFlag())
    head += fmt::format(" {}", row.value);
  return head;
}

std::string optionHelp(const OptionInfo& row) {
  // A longer list is in the reference, and in the error about a value that is not in it.
  constexpr std::size_t longestList = 60;
  std::string text(row.help);
  if (!row.words.empty() && row.words.size() <= longestList)
    text += fmt::format(" [{}]", fmt::join(splitWords(row.words), ", "));
  if (!row.fallback.empty())
    text += fmt::format(" (default: {})", row.fallback);
  return text;
}

} // namespace

std::string usage(Command command) {
  std::string out = "tikc";
  if (command == Command::Main)
    return out + " COMMAND [OPTION…] [ARGUMENT…]";
  out += fmt::format(" {} [OPTION…]", info(command).name);
  for (const ArgumentInfo& row : arguments())
    if (row.command == command)
      out += fmt::format(fmt::runtime(row.arity == Arity::One     ? " {}"
                                      : row.arity == Arity::Maybe ? " [{}]"
                                                                  : " [{}…]"),
                         row.name);
  return out;
}

llvm::Error missingArgument(Command command, std::string_view name) {
  return usageError(fmt::format("missing argument {} (usage: {})", name, usage(command)));
}

std::string helpText(Command command) {
  const CommandInfo& about = info(command);
  std::string out = fmt::format("{}\n\nUsage: {}\n\n{}\n", about.summary, usage(command),
                                wrapped(about.description, 0, 0));
  std::vector<HelpRow> rows;
  if (command == Command::Main)
    for (const CommandInfo& row : commands())
      if (row.command != Command::Main)
        rows.push_back({std::string(row.name), std::string(row.summary)});
  out += table("Commands", rows);
  rows.clear();
  for (const ArgumentInfo& row : arguments())
    if (row.command == command)
      rows.push_back({std::string(row.name), std::string(row.help)});
  out += table("Arguments", rows);
  rows.clear();
  for (const OptionInfo& row : options())
    if (row.command == command)
      rows.push_back({optionHead(row), optionHelp(row)});
  std::rotate(rows.begin(), rows.begin() + 1, rows.end()); // --help comes last
  out += table("Options", rows);
  out += exampleTable(command);
  rows.clear();
  if (command == Command::Main || command == Command::Check)
    for (const ExitInfo& row : exits())
      rows.push_back({fmt::format("{}", row.status), std::string(row.meaning)});
  out += table("Exit codes", rows);
  if (command == Command::Main)
    out += "\nRun `tikc COMMAND --help` for the details of a command.\n";
  return out;
}

} // namespace tikc::driver
