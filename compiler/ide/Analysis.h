#pragma once

#include "model/Keys.h"
#include "pipeline/Pipeline.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace tikc::ide {

/// What the pipeline made of one text. Spans are of its own sources.
struct Analysis {
  std::shared_ptr<const SourceManager> sources;
  FileId file = FileId::None;
  pipeline::CheckedFile checked;
  /// What its documents are, and of a file of tests the contracts that it names: of the file itself
  /// nothing is checked then but its tree.
  model::Shape is = model::Shape::Contract;
  std::vector<std::shared_ptr<const model::Contract>> tested;
};

/// Bytes of a text.
struct TextRange {
  std::uint32_t begin = 0, end = 0;
};

} // namespace tikc::ide
