#pragma once

#include <llvm/Support/Error.h>

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tikc {

/// What a program may cost before it is ended.
struct ProgramLimits {
  std::uint64_t outputBytes = 256u << 20;
  std::chrono::seconds time{30};
};

struct ProgramResult {
  int status = 0;
  std::string output, complaint; // what it wrote to standard output, and to standard error
};

/// Runs a program of the PATH, without a shell, in the environment and what is added to it. An
/// error where there is no such program, or where it passes a limit; its own failure is a status.
llvm::Expected<ProgramResult> runProgram(const std::vector<std::string>& words,
                                         std::string_view input, const ProgramLimits& limits,
                                         const std::vector<std::string>& added = {});

} // namespace tikc
