#include "driver/Elsewhere.h"

#include <set>

namespace tikc::driver {

namespace fs = std::filesystem;

llvm::Error Elsewhere::read(const SidesAsked& asked, const DiffSide& was, const DiffSide& is,
                            const DiffOperand& old, const DiffOperand& fresh) {
  const fs::path& top = *was.repository();
  std::error_code error;
  std::string here = fs::proximate(top, fs::current_path(error), error).string();
  knownOld_ = was.files();
  knownNew_ = is.files();
  for (DiffSide* side : {&was_, &is_}) {
    side->setRoot(asked.root);
    if (asked.forceExclude)
      side->forceExclude();
  }
  if (auto fault = was_.add({"", old.revision}, here))
    return fault;
  DiffOperand whole =
      fresh.isOfRevision() ? DiffOperand{"", fresh.revision} : DiffOperand{here, ""};
  if (auto fault = is_.add(whole, here))
    return fault;
  was_.setTop(top);
  is_.setTop(top);
  // What cannot be read is told of where it is asked for.
  llvm::consumeError(was_.takeErrors());
  llvm::consumeError(is_.takeErrors());
  std::set<std::string> places = changedPlaces();
  was_.checkAt(asked.jobs, places);
  is_.checkAt(asked.jobs, places);
  return llvm::Error::success();
}

std::set<std::string> Elsewhere::changedPlaces() const {
  std::set<std::string> out;
  Files before = was_.files(), after = is_.files();
  for (const auto& [place, file] : before) {
    auto same = after.find(place);
    if (same == after.end() || sources_.get(same->second).text != sources_.get(file).text)
      out.insert(place);
  }
  for (const auto& [place, file] : after)
    if (!before.contains(place))
      out.insert(place);
  return out;
}

std::vector<DiffSide::Held> Elsewhere::beside(std::vector<DiffSide::Held> held,
                                              const Files& known) {
  std::erase_if(held, [&](const DiffSide::Held& each) { return known.contains(each.place); });
  for (DiffSide::Held& each : held)
    each.isAside = true;
  return held;
}

} // namespace tikc::driver
