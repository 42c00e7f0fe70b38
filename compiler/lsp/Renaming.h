#pragma once

#include "lsp/Naming.h"

namespace tikc::lsp {

/// Why the name at the cursor cannot be renamed, or its new name not be taken; nothing where it
/// can.
std::optional<std::string> unfitToRename(const Asked& asked);
std::optional<std::string> unfitAsName(const Asked& asked, std::string_view name);

/// What a rename changes, and which texts may notice. Nobody changes it.
struct Renaming {
  std::shared_ptr<const Asked> asked;
  std::map<const Outline*, std::vector<Edit>> edits; // of every text that says the name
  std::map<const Outline*, std::string> texts;       // with the edits
  std::vector<const Outline*> concerned;             // all above and below included, by their URIs
  std::string fault;                                 // why the edits cannot be made
};
std::shared_ptr<const Renaming> renaming(const std::shared_ptr<const Asked>& asked,
                                         std::string_view name);

/// Whether a rename leaves every contract as it was, which the crew finds out. Whoever forgets it
/// has it stop.
class Verification {
public:
  Verification(Session& session, const std::shared_ptr<const Renaming>& renaming);
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
