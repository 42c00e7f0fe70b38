#pragma once

#include <stdexcept>

/// Errors in tikc itself, which no input excuses.
namespace tikc {

class InternalFault : public std::logic_error {
public:
  using std::logic_error::logic_error;
};

[[noreturn]] void throwInternalFault(const char* what, const char* file, int line);

} // namespace tikc

/// Checks an invariant in every build; `what` states it as a sentence. If it does not hold, the
/// current work ends: the command line reports message and place, the language server continues.
#define TIKC_CHECK(condition, what)                                                                \
  (static_cast<bool>(condition) ? static_cast<void>(0)                                             \
                                : ::tikc::throwInternalFault(what, __FILE_NAME__, __LINE__))
