#pragma once

#include "audit/Audit.h"
#include "audit/gates/Gate.h"

#include <functional>
#include <map>
#include <span>
#include <string>

namespace tikc::audit {

/// The cap that a trainer is set to, and whether its other end is that of the trainer's row.
struct SetCap {
  double high = 0;
  bool isAsInRow = true;
};
/// The caps that a file sets, by the names of trainers' rows.
using SetCaps = std::map<std::string, SetCap, std::less<>>;

/// Judges the gates of a file together, because one gate may see what another misses.
void judgeGates(const Gates& gates, const SetCaps& caps, Meanings& meanings, diag::Sink& sink,
                AuditedFile& out);

/// Says what would follow from measured values as limits.
void judgePrinted(std::span<const PrintedFigure> printed, Meanings& meanings, diag::Sink& sink,
                  AuditedFile& out);

} // namespace tikc::audit
