#pragma once

#include "diag/Sink.h"
#include "support/Limits.h"
#include "support/Source.h"
#include "syntax/Tree.h"

namespace tikc::syntax {

/// Reads YAML that strangers wrote. Every fault goes to the sink with its exact place; what could
/// be read is returned.
Tree readYaml(const SourceManager& sources, FileId file, const Limits& limits, diag::Sink& sink);

} // namespace tikc::syntax
