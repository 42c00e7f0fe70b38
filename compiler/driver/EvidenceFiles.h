#pragma once

#include "measure/Evidence.h"

#include <llvm/Support/Error.h>

#include <span>
#include <string>

namespace tikc::driver {

/// Whether what is named is evidence; of evidence and data together neither would be all of it.
llvm::Expected<bool> areEvidence(std::span<const std::string> paths);

/// What is named, joined.
llvm::Expected<measure::Evidence> readEvidence(std::span<const std::string> paths,
                                               bool allowsOther);

} // namespace tikc::driver
