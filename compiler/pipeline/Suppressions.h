#pragma once

#include "diag/Sink.h"
#include "support/Source.h"
#include "syntax/Tree.h"

#include <vector>

namespace tikc::pipeline {

/// `# tikc: allow TK3204 -- reason`: on a line of its own it speaks of the node below, after a
/// value of the node on its line. A suppression that meets no finding is itself one, so it must see
/// the findings of the whole file.
class Suppressions {
public:
  Suppressions(const SourceManager& sources, const syntax::Tree& tree, diag::Sink& sink);

  /// Drops from the findings what this file suppresses in its own text.
  void apply(std::vector<diag::Diagnostic>& diagnostics);
  void reportStale(diag::Sink& sink) const;

private:
  struct Item {
    diag::Code code;
    Span place;  // of the code in the comment
    Span target; // the node that it speaks of; invalid where there is none
    bool used = false;
  };
  void read(const SourceManager& sources, const syntax::Tree& tree, const syntax::Comment& comment,
            diag::Sink& sink);

  std::vector<Item> items_;
};

} // namespace tikc::pipeline
