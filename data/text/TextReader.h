#pragma once

#include "data/Source.h"
#include "data/text/FilePart.h"
#include "data/text/Records.h"

#include <cstdint>
#include <memory>
#include <string_view>

namespace tikc::data {

/// The source of a piece of text.
struct TextOfPiece {
  std::string_view file;
  Window window;
  TextLayout text = TextLayout::Lines;
  std::unique_ptr<Digest> digest; // of the bytes read so far
  std::uint64_t begin = 0;        // in the file
  // For a part of a plain file: the part, and the counter that receives its number of lines.
  std::unique_ptr<PartOfFile> part{};
  LineCounts* lines = nullptr;
  std::size_t piece = 0;
};

/// Cuts a text into records and reads them into responses.
std::unique_ptr<PieceReader> textReader(TextOfPiece from, const Layout& layout,
                                        const DataLimits& limits);

} // namespace tikc::data
