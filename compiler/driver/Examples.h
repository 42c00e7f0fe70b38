#pragma once

#include <span>
#include <string>
#include <string_view>

namespace tikc::driver {

/// A file of tests/diag, embedded at build time. Failing examples begin with "avoid", passing ones
/// with "prefer"; avoid.golden is the expected output.
struct ExampleFile {
  std::string_view code;
  std::string_view path; // relative to the code's folder
  std::string_view text;
};

std::span<const ExampleFile> exampleFiles();
/// Returns the file's text; empty if the code has no such file.
std::string_view exampleText(std::string_view code, std::string_view path);
/// Returns the command line that prints avoid.golden.
std::string exampleCommand(std::string_view code);

} // namespace tikc::driver
