#pragma once

#include <cstddef>
#include <string>

namespace tikc::lsp {

struct Session;

/// Reports the progress of work on many files to the client, if it supports that.
class Progress {
public:
  /// `total` is what is known so far. The first call asks the client for a progress bar.
  void report(Session& session, std::size_t done, std::size_t total);
  void end(Session& session);

private:
  void tell(Session& session, const char* kind, std::size_t done, std::size_t total);

  enum class State { Idle, Asked, Shown };
  State state_ = State::Idle;
  unsigned number_ = 0; // of reports so far
  std::size_t percent_ = 0;
};

} // namespace tikc::lsp
