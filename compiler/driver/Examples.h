#pragma once

#include <span>
#include <string>
#include <string_view>

namespace tikc::driver {

/// One file of tests/diag, embedded when tikc is built: what fails begins with "avoid", what passes
/// with "prefer", and avoid.golden is the output that a test holds the compiler to.
struct ExampleFile {
  std::string_view code;
  std::string_view path; // below the code's folder
  std::string_view text;
};

std::span<const ExampleFile> exampleFiles();
/// Empty where the code has no such file.
std::string_view exampleText(std::string_view code, std::string_view path);
/// The command line that avoid.golden is the output of.
std::string exampleCommand(std::string_view code);

} // namespace tikc::driver
