#pragma once

#include "bounds/prove/Deduction.h"

/// Bounds on the ends of a chain, from bounds on its links.
namespace tikc::bounds {

/// Returns the order in which laws are closed: whole, then kept, then served, because lemmas lead
/// that way.
int rankOf(const About& about);

/// All tables of a problem.
struct Tables {
  struct View {
    About about;
    std::vector<Table> slices;
  };
  std::vector<std::vector<View>> byLink;

  /// Returns null if nothing is known about these laws on that link.
  Table* find(std::uint32_t slice, std::uint32_t link, const About& about);
};

/// Adds up the bounds on the steps between a link's kernels, along the best path for each quantity.
/// Does nothing for links without a goal.
void compose(Deduction& deduction, Tables& tables, Table& table);

} // namespace tikc::bounds
