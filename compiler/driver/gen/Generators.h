#pragma once

#include "diag/Diagnostic.h"

#include <string>

/// The generated files; GeneratedFiles.def has their paths.
namespace tikc::driver::gen {

std::string schema();
std::string fixtureSchema();
std::string settingsSchema();
std::string diagnosticsPage();
std::string languagePage();
std::string lemmasPage();
std::string glossaryPage();
std::string commandLinePage();
std::string manPage();
std::string bashCompletion();
std::string zshCompletion();
std::string fishCompletion();
std::string textMateGrammar();

/// Returns a code's section of the diagnostics page, with headings from the given level.
std::string codePage(diag::Code code, unsigned level);

} // namespace tikc::driver::gen
