#pragma once

#include "data/bytes/Stream.h"

namespace tikc::data {

/// Returns a stream of the same bytes that another thread reads ahead, a few blocks at most.
/// Destroying the stream waits for a read in progress, so do not use it for pipes.
std::unique_ptr<ByteStream> readAhead(std::unique_ptr<ByteStream> inner);

} // namespace tikc::data
