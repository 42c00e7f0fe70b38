#include "bounds/facts/Lemma.h"
#include "diag/Diagnostic.h"
#include "driver/Commands.h"
#include "driver/ExplainName.h"
#include "driver/reference/Catalogue.h"
#include "gen/Generators.h"
#include "support/Check.h"
#include "support/Names.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <llvm/ADT/StringExtras.h>

#include <algorithm>
#include <array>

namespace tikc::gen {

using driver::ArgumentInfo;
using driver::arguments;
using driver::Arity;
using driver::cell;
using driver::Command;
using driver::CommandInfo;
using driver::commands;
using driver::Completes;
using driver::ExampleInfo;
using driver::examples;
using driver::ExitInfo;
using driver::exits;
using driver::namesWithPages;
using driver::OptionInfo;
using driver::options;
using driver::usage;

namespace {

constexpr std::array settingKeys = std::to_array<std::string_view>({
#define SETTING(reader, key, meaning) key,
#include "project/Settings.def"
});

std::string replaced(std::string_view text, std::string_view what, std::string_view with) {
  std::string out;
  for (;;) {
    auto at = text.find(what);
    out += text.substr(0, at);
    if (at == std::string_view::npos)
      return out;
    out += with;
    text.remove_prefix(at + what.size());
  }
}

// ---- Markdown ----

void optionRows(std::string& out, Command command) {
  out += "| option | meaning |\n|---|---|\n";
  for (const OptionInfo& row : options()) {
    if (row.command != command)
      continue;
    std::string head =
        row.shortName().empty() ? std::string() : fmt::format("`{}`, ", row.shortName());
    head += row.isFlag() ? fmt::format("`{}`", row.longName())
                         : fmt::format("`{} {}`", row.longName(), row.value);
    std::string meaning(row.help);
    if (!row.words.empty())
      meaning += fmt::format(" One of `{}`.", fmt::join(splitWords(row.words), "`, `"));
    if (!row.fallback.empty())
      meaning += fmt::format(" Default: `{}`.", row.fallback);
    out += fmt::format("| {} | {} |\n", cell(head), cell(meaning));
  }
}

void commandSection(std::string& out, const CommandInfo& row) {
  if (row.command != Command::Main)
    out += fmt::format("\n## tikc {}\n\n{}\n", row.name, row.summary);
  out += fmt::format("\n    {}\n\n{}\n\n", usage(row.command), row.description);
  for (const ArgumentInfo& argument : arguments())
    if (argument.command == row.command)
      out += fmt::format("`{}`: {}\n\n", argument.name, argument.help);
  optionRows(out, row.command);
  out += "\nExamples:\n\n";
  std::size_t before = out.size();
  for (const ExampleInfo& example : examples())
    if (example.command == row.command)
      out += fmt::format("- `{}`: {}\n", example.line, example.meaning);
  if (out.size() == before)
    out.resize(before - std::string_view("\nExamples:\n\n").size());
}

// ---- roff ----

/// Text that roff must not take for a request or an escape.
std::string roff(std::string_view text) {
  std::string out = replaced(replaced(text, "\\", "\\e"), "-", "\\-");
  out = replaced(replaced(out, "…", "\\&..."), "`", "");
  return out.starts_with('.') || out.starts_with('\'') ? "\\&" + out : out;
}

void optionParagraphs(std::string& out, Command command) {
  for (const OptionInfo& row : options()) {
    if (row.command != command)
      continue;
    out += ".TP\n";
    out += row.shortName().empty() ? "" : fmt::format("\\fB{}\\fR, ", roff(row.shortName()));
    out += fmt::format("\\fB{}\\fR", roff(row.longName()));
    out += row.isFlag() ? "\n" : fmt::format(" \\fI{}\\fR\n", roff(row.value));
    out += roff(row.help) + "\n";
    if (!row.words.empty())
      out += roff(fmt::format("One of {}.", fmt::join(splitWords(row.words), ", "))) + "\n";
    if (!row.fallback.empty())
      out += roff(fmt::format("Default: {}.", row.fallback)) + "\n";
  }
}

void examplesParagraphs(std::string& out, Command command) {
  for (const ExampleInfo& row : examples())
    if (row.command == command)
      out += fmt::format(".TP\n\\fB{}\\fR\n{}\n", roff(row.line), roff(row.meaning));
}

// ---- shells ----

std::string names(char between) {
  std::string out;
  for (const CommandInfo& row : commands().subspan(1))
    out += fmt::format("{}{}", out.empty() ? "" : std::string(1, between), row.name);
  return out;
}

std::string codes(char between) {
  std::string out;
  for (const auto& row : diag::catalogue())
    out += fmt::format("{}{}", out.empty() ? "" : std::string(1, between), row.id);
  return out;
}

std::string lemmaIds() {
  std::string out;
  for (const bounds::Lemma* lemma : bounds::allLemmas())
    out += fmt::format("{}{}", out.empty() ? "" : " ", lemma->id);
  return out;
}

/// What has a page: codes, and the names that a shell takes for one word.
std::string pages(char separator) {
  std::string out = codes(separator);
  for (std::string_view name : namesWithPages())
    if (std::all_of(name.begin(), name.end(),
                    [](char c) { return llvm::isAlnum(c) || c == '_' || c == '-'; }))
      out += separator + std::string(name);
  return out;
}

std::string bashAction(Completes completes, std::string_view words) {
  std::string list = replaced(words, "|", " ");
  switch (completes) {
  case Completes::Nothing:
    return "return";
  case Completes::Words:
    return fmt::format("mapfile -t COMPREPLY < <(compgen -W '{}' -- \"$word\")", list);
  case Completes::Codes:
    return fmt::format("mapfile -t COMPREPLY < <(compgen -W '{}' -- \"$word\")", codes(' '));
  case Completes::CodesAndContracts:
    return fmt::format(
        "mapfile -t COMPREPLY < <(compgen -W '{}' -- \"$word\"; compgen -d -- \"$word\"; "
        "compgen -f -X '!*.tikc.yaml' -- \"$word\"); compopt -o filenames",
        pages(' '));
  case Completes::Lemmas:
    return fmt::format("mapfile -t COMPREPLY < <(compgen -W '{}' -- \"$word\")", lemmaIds());
  case Completes::Commands:
    return fmt::format("mapfile -t COMPREPLY < <(compgen -W '{}' -- \"$word\")", names(' '));
  case Completes::Folders:
    return "mapfile -t COMPREPLY < <(compgen -d -- \"$word\"); compopt -o filenames";
  case Completes::Files:
    return "mapfile -t COMPREPLY < <(compgen -f -- \"$word\"); compopt -o filenames";
  case Completes::Contracts:
    return "mapfile -t COMPREPLY < <(compgen -d -- \"$word\"; compgen -f -X '!*.tikc.yaml' -- "
           "\"$word\"); compopt -o filenames";
  }
  TIKC_CHECK(false, "each completion has its case");
}

void bashCase(std::string& out, const CommandInfo& command) {
  std::string all, takers, rules;
  for (const OptionInfo& row : options()) {
    if (row.command != command.command)
      continue;
    for (std::string_view name : {row.shortName(), row.longName()}) {
      if (name.empty())
        continue;
      all += fmt::format("{}{}", all.empty() ? "" : " ", name);
      if (!row.isFlag())
        takers += fmt::format("{}{}", takers.empty() ? "" : "|", name);
    }
    if (!row.isFlag())
      rules += fmt::format("        {}{}) {}; return ;;\n",
                           row.shortName().empty() ? "" : fmt::format("{}|", row.shortName()),
                           row.longName(), bashAction(row.completes, row.words));
  }
  out += fmt::format("    {})\n      case $previous in\n{}      esac\n",
                     command.command == Command::Main ? "''" : command.name, rules);
  out += fmt::format("      if [[ $word == -* ]]; then\n        mapfile -t COMPREPLY < <(compgen "
                     "-W '{}' -- \"$word\")\n        return\n      fi\n",
                     all);
  if (command.command == Command::Main)
    out += "      " + bashAction(Completes::Commands, {}) + "\n";
  for (const ArgumentInfo& row : arguments())
    if (row.command == command.command)
      out += "      " + bashAction(row.completes, {}) + "\n";
  out += "      ;;\n";
}

/// A text inside single quotes of any shell here.
std::string shellQuoted(std::string_view text) { return replaced(text, "'", "'\\''"); }

std::string zshAction(Completes completes, std::string_view words) {
  switch (completes) {
  case Completes::Nothing:
    return "";
  case Completes::Words:
    return fmt::format("({})", replaced(words, "|", " "));
  case Completes::Codes:
    return fmt::format("({})", codes(' '));
  case Completes::CodesAndContracts:
    return fmt::format("{{compadd {}; _files -g \"*.tikc.yaml\"}}", pages(' '));
  case Completes::Lemmas:
    return fmt::format("({})", lemmaIds());
  case Completes::Commands:
    return fmt::format("({})", names(' '));
  case Completes::Folders:
    return "_files -/";
  case Completes::Files:
    return "_files";
  case Completes::Contracts:
    return "_files -g \"*.tikc.yaml\"";
  }
  TIKC_CHECK(false, "each completion has its case");
}

std::string zshText(std::string_view text) {
  return shellQuoted(replaced(
      replaced(replaced(replaced(text, "\\", "\\\\"), "[", "\\["), "]", "\\]"), ":", "\\:"));
}

void zshArguments(std::string& out, Command command, std::string_view indent) {
  for (const OptionInfo& row : options()) {
    if (row.command != command)
      continue;
    std::string tail = row.isFlag() ? ""
                                    : fmt::format(":{}:{}", zshText(row.value),
                                                  shellQuoted(zshAction(row.completes, row.words)));
    std::string head = row.shortName().empty() ? fmt::format("'{}", row.longName())
                                               : fmt::format("'({0} {1})'{{{0},{1}}}'",
                                                             row.shortName(), row.longName());
    if (row.longName() == "--limit")
      head = "'*--limit";
    out += fmt::format("{}{}[{}]{}' \\\n", indent, head, zshText(row.help), tail);
  }
  for (const ArgumentInfo& row : arguments())
    if (row.command == command)
      out += fmt::format("{}'{}:{}:{}' \\\n", indent,
                         row.arity == Arity::Many    ? "*"
                         : row.arity == Arity::Maybe ? ":"
                                                     : "",
                         zshText(row.name), shellQuoted(zshAction(row.completes, {})));
}

std::string fishValues(Completes completes, std::string_view words) {
  switch (completes) {
  case Completes::Nothing:
    return " -x";
  case Completes::Words:
    return fmt::format(" -x -a '{}'", replaced(words, "|", " "));
  case Completes::Codes:
    return fmt::format(" -x -a '{}'", codes(' '));
  case Completes::CodesAndContracts:
    return fmt::format(" -x -a '{} (__fish_complete_suffix .tikc.yaml)'", pages(' '));
  case Completes::Lemmas:
    return fmt::format(" -x -a '{}'", lemmaIds());
  case Completes::Commands:
    return fmt::format(" -x -a '{}'", names(' '));
  case Completes::Folders:
    return " -x -a '(__fish_complete_directories)'";
  case Completes::Files:
    return " -r -F";
  case Completes::Contracts:
    return " -x -a '(__fish_complete_suffix .tikc.yaml)'";
  }
  TIKC_CHECK(false, "each completion has its case");
}

std::string fishText(std::string_view text) {
  return replaced(replaced(text, "\\", "\\\\"), "'", "\\'");
}

} // namespace

std::string commandLinePage() {
  std::string out =
      "<!-- Generated by tikc-gen from compiler/driver/Commands.def. -->\n\n# The command line\n";
  for (const CommandInfo& row : commands()) {
    if (row.command == Command::Main)
      out += fmt::format("\n{}\n", row.summary);
    commandSection(out, row);
    if (row.command != Command::Main)
      continue;
    out += "\n| command | what it does |\n|---|---|\n";
    for (const CommandInfo& each : commands().subspan(1))
      out += fmt::format("| [`{0}`](#tikc-{0}) | {1} |\n", each.name, cell(each.summary));
    out += "\n## Exit codes\n\n| code | meaning |\n|---|---|\n";
    for (const ExitInfo& each : exits())
      out += fmt::format("| {} | {} |\n", each.status, cell(each.meaning));
  }
  return out;
}

std::string manPage() {
  std::string out = "'\\\" t\n.\\\" Generated by tikc-gen from "
                    "compiler/driver/Commands.def.\n.TH TIKC 1 \"\" \"tikc\" \"User Commands\"\n";
  out += fmt::format(".SH NAME\ntikc \\- {}\n.SH SYNOPSIS\n", roff(info(Command::Main).summary));
  for (const CommandInfo& row : commands())
    out += fmt::format("{}{}\n", row.command == Command::Main ? "" : ".br\n",
                       roff(usage(row.command)));
  out += fmt::format(".SH DESCRIPTION\n{}\n", roff(info(Command::Main).description));
  optionParagraphs(out, Command::Main);
  out += ".SH COMMANDS\n";
  for (const CommandInfo& row : commands().subspan(1)) {
    out += fmt::format(".SS \"tikc {}\"\n{}\n.PP\n{}\n", roff(row.name), roff(row.summary),
                       roff(row.description));
    for (const ArgumentInfo& argument : arguments())
      if (argument.command == row.command)
        out += fmt::format(".TP\n\\fI{}\\fR\n{}\n", roff(argument.name), roff(argument.help));
    optionParagraphs(out, row.command);
  }
  out += ".SH \"EXIT STATUS\"\n";
  for (const ExitInfo& row : exits())
    out += fmt::format(".TP\n{}\n{}\n", row.status, roff(row.meaning));
  out += ".SH EXAMPLES\n";
  for (const CommandInfo& row : commands())
    examplesParagraphs(out, row.command);
  out += ".SH ENVIRONMENT\n.TP\nNO_COLOR\nIf set and not empty, \\-\\-color=auto turns colours "
         "off.\n.TP\nSOURCE_DATE_EPOCH\nThe time in a JUnit report, in seconds since 1970.\n";
  out += ".SH FILES\n.TP\ntikc.yaml\nThe project's settings. Its keys: ";
  for (std::string_view key : settingKeys)
    out += fmt::format("{}{}", roff(key), key == settingKeys.back() ? ".\n" : ", ");
  out += ".TP\ntikc\\-baseline.yaml\nThe findings that the project has recorded. It is next to "
         "tikc.yaml.\n";
  out += ".SH \"SEE ALSO\"\n.BR tikc\\-verify (1)\n";
  return out;
}

std::string bashCompletion() {
  std::string out = R"(# Generated by tikc-gen from compiler/driver/Commands.def.
_tikc() {
  local word=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]} command=''
  COMPREPLY=()
  # bash splits at `=`; the option is then two words back.
  if [[ $word == '=' ]]; then
    word=''
  elif [[ $previous == '=' ]]; then
    previous=${COMP_WORDS[COMP_CWORD-2]}
  fi
  if ((COMP_CWORD > 1)); then
    command=${COMP_WORDS[1]}
  fi
  case $command in
)";
  for (const CommandInfo& row : commands())
    bashCase(out, row);
  return out + "  esac\n}\ncomplete -F _tikc tikc\n";
}

