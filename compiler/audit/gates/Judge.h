#pragma once

#include "audit/Audit.h"
#include "audit/gates/Gate.h"

#include <functional>
#include <map>
#include <string>

namespace tikc::audit {

/// A cap that a trainer is set to, and whether its other end is that of the trainer's row, too.
struct SetCap {
  double high = 0;
  bool isAsInRow = true;
};
/// By the names of trainers' rows, where a file says.
using SetCaps = std::map<std::string, SetCap, std::less<>>;

/// Judges the gates of one file, each beside the others: what one is blind to another may see.
void judgeGates(const Gates& gates, const SetCaps& caps, Meanings& meanings, diag::Sink& sink,
                AuditedFile& out);

} // namespace tikc::audit
