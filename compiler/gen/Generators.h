#pragma once

#include <string>

/// The generated files that only the tree and packages contain. `GeneratedFiles.def` has their
/// paths.
namespace tikc::gen {

std::string languagePage();
std::string lemmasPage();
std::string glossaryPage();
std::string commandLinePage();
std::string manPage();
std::string bashCompletion();
std::string zshCompletion();
std::string fishCompletion();
std::string textMateGrammar();

} // namespace tikc::gen
