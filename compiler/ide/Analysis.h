#pragma once

#include "pipeline/Pipeline.h"

#include <cstdint>
#include <memory>

namespace tikc::ide {

/// What the pipeline made of one text. Spans are of its own sources.
struct Analysis {
  std::shared_ptr<const SourceManager> sources;
  FileId file = FileId::None;
  pipeline::CheckedFile checked;
};

/// Bytes of a text.
struct TextRange {
  std::uint32_t begin = 0, end = 0;
};

} // namespace tikc::ide
