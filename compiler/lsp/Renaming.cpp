#include "lsp/Renaming.h"

#include "model/Keys.h"
#include "support/Utf8.h"

#include <algorithm>

namespace tikc::lsp {

using sema::Mention;
using sema::NameSpace;
using utf8::ticked;

namespace {

std::string fileOf(const Outline& outline) {
  return outline.path.empty() ? outline.uri : outline.path.filename().string();
}

bool isPlainWord(std::string_view text) {
  auto isLetter = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
  };
  return !text.empty() && isLetter(text.front()) &&
         std::all_of(text.begin(), text.end(),
                     [&](char c) { return isLetter(c) || (c >= '0' && c <= '9'); });
}

std::optional<std::string> malformed(NameSpace space, std::string_view name) {
  bool isContract = space == NameSpace::Contract, isValue = space == NameSpace::LabelValue;
  auto shape = isContract ? model::Shape::ContractName : model::Shape::Identifier;
  if (isValue ? !isPlainWord(name) : !model::matches(shape, name))
    return ticked(name) + " is not " +
           (isValue ? "a word of letters, digits and underscores"
                    : std::string(model::info(shape).what));
  if (syntax::coreType(name) != syntax::ScalarType::String)
    return ticked(name) + " is no text in YAML";
  return std::nullopt;
}

/// Contracts whose meaning the name is a part of: those that it reaches, and all above them.
std::vector<Site> concerned(const Asked& asked) {
  std::vector<Site> out;
  std::set<Site> seen;
  for (const Site& site : asked.families->reach(asked.name))
    for (Site up = site; up && seen.insert(up).second; up = asked.families->parentOf(up))
      out.push_back(up);
  return out;
}

/// What stands there was not read, or not as it is written.
bool hidesNames(const diag::Diagnostic& found) {
  auto number = static_cast<unsigned>(found.code);
  bool ofText = number < 2000 || (number >= 3000 && number < 4000);
  return ofText && found.severity == diag::Severity::Error;
}

std::vector<diag::Code> codesOf(const Analysis& analysis) {
  std::vector<diag::Code> out;
  for (const diag::Diagnostic& found : analysis.checked.diagnostics)
    out.push_back(found.code);
  std::sort(out.begin(), out.end());
  return out;
}

std::string changeOfFindings(const std::vector<diag::Code>& before,
                             const std::vector<diag::Code>& after) {
  std::vector<diag::Code> fresh, gone;
  std::set_difference(after.begin(), after.end(), before.begin(), before.end(),
                      std::back_inserter(fresh));
  std::set_difference(before.begin(), before.end(), after.begin(), after.end(),
                      std::back_inserter(gone));
  bool isFresh = !fresh.empty();
  return std::string("`tikc check` would ") + (isFresh ? "find " : "no longer find ") +
         std::string(diag::info((isFresh ? fresh : gone).front()).id) + " in ";
}

} // namespace

std::optional<std::string> unfitToRename(const Asked& asked) {
  const Mention& mention = *asked.name.mention;
  if (mention.name.empty())
    return "the contract is not named here";
  if (sema::reservedBecause(mention.space, mention.name))
    return ticked(mention.name) + " is a word of the language";
  if (asked.families->definitions(asked.name).empty())
    return "nothing defines " + ticked(mention.name);
  return std::nullopt;
}

std::optional<std::string> unfitAsName(const Asked& asked, std::string_view name) {
  NameSpace space = asked.name.mention->space;
  if (auto fault = malformed(space, name))
    return fault;
  if (auto why = sema::reservedBecause(space, name))
    return ticked(name) + " is reserved: " + *why;
  Mention wanted = *asked.name.mention;
  wanted.name = name;
  std::vector<Site> sites = concerned(asked);
  for (const Site& site : sites) {
    if (space == NameSpace::Contract)
      for (const Outline::Contract& each : site.outline->contracts)
        if (each.name == name)
          return ticked(name) + " is taken: a contract of " + fileOf(*site.outline) +
                 " is called so";
    if (space != NameSpace::Contract)
      for (const Mention& mention : site.contract->mentions)
        if (isSameName(mention, wanted))
          return ticked(name) + " is taken: " + std::string(whatIs(space)) + " is called so in " +
                 fileOf(*site.outline);
  }
  return std::nullopt;
}

std::map<const Outline*, std::vector<Edit>> renamed(const Asked& asked, std::string_view name) {
  std::map<const Outline*, std::vector<Edit>> out;
  for (const NamedPlace& place : asked.families->mentions(asked.name))
    if (!place.mention->name.empty())
      out[place.site.outline].push_back({place.span(), std::string(name)});
  for (auto& [outline, edits] : out) {
    std::sort(edits.begin(), edits.end());
    edits.erase(std::unique(edits.begin(), edits.end()), edits.end());
  }
  return out;
}

std::optional<std::string>
changesMeaning(Session& session, const Asked& asked,
               const std::map<const Outline*, std::vector<Edit>>& edits) {
  std::map<const Outline*, std::string> after;
  std::map<std::filesystem::path, std::string> files;
  std::set<const Outline*> outlines;
  for (const auto& [outline, list] : edits) {
    EditSet set;
    if (!set.add(list))
      return "two changes of " + fileOf(*outline) + " would meet";
    after[outline] = set.apply(outline->file, outline->sources->get(outline->file).text);
    if (!outline->path.empty())
      files[outline->path] = after[outline];
    outlines.insert(outline);
  }
  for (const Site& site : concerned(asked))
    outlines.insert(site.outline);
  for (const Outline* outline : outlines) {
    const std::string& text = outline->sources->get(outline->file).text;
    const Document* open = session.documents.find(outline->uri);
    Analysis onDisk;
    if (!open)
      onDisk = session.workspace.suppose(outline->uri, outline->path, text, {});
    const Analysis& now = open ? session.workspace.analysisOf(*open) : onDisk;
    bool isCut = std::any_of(now.checked.tree->documents.begin(), now.checked.tree->documents.end(),
                             [](const syntax::Document& document) { return !document.complete; });
    for (const diag::Diagnostic& found : now.checked.diagnostics)
      isCut |= found.span.file == now.file && hidesNames(found);
    if (isCut)
      return fileOf(*outline) + " cannot be read whole; mend it first";
    auto edited = after.find(outline);
    Analysis then = session.workspace.suppose(outline->uri, outline->path,
                                              edited == after.end() ? text : edited->second, files);
    auto before = codesOf(now), found = codesOf(then);
    if (before != found)
      return changeOfFindings(before, found) + fileOf(*outline);
  }
  return std::nullopt;
}

} // namespace tikc::lsp
