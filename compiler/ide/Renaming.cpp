#include "ide/Renaming.h"

#include "model/Keys.h"
#include "support/Check.h"
#include "support/Utf8.h"

#include <llvm/ADT/StringExtras.h>

#include <algorithm>
#include <set>

namespace tikc::ide {

using sema::Mention;
using sema::NameSpace;
using utf8::ticked;

namespace {

std::string fileOf(const Outline& outline) {
  return outline.path.empty() ? outline.id : outline.path.filename().string();
}

bool isPlainWord(std::string_view text) {
  return !text.empty() && !llvm::isDigit(text.front()) &&
         std::all_of(text.begin(), text.end(), [](char c) { return llvm::isAlnum(c) || c == '_'; });
}

std::optional<std::string> malformed(NameSpace space, std::string_view name) {
  bool isContract = space == NameSpace::Contract, isValue = space == NameSpace::LabelValue;
  auto shape = isContract ? model::Shape::ContractName : model::Shape::Identifier;
  if (isValue ? !isPlainWord(name) : !model::matches(shape, name))
    return ticked(name) + " is not " +
           (isValue ? "a word of letters, digits and underscores"
                    : std::string(model::info(shape).what));
  if (yaml::coreType(name) != yaml::ScalarType::String)
    return ticked(name) + " is not a text in YAML";
  return std::nullopt;
}

/// Contracts whose meaning the name is a part of: those that it reaches, and all above them.
std::vector<Site> concerned(const Families& families, const NamedPlace& name) {
  std::vector<Site> out;
  std::set<Site> seen;
  for (const Site& site : families.reach(name))
    for (Site up = site; up && seen.insert(up).second; up = families.parentOf(up))
      out.push_back(up);
  return out;
}

/// What stands there was not read, or not as it is written.
bool hidesNames(const diag::Diagnostic& diagnostic) {
  auto number = static_cast<unsigned>(diagnostic.code);
  bool ofText = number < 2000 || (number >= 3000 && number < 4000);
  return ofText && diagnostic.severity == diag::Severity::Error;
}

std::vector<diag::Code> codesOf(const Analysis& analysis) {
  std::vector<diag::Code> out;
  for (const diag::Diagnostic& diagnostic : analysis.checked.diagnostics)
    out.push_back(diagnostic.code);
  std::sort(out.begin(), out.end());
  return out;
}

} // namespace

std::string_view whatIs(NameSpace space) {
  switch (space) {
  case NameSpace::Contract:
    return "a contract";
  case NameSpace::Kernel:
    return "a kernel";
  case NameSpace::Slice:
    return "a slice";
  case NameSpace::Label:
    return "a label";
  case NameSpace::LabelValue:
    return "a label's value";
  case NameSpace::Statement:
    return "a clause, a claim or a rule";
  }
  TIKC_CHECK(false, "each space of names has its case");
}

std::optional<std::string> unfitToRename(const Families& families, const NamedPlace& name) {
  const Mention& mention = *name.mention;
  if (mention.name.empty())
    return "the contract is not named here";
  if (sema::reservedBecause(mention.space, mention.name))
    return ticked(mention.name) + " is a word of the language";
  if (families.definitions(name).empty())
    return "nothing defines " + ticked(mention.name);
  return std::nullopt;
}

std::optional<std::string> unfitAsName(const Families& families, const NamedPlace& name,
                                       std::string_view wanted) {
  NameSpace space = name.mention->space;
  if (auto fault = malformed(space, wanted))
    return fault;
  if (auto why = sema::reservedBecause(space, wanted))
    return ticked(wanted) + " is reserved: " + *why;
  Mention mentioned = *name.mention;
  mentioned.name = wanted;
  std::vector<Site> sites = concerned(families, name);
  for (const Site& site : sites) {
    if (space == NameSpace::Contract)
      for (const Outline::Contract& each : site.outline->contracts)
        if (each.name == wanted)
          return ticked(wanted) + " is taken: " + fileOf(*site.outline) +
                 " already has a contract of that name";
    if (space != NameSpace::Contract)
      for (const Mention& mention : site.contract->mentions)
        if (isSameName(mention, mentioned))
          return ticked(wanted) + " is taken: " + std::string(whatIs(space)) + " in " +
                 fileOf(*site.outline) + " has that name";
  }
  return std::nullopt;
}

Renaming renaming(const Families& families, const NamedPlace& name, std::string_view wanted) {
  Renaming out;
  for (const NamedPlace& place : families.mentions(name))
    if (!place.mention->name.empty())
      out.edits[place.site.outline].push_back({place.span(), std::string(wanted)});
  std::map<std::string_view, const Outline*> byId;
  for (auto& [outline, edits] : out.edits) {
    std::sort(edits.begin(), edits.end());
    edits.erase(std::unique(edits.begin(), edits.end()), edits.end());
    EditSet set;
    if (!set.add(edits)) {
      out.fault = "two edits of " + fileOf(*outline) + " would overlap";
      return out;
    }
    out.texts[outline] = set.apply(outline->file, outline->text());
    byId[outline->id] = outline;
  }
  for (const Site& site : concerned(families, name))
    byId[site.outline->id] = site.outline;
  for (const auto& [id, outline] : byId)
    out.concerned.push_back(outline);
  return out;
}

bool isReadWhole(const Analysis& analysis) {
  const auto& documents = analysis.checked.tree->documents;
  return std::all_of(documents.begin(), documents.end(),
                     [](const yaml::YamlDocument& document) { return document.complete; }) &&
         std::none_of(analysis.checked.diagnostics.begin(), analysis.checked.diagnostics.end(),
                      [&](const diag::Diagnostic& diagnostic) {
                        return diagnostic.span.file == analysis.file && hidesNames(diagnostic);
                      });
}

std::string readingFault(const Outline& outline) {
  return fileOf(outline) + " cannot be fully read; fix its errors first";
}

std::optional<std::string> changeOfFindings(const Outline& outline, const Analysis& before,
                                            const Analysis& after) {
  std::vector<diag::Code> codesBefore = codesOf(before), codesAfter = codesOf(after), fresh, gone;
  std::set_difference(codesAfter.begin(), codesAfter.end(), codesBefore.begin(), codesBefore.end(),
                      std::back_inserter(fresh));
  std::set_difference(codesBefore.begin(), codesBefore.end(), codesAfter.begin(), codesAfter.end(),
                      std::back_inserter(gone));
  if (fresh.empty() && gone.empty())
    return std::nullopt;
  bool isFresh = !fresh.empty();
  return std::string("`tikc check` would ") + (isFresh ? "find " : "no longer find ") +
         std::string(diag::info((isFresh ? fresh : gone).front()).id) + " in " + fileOf(outline);
}

bool isWordAt(const Analysis& analysis, std::uint32_t offset) {
  const std::string& text = analysis.sources->get(analysis.file).text;
  for (const yaml::Comment& comment : analysis.checked.tree->comments)
    if (comment.span.begin < offset && offset <= comment.span.end)
      return false;
  return offset < text.size() && (text[offset] == '_' || llvm::isAlnum(text[offset]));
}

} // namespace tikc::ide
