#pragma once

#include "ide/Surroundings.h"
#include "ide/completion/Item.h"

#include <optional>

namespace tikc::ide {

struct CompletionRequest {
  const Analysis& analysis;
  std::filesystem::path path; // empty where the text is no file
  std::uint32_t offset = 0;
  Surroundings& around;
  /// A blank asks, not the user: nothing may come up where the next key pressed could mean the end
  /// of the line.
  bool isByBlank = false;
  /// Items may have gaps to be filled in.
  bool withSnippets = false;
};

/// What may be written at a place.
struct Completion {
  struct Offer {
    CompletionItem item;
    std::size_t number = 0; // of its group, in the order that it is offered in
    WordSlot::Written written;
    std::string typed; // what finds it, as it stands in the text
  };

  /// What was typed goes from `begin` to the cursor, the word that is replaced to `end`.
  std::uint32_t begin = 0, cursor = 0, end = 0;
  std::uint32_t scalar = 0; // where that begins, and an offer puts its quote before
  std::vector<Offer> offers;
};
std::optional<Completion> completionAt(const CompletionRequest& request);

} // namespace tikc::ide
