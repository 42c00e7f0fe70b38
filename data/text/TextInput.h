#pragma once

#include "data/Source.h"
#include "data/bytes/Mapped.h"

namespace tikc::data {

/// A file of JSON.
std::unique_ptr<Input> textInput(std::string name, std::shared_ptr<const MappedFile> file,
                                 const DataLimits& limits);
/// Standard input, which can be read once.
std::unique_ptr<Input> streamInput(int descriptor, const DataLimits& limits);

} // namespace tikc::data
