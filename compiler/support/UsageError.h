#pragma once

#include <llvm/Support/Error.h>

#include <string>

namespace tikc {

/// An error in how the user called tikc; the exit code is 2.
class UsageError : public llvm::ErrorInfo<UsageError> {
public:
  static char ID;
  explicit UsageError(std::string message) : message_(std::move(message)) {}
  void log(llvm::raw_ostream& out) const override;
  std::error_code convertToErrorCode() const override;

private:
  std::string message_;
};
llvm::Error usageError(std::string message);

} // namespace tikc
