#pragma once

#include "diag/Sink.h"
#include "support/Span.h"
#include "yaml/FeedText.h"

namespace tikc::yaml {

/// Checks every byte before the YAML parser, which accepts anything. Invalid bytes are reported and
/// painted over. Returns false if no part of the file is UTF-8.
bool checkEncoding(FileId file, FeedText& text, diag::Sink& sink);

} // namespace tikc::yaml
