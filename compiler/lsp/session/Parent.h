#pragma once

#include <cstdint>
#include <functional>
#include <memory>

namespace tikc::lsp {

/// Calls `gone`, from a thread of its own, once the process has ended. A process that does not
/// exist at the start is not watched, because clients in other containers send meaningless ids.
class ParentWatch {
public:
  ParentWatch(std::int64_t process, std::function<void()> gone);
  ~ParentWatch();

private:
  struct State;
  std::shared_ptr<State> state_;
};

} // namespace tikc::lsp
