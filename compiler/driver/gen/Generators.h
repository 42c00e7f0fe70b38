#pragma once

#include "diag/Diagnostic.h"

#include <string>

/// What is written from the compiler's own tables. GeneratedFiles.def says where each goes.
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

/// One code's part of the diagnostics page, under a heading of the given level.
std::string codePage(diag::Code code, unsigned level);

} // namespace tikc::driver::gen
