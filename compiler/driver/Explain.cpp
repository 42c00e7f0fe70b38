#include "driver/Commands.h"
#include "driver/Examples.h"
#include "driver/ExplainFile.h"
#include "driver/ExplainName.h"
#include "driver/reference/Pages.h"
#include "model/Metrics.h"
#include "support/Json.h"
#include "support/Names.h"
#include "support/StringRef.h"
#include "support/Utf8.h"
#include "support/Wrap.h"

#include <fmt/format.h>
#include <llvm/ADT/StringExtras.h>

#include <algorithm>

namespace tikc::driver {
namespace {

std::string lower(std::string_view text) { return asRef(text).lower(); }

/// The code by its id in any case, its number or its name.
const diag::CodeInfo* findCode(std::string_view wanted) {
  std::string name = lower(wanted);
  for (const diag::CodeInfo& row : diag::catalogue())
    if (name == lower(row.id) || name == row.id.substr(2) || name == lower(row.name))
      return &row;
  return nullptr;
}

llvm::Error unknownName(std::string_view wanted) {
  std::vector<std::string> ids; // nearestName compares in lower case
  for (const diag::CodeInfo& row : diag::catalogue())
    ids.insert(ids.end(), {lower(row.id), lower(row.name)});
  std::vector<std::string_view> names = namesWithPages();
  names.insert(names.end(), ids.begin(), ids.end());
  std::string message = fmt::format("unknown code, metric, key or name {}", utf8::ticked(wanted));
  if (auto near = nearestName(wanted, names)) {
    const diag::CodeInfo* row = pagesOfName(*near, false).empty() ? findCode(*near) : nullptr;
    message += row ? fmt::format("; did you mean `{}` ({})?", row->id, row->name)
                   : fmt::format("; did you mean `{}`?", *near);
  }
  return usageError(message + " (`tikc explain` lists the codes)");
}

std::string indented(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    auto end = std::min(text.find('\n'), text.size());
    std::string line = utf8::printable(text.substr(0, end));
    out += line.empty() ? "\n" : "    " + line + "\n";
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return out;
}

std::string policyLine(const diag::CodeInfo& row) {
  if (row.policy == diag::SeverityPolicy::Fixed)
    return fmt::format("{}; cannot be changed, because the meaning of a contract depends on it.",
                       diag::severityName(row.severity));
  return fmt::format("{0}; `severities: {{ {1}: ignore }}` in tikc.yaml changes it, `# tikc: allow "
                     "{1} -- reason` suppresses one finding.",
                     diag::severityName(row.severity), row.id);
}

std::string filesText(std::string_view id, std::string_view kind) {
  std::string out;
  for (const ExampleFile& file : exampleFiles())
    if (file.code == id && file.path.starts_with(kind) && !file.path.ends_with(".golden"))
      out += fmt::format("{}  {}:\n{}", out.empty() ? "" : "\n", file.path, indented(file.text));
  return out;
}

std::string textPage(const diag::CodeInfo& row) {
  std::string out = fmt::format("{} {}\n\n{}\n{}\n\nSeverity: {}\n", row.id, row.name, row.summary,
                                row.why, policyLine(row));
  out += fmt::format("\nAvoid:\n\n{}", filesText(row.id, "avoid"));
  out += fmt::format("\n`{}` says:\n\n{}", exampleCommand(row.id),
                     indented(exampleText(row.id, "avoid.golden")));
  out += fmt::format("\nPrefer:\n\n{}", filesText(row.id, "prefer"));
  return out;
}

void jsonFiles(llvm::json::OStream& out, std::string_view id, std::string_view kind) {
  out.attributeArray(asRef(kind), [&] {
    for (const ExampleFile& file : exampleFiles())
      if (file.code == id && file.path.starts_with(kind) && !file.path.ends_with(".golden"))
        out.object([&] {
          out.attribute("path", asRef(file.path));
          jsonText(out, "text", file.text);
        });
  });
}

void jsonCode(llvm::json::OStream& out, const diag::CodeInfo& row) {
  out.object([&] {
    out.attribute("code", asRef(row.id));
    out.attribute("name", asRef(row.name));
    out.attribute("severity", asRef(diag::severityName(row.severity)));
    out.attribute("settable", row.policy == diag::SeverityPolicy::Settable);
    out.attribute("summary", asRef(row.summary));
    out.attribute("why", asRef(row.why));
    jsonFiles(out, row.id, "avoid");
    out.attribute("command", exampleCommand(row.id));
    jsonText(out, "output", exampleText(row.id, "avoid.golden"));
    jsonFiles(out, row.id, "prefer");
  });
}

std::string jsonCodes(const diag::CodeInfo* row) {
  return writeJson([&](llvm::json::OStream& out) {
    if (row)
      jsonCode(out, *row);
    else
      out.array([&] {
        for (const diag::CodeInfo& each : diag::catalogue())
          jsonCode(out, each);
      });
  });
}

/// Lines of a card, as wide as the other pages.
std::string namePage(const std::vector<std::string>& pages, bool isMarkdown) {
  std::string out;
  for (const std::string& page : pages) {
    out += out.empty() ? "" : "\n";
    for (llvm::StringRef line : llvm::split(page, '\n')) {
      bool isItem = !isMarkdown && line.consume_front("- ");
      out += isItem       ? "- " + wrapped(line.str(), 2, 2)
             : isMarkdown ? line.str()
                          : wrapped(line.str(), 0, 0);
      out += '\n';
    }
  }
  return out;
}

std::string jsonName(std::string_view name, const std::vector<std::string>& pages) {
  return writeJson([&](llvm::json::OStream& out) {
    out.object([&] {
      out.attribute("name", asRef(name));
      out.attributeArray("meanings", [&] {
        for (const std::string& page : pages)
          out.value(page);
      });
    });
  });
}

std::string codeListing() {
  std::string out;
  for (const diag::CodeInfo& row : diag::catalogue())
    out += fmt::format("{}  {:<7}  {}\n", row.id, diag::severityName(row.severity), row.summary);
  return out;
}

/// The metrics, a line each; nothing for another word.
std::string listing(std::string_view wanted) {
  std::string out;
  for (const model::MetricInfo& row : model::metrics())
    if (wanted == "metrics")
      out += fmt::format("{:<20} {:<9} {}\n", row.symbol, model::levelName(row.level), row.meaning);
  return out;
}

/// What only a contract has.
llvm::Error refuseFileOptions(const Invocation& invocation) {
  for (OptionName option :
       std::initializer_list<OptionName>{"--claim", "--slice", "--evidence", "--root"})
    if (invocation.has(option))
      return usageError(fmt::format("{} requires a contract FILE", option.text()));
  std::string form = invocation.get("--format");
  if (form == "dot" || form == "svg" || form == "html")
    return usageError(fmt::format("--format={} requires a contract FILE", form));
  return llvm::Error::success();
}

} // namespace

llvm::Expected<int> runExplain(const Invocation& invocation) {
  if (!invocation.arguments.empty() && namesFile(invocation.arguments.front()))
    return explainFile(invocation);
  if (auto error = refuseFileOptions(invocation))
    return error;
  std::string form = invocation.get("--format");
  std::string wanted = invocation.arguments.empty() ? "" : invocation.arguments.front();
  std::vector<std::string> pages = pagesOfName(wanted, form == "markdown");
  const diag::CodeInfo* row = pages.empty() ? findCode(wanted) : nullptr;
  std::string text = form == "text" ? listing(wanted) : "";
  if (!invocation.arguments.empty() && pages.empty() && !row && text.empty())
    return unknownName(wanted);
  if (!pages.empty())
    text = form == "json" ? jsonName(wanted, pages) : namePage(pages, form == "markdown");
  else if (form == "json")
    text = jsonCodes(row);
  else if (form == "markdown")
    text = row ? codePage(row->code, 1) : diagnosticsPage();
  else if (text.empty())
    text = row ? textPage(*row) : codeListing();
  if (auto error = writeOutput(invocation, text))
    return error;
  return Clean;
}

} // namespace tikc::driver
