#pragma once

#include "diag/Sink.h"
#include "support/Limits.h"
#include "support/Source.h"
#include "yaml/Tree.h"

namespace tikc::yaml {

/// The source of a document's structure: its tokens if they leave no doubt, or always the YAML
/// parser. The two agree; tests read texts in both ways.
enum class StructureBy : std::uint8_t { Tokens, Parser };

/// Reads untrusted YAML. Every fault goes to the sink with its exact place. Returns what could be
/// read.
Tree readYaml(const SourceManager& sources, FileId file, const Limits& limits, diag::Sink& sink,
              StructureBy by = StructureBy::Tokens);

} // namespace tikc::yaml
