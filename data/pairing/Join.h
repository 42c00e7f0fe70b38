#pragma once

#include "data/Source.h"

namespace tikc::data {

/// Makes a layout one of a side alone, whose records have a key: a field, or `ids` for the tokens
/// themselves.
llvm::Error takeSide(Layout& layout, const Survey& survey, bool isTrainer,
                     std::string_view keyField);

/// Two sides' responses by their keys. The trainer's are kept until the server's come, in one
/// piece.
std::unique_ptr<Input> joinedInput(Source trainer, Source server, std::int64_t shift,
                                   const DataLimits& limits);

} // namespace tikc::data
