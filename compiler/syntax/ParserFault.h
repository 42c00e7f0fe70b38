#pragma once

#include "diag/Sink.h"
#include "support/Source.h"
#include "syntax/Scanner.h"

namespace tikc::syntax {

/// Says what the YAML parser's complaint about one place means to the author, and where the fault
/// really is.
void reportParserFault(std::string_view complaint, std::uint32_t offset, const Source& source,
                       FileId file, const DocumentText& document, diag::Sink& sink);

/// `trainer { engine: … }`: whether the key is one that runs into its value's bracket.
bool reportMissingColon(const Span& key, std::string_view text, diag::Sink& sink);

} // namespace tikc::syntax
