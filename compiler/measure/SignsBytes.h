#pragma once

#include "data/inspect/Signs.h"
#include "measure/Bytes.h"

/// What faults leave behind, as bytes of evidence: bins with nothing in them take a bit.
namespace tikc::measure {

void writeSigns(ByteWriter& to, const data::Signs& of);
/// Of bytes that no writer wrote the reader is not good any more, and sums are finite at least.
data::Signs readSigns(ByteReader& from);

} // namespace tikc::measure
