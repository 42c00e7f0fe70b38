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
                    [&](const diag::Diagnostic& diagnostic) {
                      return diagnostic.code == row.code && diagnostic.span.file == analysis.file &&
                             diagnostic.span.end > context.begin &&
                             diagnostic.span.begin < context.end;
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
  std::string_view word = *context.comment;
  word.remove_prefix(std::min(word.find_first_not_of("# \t"), word.size()));
  std::string_view words = word.substr(0, word.find_first_of(" \t:"));
  if (!word.starts_with(name)) {
    // A plain comment is left in peace until it begins like one that is not.
    bool begins = word.size() >= 3 && words.size() == word.size() && name.starts_with(word);
    if (!begins)
      return {};
    CompletionItem item{"tikc: allow", ItemKind::Keyword, "suppression"};
    item.documentation = "Suppresses a finding on the node below, or on this line: `# tikc: allow "
                         "TK8001 -- reason`.";
    item.pieces = {{"tikc: allow "}, gap(), {" -- "}, gap("reason")};
    return {item};
  }
  word.remove_prefix(name.size());
  word.remove_prefix(std::min(word.find_first_not_of(" \t"), word.size()));
  if (word.find("--") != std::string_view::npos)
    return {};
  if (!word.starts_with(verb)) {
    if (!verb.starts_with(word))
      return {};
    return {{std::string(verb), ItemKind::Keyword, "suppression"}};
  }
  std::string_view after = word.substr(verb.size());
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
