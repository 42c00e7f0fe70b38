#include "changes/Formats.h"
#include "support/Escape.h"

#include <fmt/format.h>

namespace tikc::changes {
namespace {

/// Old and new in cells of their own; what is long is cut by nobody.
std::string changeRow(const PartChange& change) {
  std::string remarks;
  for (const std::string& remark : remarksOf(change))
    remarks += (remarks.empty() ? "" : "; ") + escape::markdown(remark);
  auto cell = [](const std::string& text) {
    return text.empty() ? std::string() : escape::markdownCode(text);
  };
  return fmt::format("| {} | {} | {} | {} | {} |\n", info(change.kind).word,
                     escape::markdown(subjectText(change)), cell(change.before), cell(change.after),
                     remarks);
}

std::string contractMarkdown(const ContractChanges& changes) {
  std::string out = fmt::format("### {}\n\n", escape::markdown(headingOf(changes)));
  if (!changes.why.empty())
    out += escape::markdown(changes.why) + "\n";
  if (!changes.changes.empty())
    out += "| | what | before | after | |\n|---|---|---|---|---|\n";
  for (const PartChange& change : changes.changes)
    out += changeRow(change);
  if (!changes.outcomes.empty())
    out += changes.changes.empty() ? "" : "\n";
  for (const ClaimOutcomes& row : changes.outcomes)
    out += fmt::format("- claim {}: {}\n", escape::markdownCode(row.claim, false),
                       escape::markdown(outcomeLine(row)));
  if (changes.presence == ContractChanges::Presence::InBoth)
    out += fmt::format("{}{}\n", changes.changes.empty() && changes.outcomes.empty() ? "" : "\n",
                       escape::markdown("Version: " + versionText(changes.version)));
  return out;
}

} // namespace

std::string changesMarkdown(const ComparedContracts& compared) {
  std::string out = "## Contracts\n";
  for (const NotCompared& each : compared.notCompared)
    out += fmt::format("\n### {}\n", escape::markdown(headingOf(each)));
  std::string unchanged;
  for (const ContractChanges& each : compared.contracts)
    if (each.isUnchanged())
      unchanged += (unchanged.empty() ? "" : ", ") + escape::markdown(each.name);
    else
      out += "\n" + contractMarkdown(each);
  if (!unchanged.empty())
    out += "\nUnchanged: " + unchanged + "\n";
  if (compared.contracts.empty() && compared.notCompared.empty())
    out += "\nNo contract on either side.\n";
  return out;
}

} // namespace tikc::changes
