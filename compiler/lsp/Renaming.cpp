#include "lsp/Renaming.h"

#include "model/Keys.h"
#include "support/Utf8.h"

#include <llvm/ADT/StringExtras.h>

#include <algorithm>
#include <atomic>

namespace tikc::lsp {

using sema::Mention;
using sema::NameSpace;
using utf8::ticked;

namespace {

std::string fileOf(const Outline& outline) {
  return outline.path.empty() ? outline.id : outline.path.filename().string();
}

const std::string& textOf(const Outline& outline) {
  return outline.sources->get(outline.file).text;
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
  if (syntax::coreType(name) != syntax::ScalarType::String)
    return ticked(name) + " is no text in YAML";
  return std::nullopt;
}

/// Contracts whose meaning the name is a part of: those that it reaches, and all above them.
std::vector<ide::Site> concerned(const Asked& asked) {
  std::vector<ide::Site> out;
  std::set<ide::Site> seen;
  for (const ide::Site& site : asked.families->reach(asked.name))
    for (ide::Site up = site; up && seen.insert(up).second; up = asked.families->parentOf(up))
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
  std::vector<ide::Site> sites = concerned(asked);
  for (const ide::Site& site : sites) {
    if (space == NameSpace::Contract)
      for (const Outline::Contract& each : site.outline->contracts)
        if (each.name == name)
          return ticked(name) + " is taken: a contract of " + fileOf(*site.outline) +
                 " is called so";
    if (space != NameSpace::Contract)
      for (const Mention& mention : site.contract->mentions)
        if (ide::isSameName(mention, wanted))
          return ticked(name) + " is taken: " + std::string(whatIs(space)) + " is called so in " +
                 fileOf(*site.outline);
  }
  return std::nullopt;
}

std::shared_ptr<const Renaming> renaming(const std::shared_ptr<const Asked>& asked,
                                         std::string_view name) {
  auto out = std::make_shared<Renaming>();
  out->asked = asked;
  for (const ide::NamedPlace& place : asked->families->mentions(asked->name))
    if (!place.mention->name.empty())
      out->edits[place.site.outline].push_back({place.span(), std::string(name)});
  std::map<std::string_view, const Outline*> byUri;
  for (auto& [outline, edits] : out->edits) {
    std::sort(edits.begin(), edits.end());
    edits.erase(std::unique(edits.begin(), edits.end()), edits.end());
    EditSet set;
    if (!set.add(edits)) {
      out->fault = "two changes of " + fileOf(*outline) + " would meet";
      return out;
    }
    out->texts[outline] = set.apply(outline->file, textOf(*outline));
    byUri[outline->id] = outline;
  }
  for (const ide::Site& site : concerned(*asked))
    byUri[site.outline->id] = site.outline;
  for (const auto& [uri, outline] : byUri)
    out->concerned.push_back(outline);
  return out;
}

struct Verification::State {
  std::shared_ptr<const Renaming> renaming;
  std::vector<const project::Settings*> settings; // of those concerned
  std::shared_ptr<const World> now, then;
  std::atomic<std::size_t> firstAtFault = std::size_t(-1); // in the order of those concerned
  std::map<std::size_t, std::string> faults;

  std::optional<std::string> faultOf(Checkup& checkup, std::size_t index) const;
};

namespace {

// What a thread takes at once.
constexpr std::size_t textsOfAPart = 4;

bool isReadWhole(const Analysis& analysis) {
  const auto& documents = analysis.checked.tree->documents;
  return std::all_of(documents.begin(), documents.end(),
                     [](const syntax::Document& document) { return document.complete; }) &&
         std::none_of(analysis.checked.diagnostics.begin(), analysis.checked.diagnostics.end(),
                      [&](const diag::Diagnostic& found) {
                        return found.span.file == analysis.file && hidesNames(found);
                      });
}

} // namespace

std::optional<std::string> Verification::State::faultOf(Checkup& checkup, std::size_t index) const {
  const Outline& outline = *renaming->concerned[index];
  auto with = [&](const std::string& text) {
    return Subject{outline.id, outline.path, text, settings[index]};
  };
  auto edited = renaming->texts.find(&outline);
  auto before = checkup.of(now, with(textOf(outline)));
  if (!before || !isReadWhole(*before))
    return fileOf(outline) + " cannot be read whole; mend it first";
  auto after =
      checkup.of(then, with(edited == renaming->texts.end() ? textOf(outline) : edited->second));
  if (!after)
    return fileOf(outline) + " cannot be read whole; mend it first";
  auto codesBefore = codesOf(*before), codesAfter = codesOf(*after);
  if (codesBefore != codesAfter)
    return changeOfFindings(codesBefore, codesAfter) + fileOf(outline);
  return std::nullopt;
}

Verification::Verification(Session& session, const std::shared_ptr<const Renaming>& renaming)
    : state_(std::make_shared<State>()), errand_(std::make_shared<Crew::Errand>()) {
  State& state = *state_;
  state.renaming = renaming;
  std::map<std::filesystem::path, std::string> files;
  for (const auto& [outline, text] : renaming->texts)
    if (!outline->path.empty())
      files[outline->path] = text;
  state.now = session.workspace.world();
  state.then = session.workspace.world(files);
  std::map<std::string, const project::Settings*> ofFolders;
  for (const Outline* outline : renaming->concerned) {
    std::filesystem::path folder = outline->path.parent_path();
    auto [known, fresh] = ofFolders.try_emplace(folder.native());
    if (fresh)
      known->second = &session.workspace.settingsFor(folder);
    state.settings.push_back(known->second);
  }
  errand_->parts = (renaming->concerned.size() + textsOfAPart - 1) / textsOfAPart;
  errand_->work = [state = state_, errand = errand_.get()](Checkup& checkup, std::size_t part) {
    std::map<std::size_t, std::string> faults;
    std::size_t end = std::min(state->settings.size(), (part + 1) * textsOfAPart);
    for (std::size_t i = part * textsOfAPart; i < end; ++i) {
      if (errand->isAbandoned() || i > state->firstAtFault)
        break;
      if (auto fault = state->faultOf(checkup, i)) {
        faults.emplace(i, std::move(*fault));
        std::size_t known = state->firstAtFault;
        while (i < known && !state->firstAtFault.compare_exchange_weak(known, i)) {
        }
      }
    }
    return [state, faults = std::move(faults)](Session&) {
      state->faults.insert(faults.begin(), faults.end());
    };
  };
  session.crew.give(errand_);
}

Verification::~Verification() { errand_->abandon(); }

std::optional<std::string> Verification::fault() const {
  return state_->faults.empty() ? std::nullopt : std::optional(state_->faults.begin()->second);
}

} // namespace tikc::lsp
