#pragma once

#include "gate/State.h"

#include <llvm/Support/Error.h>

#include <filesystem>
#include <string>

namespace tikc::gate {

/// The file with a state, locked against other gates while this object exists. The lock is on
/// another file next to it, which stays, because each save replaces the state file.
class StateFile {
public:
  /// Waits for the lock. Fails if the file does not exist, unless it may be created; also if it is
  /// another contract's.
  static llvm::Expected<StateFile> open(const std::filesystem::path& path,
                                        const std::string& contract, bool mayBegin);
  StateFile(StateFile&& other) noexcept;
  StateFile& operator=(StateFile&&) = delete;
  ~StateFile();

  GateState state;

  /// Writes atomically: after a kill, the file has either the old or the new state.
  llvm::Error save() const;

private:
  StateFile(std::filesystem::path path, int lock) : path_(std::move(path)), lock_(lock) {}

  std::filesystem::path path_;
  int lock_;
};

} // namespace tikc::gate
