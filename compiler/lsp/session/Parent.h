#pragma once

#include <cstdint>
#include <functional>
#include <memory>

namespace tikc::lsp {

/// Calls `gone` once the process is no more, from a thread of its own. One that is not there at the
/// start is not waited for: a client in another container has numbers that mean nothing here.
class ParentWatch {
public:
  ParentWatch(std::int64_t process, std::function<void()> gone);
  ~ParentWatch();

private:
  struct State;
  std::shared_ptr<State> state_;
};

} // namespace tikc::lsp
