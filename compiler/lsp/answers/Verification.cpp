#include "lsp/answers/Verification.h"

#include <algorithm>
#include <atomic>

namespace tikc::lsp {

struct Verification::State {
  std::shared_ptr<const AskedName> asked; // whose outlines these are
  std::shared_ptr<const ide::Renaming> renaming;
  std::vector<const project::Settings*> settings; // of those concerned
  std::shared_ptr<const World> now, then;
  std::atomic<std::size_t> firstAtFault = std::size_t(-1); // in the order of those concerned
  std::map<std::size_t, std::string> faults;

  std::optional<std::string> faultOf(WorldChecker& checker, std::size_t index) const;
};

namespace {

// What a thread takes at once.
constexpr std::size_t textsOfAPart = 4;

} // namespace

std::optional<std::string> Verification::State::faultOf(WorldChecker& checker,
                                                        std::size_t index) const {
  const Outline& outline = *renaming->concerned[index];
  auto with = [&](const std::string& text) {
    return CheckSubject{outline.id, outline.path, text, settings[index]};
  };
  auto edited = renaming->texts.find(&outline);
  auto before = checker.of(now, with(outline.text()));
  if (!before || !ide::isReadWhole(*before))
    return ide::readingFault(outline);
  auto after =
      checker.of(then, with(edited == renaming->texts.end() ? outline.text() : edited->second));
  if (!after)
    return ide::readingFault(outline);
  return ide::changeOfFindings(outline, *before, *after);
}

Verification::Verification(Session& session, const std::shared_ptr<const AskedName>& asked,
                           const std::shared_ptr<const ide::Renaming>& renaming)
    : state_(std::make_shared<State>()), errand_(std::make_shared<Crew::Errand>()) {
  State& state = *state_;
  state.asked = asked;
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
  errand_->work = [state = state_, errand = errand_.get()](WorldChecker& checker,
                                                           std::size_t part) {
    std::map<std::size_t, std::string> faults;
    std::size_t end = std::min(state->settings.size(), (part + 1) * textsOfAPart);
    for (std::size_t i = part * textsOfAPart; i < end; ++i) {
      if (errand->isAbandoned() || i > state->firstAtFault)
        break;
      if (auto fault = state->faultOf(checker, i)) {
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
