#pragma once

#include "ide/Renaming.h"
#include "lsp/answers/Naming.h"

namespace tikc::lsp {

/// A check by the crew that a rename does not change the meaning of any contract. The destructor
/// stops it.
class Verification {
public:
  Verification(Session& session, const std::shared_ptr<const AskedName>& asked,
               const std::shared_ptr<const ide::Renaming>& renaming);
  ~Verification();

  bool isDone() const { return errand_->isDone(); }
  /// Whether an internal error prevented the verification.
  bool hasFailed() const { return errand_->hasFailed(); }
  /// Returns why the rename is unsafe: a contract cannot be fully read, or its findings would
  /// change. Nothing if it is safe.
  std::optional<std::string> fault() const;

private:
  struct State;
  std::shared_ptr<State> state_;
  std::shared_ptr<Crew::Errand> errand_;
};

} // namespace tikc::lsp
