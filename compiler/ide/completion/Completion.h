#pragma once

#include "ide/Surroundings.h"
#include "ide/completion/Item.h"

#include <optional>

namespace tikc::ide {

struct CompletionRequest {
  const Analysis& analysis;
  std::filesystem::path path; // empty for a text that is not a file
  std::uint32_t offset = 0;
  Surroundings& around;
  /// Whether a typed space triggered the request. Then no item may appear that the next key, a
  /// newline, could accept.
  bool isByBlank = false;
  /// Whether items may have gaps.
  bool withSnippets = false;
};

/// The items at a place.
struct Completion {
  struct Offer {
    CompletionItem item;
    std::size_t number = 0; // within its group, in order of display
    WordSlot::Insertion written;
    std::string typed; // the matched text, as written in the file
  };

  /// The typed text is from `begin` to `cursor`; the replaced word ends at `end`.
  std::uint32_t begin = 0, cursor = 0, end = 0;
  std::uint32_t scalar = 0; // its start, where an offer may insert a quote
  std::vector<Offer> offers;
};
std::optional<Completion> completionAt(const CompletionRequest& request);

} // namespace tikc::ide
