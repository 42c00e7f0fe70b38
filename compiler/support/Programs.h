#pragma once

#include <llvm/Support/Error.h>

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tikc {

/// The limits at which a program is killed.
struct ProgramLimits {
  std::uint64_t outputBytes = 256u << 20;
  std::chrono::seconds time{30};
};

struct ProgramResult {
  int status = 0;
  std::string output, complaint; // standard output and standard error
};

/// Runs a program from PATH without a shell; `added` extends the environment. Fails if the program
/// does not exist or exceeds a limit. The program's own failure is a status.
llvm::Expected<ProgramResult> runProgram(const std::vector<std::string>& words,
                                         std::string_view input, const ProgramLimits& limits,
                                         const std::vector<std::string>& added = {});

} // namespace tikc