std::string zshCompletion() {
  std::string out =
      "#compdef tikc\n# Generated by tikc-gen from compiler/driver/Commands.def.\n\n_tikc() {\n  "
      "local line state\n  _arguments -C \\\n";
  zshArguments(out, Command::Main, "    ");
  out += "    '1: :->command' \\\n    '*:: :->rest'\n  case $state in\n    command)\n      local "
         "-a commands=(\n";
  for (const CommandInfo& row : commands().subspan(1))
    out += fmt::format("        '{}:{}'\n", row.name, zshText(row.summary));
  out +=
      "      )\n      _describe 'command' commands\n      ;;\n    rest)\n      case $line[1] in\n";
  for (const CommandInfo& row : commands().subspan(1)) {
    out += fmt::format("        {})\n          _arguments \\\n", row.name);
    zshArguments(out, row.command, "            ");
    out += "            && return\n          ;;\n";
  }
  return out + "      esac\n      ;;\n  esac\n}\n\n_tikc \"$@\"\n";
}

std::string fishCompletion() {
  std::string out =
      "# Generated by tikc-gen from compiler/driver/Commands.def.\ncomplete -c tikc -f\n";
  for (const CommandInfo& row : commands().subspan(1))
    out += fmt::format("complete -c tikc -n __fish_use_subcommand -a {} -d '{}'\n", row.name,
                       fishText(row.summary));
  for (const OptionInfo& row : options()) {
    std::string when =
        row.command == Command::Main
            ? "__fish_use_subcommand"
            : fmt::format("'__fish_seen_subcommand_from {}'", info(row.command).name);
    std::string head =
        row.shortName().empty() ? "" : fmt::format(" -s {}", row.shortName().substr(1));
    out += fmt::format(
        "complete -c tikc -n {}{} -l {}{} -d '{}'\n", when, head, row.longName().substr(2),
        row.isFlag() ? "" : fishValues(row.completes, row.words), fishText(row.help));
  }
  for (const ArgumentInfo& row : arguments())
    out += fmt::format("complete -c tikc -n '__fish_seen_subcommand_from {}'{}\n",
                       info(row.command).name, fishValues(row.completes, {}));
  return out;
}

} // namespace tikc::gen
