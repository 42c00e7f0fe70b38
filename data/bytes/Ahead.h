#pragma once

#include "data/bytes/Stream.h"

namespace tikc::data {

/// The same bytes, which another thread reads in advance, a few blocks at most. Destroying the
/// stream waits for the read that is in progress, so this is not for pipes.
std::unique_ptr<ByteStream> readAhead(std::unique_ptr<ByteStream> inner);

} // namespace tikc::data
