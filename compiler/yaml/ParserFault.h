#pragma once

#include "diag/Sink.h"
#include "support/Source.h"
#include "yaml/Scanner.h"

namespace tikc::yaml {

/// Reports an error of the YAML parser in the author's terms, at its real cause.
void reportParserFault(std::string_view complaint, std::uint32_t offset, const Source& source,
                       FileId file, const DocumentText& document, diag::Sink& sink);

/// Reports a key that runs into its value's bracket: `trainer { engine: … }`. Returns false if it
/// does not.
bool reportMissingColon(const Span& key, std::string_view text, diag::Sink& sink);

} // namespace tikc::yaml
