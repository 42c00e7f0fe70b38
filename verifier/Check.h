#pragma once

#include "verifier/Tree.h"

namespace verify {

struct Verdict {
  bool accepted = false;
  std::string report; // for people
  std::vector<std::string> open =
      {}; // the claims that an accepted certificate does not mark as proved
};

/// Checks that every claim that the certificate marks as proved follows from the texts of these
/// files, by lemmas that this program knows. `files` are in the certificate's order.
Verdict check(std::string_view certificate, const std::vector<File>& files);

} // namespace verify
