#pragma once

#include <stdexcept>

/// Faults of the program itself, for which no input is to blame.
namespace tikc {

class InternalFault : public std::logic_error {
public:
  using std::logic_error::logic_error;
};

[[noreturn]] void throwInternalFault(const char* what, const char* file, int line);

} // namespace tikc

/// What the program relies on, in every build; `what` says it as a sentence. Where it is not so,
/// what was being done ends: the command line says what and where, the language server goes on.
#define TIKC_CHECK(condition, what)                                                                \
  (static_cast<bool>(condition) ? static_cast<void>(0)                                             \
                                : ::tikc::throwInternalFault(what, __FILE_NAME__, __LINE__))
