#pragma once

#include "gate/State.h"

#include <llvm/Support/Error.h>

#include <filesystem>
#include <string>

namespace tikc::gate {

/// The file that a state is kept in, locked against other gates from when it is opened until it is
/// closed. The lock is on a file beside it, which stays: the state is replaced by another file.
class StateFile {
public:
  /// Of a contract; waits for who has it. A file that is not there is an error unless one may be
  /// begun.
  static llvm::Expected<StateFile> open(const std::filesystem::path& path,
                                        const std::string& contract, bool mayBegin);
  StateFile(StateFile&& other) noexcept;
  StateFile& operator=(StateFile&&) = delete;
  ~StateFile();

  GateState state;

  /// Whole or not at all: who is killed leaves what was there, or all of what is new.
  llvm::Error save() const;

private:
  StateFile(std::filesystem::path path, int lock) : path_(std::move(path)), lock_(lock) {}

  std::filesystem::path path_;
  int lock_;
};

} // namespace tikc::gate
