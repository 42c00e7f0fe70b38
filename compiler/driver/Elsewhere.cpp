#include "driver/Elsewhere.h"

#include <set>

namespace tikc::driver {

namespace fs = std::filesystem;

llvm::Error Elsewhere::read(const SidesRequest& request, const DiffSide& oldSide,
                            const DiffSide& newSide, const DiffOperand& old,
                            const DiffOperand& fresh) {
  const fs::path& top = *oldSide.repository();
  std::error_code error;
  std::string here = fs::proximate(top, fs::current_path(error), error).string();
  knownOld_ = oldSide.files();
  knownNew_ = newSide.files();
  for (DiffSide* side : {&oldSide_, &newSide_}) {
    side->setRoot(request.root);
    if (request.forceExclude)
      side->forceExclude();
  }
  if (auto fault = oldSide_.add({"", old.revision}, here))
    return fault;
  DiffOperand whole =
      fresh.isOfRevision() ? DiffOperand{"", fresh.revision} : DiffOperand{here, ""};
  if (auto fault = newSide_.add(whole, here))
    return fault;
  oldSide_.setTop(top);
  newSide_.setTop(top);
  // What cannot be read is told of where it is asked for.
  llvm::consumeError(oldSide_.takeErrors());
  llvm::consumeError(newSide_.takeErrors());
  std::set<std::string> places = changedPlaces();
  oldSide_.checkAt(request.jobs, places);
  newSide_.checkAt(request.jobs, places);
  return llvm::Error::success();
}

std::set<std::string> Elsewhere::changedPlaces() const {
  std::set<std::string> out;
  Files before = oldSide_.files(), after = newSide_.files();
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

std::vector<DiffSide::Entry> Elsewhere::beside(std::vector<DiffSide::Entry> held,
                                               const Files& known) {
  std::erase_if(held, [&](const DiffSide::Entry& each) { return known.contains(each.place); });
  for (DiffSide::Entry& each : held)
    each.isAside = true;
  return held;
}

} // namespace tikc::driver
