#pragma once

#include "data/Source.h"
#include "data/text/FilePart.h"
#include "data/text/Records.h"

#include <cstdint>
#include <memory>
#include <string_view>

namespace tikc::data {

/// What a piece of text is read from.
struct TextOfPiece {
  std::string_view file;
  Window window;
  TextLayout text = TextLayout::Lines;
  std::unique_ptr<Digest> digest; // of the bytes, as they are read
  std::uint64_t begin = 0;        // in the file
  // Of a part of a plain file, what it holds of it, and who hears how many lines it has.
  std::unique_ptr<PartOfFile> part{};
  LineCounts* lines = nullptr;
  std::size_t piece = 0;
};

/// Cuts a text into records and reads them into responses.
std::unique_ptr<PieceReader> textReader(TextOfPiece from, const Layout& layout,
                                        const DataLimits& limits);

} // namespace tikc::data
