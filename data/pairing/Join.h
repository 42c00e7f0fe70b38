#pragma once

#include "data/Source.h"

namespace tikc::data {

/// Makes a layout one of a single side, whose records have a key: a field, or `ids` for the tokens
/// themselves.
llvm::Error takeSide(Layout& layout, const Survey& survey, bool isTrainer,
                     std::string_view keyField);

/// Joins the responses of two sides by their keys, as one piece. The trainer's responses are kept
/// until the server's come.
std::unique_ptr<Input> joinedInput(Source trainer, Source server, std::int64_t shift,
                                   const DataLimits& limits);

} // namespace tikc::data
