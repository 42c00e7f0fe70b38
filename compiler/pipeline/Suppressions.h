#pragma once

#include "diag/Sink.h"
#include "support/Source.h"
#include "yaml/Tree.h"

#include <vector>

namespace tikc::pipeline {

/// Comments such as `# tikc: allow TK3204 -- reason`. On its own line, a comment applies to the
/// node below; after a value, to the node on its line. A suppression without a finding is itself a
/// finding, so this needs the findings of the whole file.
class Suppressions {
public:
  Suppressions(const SourceManager& sources, const yaml::Tree& tree, diag::Sink& sink);

  /// Removes findings that this file suppresses in its own text.
  void apply(std::vector<diag::Diagnostic>& diagnostics);
  void reportStale(diag::Sink& sink) const;

private:
  struct Item {
    diag::Code code;
    Span place;  // of the code in the comment
    Span target; // the node that it applies to; invalid if there is none
    bool used = false;
  };
  void read(const SourceManager& sources, const yaml::Tree& tree, const yaml::Comment& comment,
            diag::Sink& sink);

  std::vector<Item> items_;
};

} // namespace tikc::pipeline
