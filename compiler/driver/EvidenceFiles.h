#pragma once

#include "measure/Evidence.h"

#include <llvm/Support/Error.h>

#include <span>
#include <string>

namespace tikc::driver {

/// Whether the paths are evidence. Fails on a mixture of evidence and data, because neither alone
/// is complete.
llvm::Expected<bool> areEvidence(std::span<const std::string> paths);

/// Returns the named evidence, joined.
llvm::Expected<measure::Evidence> readEvidence(std::span<const std::string> paths,
                                               bool allowsOther);

} // namespace tikc::driver
