#pragma once

#include "diag/Sink.h"
#include "support/Span.h"
#include "syntax/FeedText.h"

namespace tikc::syntax {

/// Looks at every byte before the YAML parser does, which takes anything for text. Bytes that are
/// not text are reported and painted over. False when nothing of the file can be read as UTF-8.
bool checkEncoding(FileId file, FeedText& text, diag::Sink& sink);

} // namespace tikc::syntax
