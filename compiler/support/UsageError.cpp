#include "support/UsageError.h"

namespace tikc {

char UsageError::ID = 0;
void UsageError::log(llvm::raw_ostream& out) const { out << message_; }
std::error_code UsageError::convertToErrorCode() const {
  return std::make_error_code(std::errc::invalid_argument);
}
llvm::Error usageError(std::string message) {
  return llvm::make_error<UsageError>(std::move(message));
}

} // namespace tikc
