#pragma once

#include <cstddef>
#include <functional>

namespace tikc::driver {

/// Calls work(i) for every i below count from up to `jobs` threads, each with a stack of known
/// size. `makeWork` is called once in each thread, so that what it captures belongs to that thread.
/// What a thread throws is thrown again here.
void runParallel(std::size_t count, unsigned jobs,
                 const std::function<std::function<void(std::size_t)>()>& makeWork);

} // namespace tikc::driver
