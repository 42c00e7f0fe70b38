#pragma once

#include <cstddef>
#include <string>

namespace tikc::lsp {

struct Session;

/// Tells the client how far a walk over many files is, if it wants to know.
class Progress {
public:
  /// `done` of `total`, so far as is known; the first call asks the client for a place to show it.
  void report(Session& session, std::size_t done, std::size_t total);
  void end(Session& session);

private:
  void tell(Session& session, const char* kind, std::size_t done, std::size_t total);

  enum class State { Idle, Asked, Shown };
  State state_ = State::Idle;
  unsigned number_ = 0; // of walks so far
  std::size_t percent_ = 0;
};

} // namespace tikc::lsp
