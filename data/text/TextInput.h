#pragma once

#include "data/Source.h"
#include "data/bytes/Mapped.h"

namespace tikc::data {

/// Makes an input of a JSON file. A compressed file is unpacked on its own thread if it is read
/// ahead.
std::unique_ptr<Input> textInput(std::string name, std::shared_ptr<const MappedFile> file,
                                 const DataLimits& limits, bool isReadAhead = false);
/// Makes an input of standard input, which can be read once.
llvm::Expected<std::unique_ptr<Input>> streamInput(int descriptor, const DataLimits& limits);

} // namespace tikc::data
