#pragma once

#include "bounds/prove/Deduction.h"

/// What a chain's links say together of its ends.
namespace tikc::bounds {

/// Whole laws, then what is kept of them, then what is served: lemmas lead that way.
int rankOf(const About& about);

/// Every table of a problem.
struct Tables {
  struct View {
    About about;
    std::vector<Table> slices;
  };
  std::vector<std::vector<View>> byLink;

  /// Null where nothing is known of those laws on that link.
  Table* find(std::uint32_t slice, std::uint32_t link, const About& about);
};

/// Adds up what is known of the steps between a link's kernels, along the best path for each
/// quantity, where some goal is about that link.
void compose(Deduction& deduction, Tables& tables, Table& table);

} // namespace tikc::bounds
