#include "ide/completion/Offers.h"

#include <fmt/format.h>

#include <algorithm>

namespace tikc::ide {
namespace {

/// The codes that were found or might be.
std::vector<CompletionItem> codes(const CursorContext& context, const Analysis& analysis) {
  std::vector<CompletionItem> out;
  for (const diag::CodeInfo& row : diag::catalogue()) {
    if (row.policy == diag::SeverityPolicy::Fixed)
      continue;
    bool isFound =
        std::any_of(analysis.checked.diagnostics.begin(), analysis.checked.diagnostics.end(),
                    [&](const diag::Diagnostic& found) {
                      return found.code == row.code && found.span.file == analysis.file &&
                             found.span.end > context.begin && found.span.begin < context.end;
                    });
    CompletionItem item{std::string(row.id), ItemKind::Constant, std::string(row.name)};
    item.documentation = fmt::format("{}\n\n{}", row.summary, row.why);
    item.group = isFound ? 0 : 1;
    out.push_back(std::move(item));
  }
  return out;
}

/// What may go on with what a comment says.
std::vector<CompletionItem> suppressionWords(const CursorContext& context,
                                             const Analysis& analysis) {
  constexpr std::string_view name = "tikc:", verb = "allow";
  std::string_view said = *context.comment;
  said.remove_prefix(std::min(said.find_first_not_of("# \t"), said.size()));
  std::string_view words = said.substr(0, said.find_first_of(" \t:"));
  if (!said.starts_with(name)) {
    // A plain comment is left in peace until it begins like one that is not.
    bool begins = said.size() >= 3 && words.size() == said.size() && name.starts_with(said);
    if (!begins)
      return {};
    CompletionItem item{"tikc: allow", ItemKind::Keyword, "suppression"};
    item.documentation = "Suppresses a finding on the node below, or on this line: `# tikc: allow "
                         "TK8001 -- reason`.";
    item.pieces = {{"tikc: allow "}, gap(), {" -- "}, gap("reason")};
    return {item};
  }
  said.remove_prefix(name.size());
  said.remove_prefix(std::min(said.find_first_not_of(" \t"), said.size()));
  if (said.find("--") != std::string_view::npos)
    return {};
  if (!said.starts_with(verb)) {
    if (!verb.starts_with(said))
      return {};
    return {{std::string(verb), ItemKind::Keyword, "suppression"}};
  }
  std::string_view after = said.substr(verb.size());
  if (after.empty() || (after[0] != ' ' && after[0] != '\t'))
    return after.empty()
               ? std::vector<CompletionItem>{{std::string(verb), ItemKind::Keyword, "suppression"}}
               : std::vector<CompletionItem>{};
  return codes(context, analysis);
}

} // namespace

std::vector<CompletionItem> commentItems(const CursorContext& context, const Analysis& analysis) {
  std::vector<CompletionItem> out = suppressionWords(context, analysis);
  for (CompletionItem& item : out)
    item.isYaml = true; // nothing there is quoted
  return out;
}

} // namespace tikc::ide
