#pragma once

#include "ide/Renaming.h"
#include "lsp/answers/Naming.h"

namespace tikc::lsp {

/// Whether a rename leaves every contract as it was, which the crew finds out. Whoever forgets it
/// has it stop.
class Verification {
public:
  Verification(Session& session, const std::shared_ptr<const AskedName>& asked,
               const std::shared_ptr<const ide::Renaming>& renaming);
  ~Verification();

  bool isDone() const { return errand_->isDone(); }
  /// Whether they could not be verified, by the program's own fault.
  bool hasFailed() const { return errand_->hasFailed(); }
  /// Why it would not: a contract cannot be read whole, so that what it says is not known, or a
  /// check finds something else after it. Nothing where it would.
  std::optional<std::string> fault() const;

private:
  struct State;
  std::shared_ptr<State> state_;
  std::shared_ptr<Crew::Errand> errand_;
};

} // namespace tikc::lsp
