#pragma once

#include "model/Keys.h"
#include "pipeline/Pipeline.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace tikc::ide {

/// The pipeline's result for one text. Spans are in its own sources.
struct Analysis {
  std::shared_ptr<const SourceManager> sources;
  FileId file = FileId::None;
  pipeline::CheckedFile checked;
  /// The kind of its documents. For a test file, the contracts it names are included, and only
  /// its own tree was checked.
  model::Shape shape = model::Shape::Contract;
  std::vector<std::shared_ptr<const model::Contract>> tested;
};

/// A range of bytes in a text.
struct TextRange {
  std::uint32_t begin = 0, end = 0;
};

} // namespace tikc::ide
