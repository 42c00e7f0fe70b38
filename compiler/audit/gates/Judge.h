#pragma once

#include "audit/Audit.h"
#include "audit/gates/Gate.h"

#include <functional>
#include <map>
#include <string>

namespace tikc::audit {

/// The caps that trainers are set to, by their names, where a file says.
using SetCaps = std::map<std::string, double, std::less<>>;

/// Judges the gates of one file, each beside the others: what one is blind to another may see.
void judgeGates(const Gates& gates, const SetCaps& caps, Meanings& meanings, diag::Sink& sink,
                AuditedFile& out);

} // namespace tikc::audit
