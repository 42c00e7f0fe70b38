#pragma once

#include "data/Source.h"
#include "data/bytes/Mapped.h"

namespace tikc::data {

/// A file of JSON. One that is packed is unpacked on a thread of its own if it is read ahead.
std::unique_ptr<Input> textInput(std::string name, std::shared_ptr<const MappedFile> file,
                                 const DataLimits& limits, bool isReadAhead = false);
/// Standard input, which can be read once.
std::unique_ptr<Input> streamInput(int descriptor, const DataLimits& limits);

} // namespace tikc::data
