#pragma once

#include "diag/Sink.h"
#include "support/Limits.h"
#include "support/Source.h"
#include "syntax/Tree.h"

namespace tikc::syntax {

/// What tells a document's structure: its tokens, where they leave no doubt, or always the YAML
/// parser. The two agree; that is tested by reading in both ways.
enum class StructureBy : std::uint8_t { Tokens, Parser };

/// Reads YAML that strangers wrote. Every fault goes to the sink with its exact place; what could
/// be read is returned.
Tree readYaml(const SourceManager& sources, FileId file, const Limits& limits, diag::Sink& sink,
              StructureBy by = StructureBy::Tokens);

} // namespace tikc::syntax
