#pragma once

#include "data/inspect/Signs.h"
#include "measure/Bytes.h"

/// The signs of faults in the byte format of evidence; an empty bin takes one bit.
namespace tikc::measure {

void writeSigns(ByteWriter& to, const data::Signs& signs);
/// Fails the reader on bytes that no writer makes. Sums are always finite.
data::Signs readSigns(ByteReader& from);

} // namespace tikc::measure
