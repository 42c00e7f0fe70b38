#pragma once

#include "diag/Diagnostic.h"

#include <string>

/// Schemas and pages that commands print and that the tree or the documentation contains.
namespace tikc::driver {

std::string contractSchema();
std::string fixtureSchema();
std::string settingsSchema();
std::string diagnosticsPage();

/// Returns a code's section of the diagnostics page, with headings from the given level.
std::string codePage(diag::Code code, unsigned level);

} // namespace tikc::driver
