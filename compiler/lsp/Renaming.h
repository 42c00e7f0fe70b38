#pragma once

#include "lsp/Naming.h"

namespace tikc::lsp {

/// Why the name at the cursor cannot be renamed, or its new name not be taken; nothing where it
/// can.
std::optional<std::string> unfitToRename(const Asked& asked);
std::optional<std::string> unfitAsName(const Asked& asked, std::string_view name);

/// The edits of every text that says the name.
std::map<const Outline*, std::vector<Edit>> renamed(const Asked& asked, std::string_view name);

/// Whether edits leave every contract as it was, which the crew finds out. Whoever forgets it has
/// it stop.
class Verification {
public:
  Verification(Session& session, const Asked& asked,
               const std::map<const Outline*, std::vector<Edit>>& edits);
  ~Verification();

  bool isDone() const;
  /// Why they would not: a contract cannot be read whole, so that what it says is not known, or a
  /// check finds something else after them. Nothing where they would.
  std::optional<std::string> fault() const;

private:
  struct State;
  std::shared_ptr<State> state_;
  std::shared_ptr<Crew::Errand> errand_;
};

} // namespace tikc::lsp
