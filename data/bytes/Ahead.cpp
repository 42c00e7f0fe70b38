#include "data/bytes/Ahead.h"

#include "support/Workers.h"

#include <algorithm>
#include <array>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

namespace tikc::data {
namespace {

class AheadStream final : public ByteStream {
public:
  explicit AheadStream(std::unique_ptr<ByteStream> inner)
      : inner_(std::move(inner)), thread_(Thread::start([this] { fill(); })) {}
  ~AheadStream() override {
    {
      const std::lock_guard lock(mutex_);
      isLeft_ = true;
    }
    changed_.notify_all();
  }
  AheadStream(const AheadStream&) = delete;
  AheadStream& operator=(const AheadStream&) = delete;

  std::size_t read(char* out, std::size_t size) override {
    if (!thread_) // the system gave none
      return ended(inner_->read(out, size));
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return begin_ != end_ || isDone_; });
    if (begin_ == end_) {
      if (thrown_)
        std::rethrow_exception(thrown_);
      return ended(0);
    }
    const Block& block = blockAt(begin_);
    lock.unlock();
    const std::size_t count = std::min(size, block.size - used_);
    std::copy_n(block.bytes.data() + used_, count, out);
    used_ += count;
    if (used_ == block.size) {
      used_ = 0;
      lock.lock();
      ++begin_;
      changed_.notify_all();
    }
    return count;
  }

private:
  std::size_t ended(std::size_t count) {
    return count == 0 && !inner_->fault().empty() ? fail(inner_->fault()) : count;
  }

  struct Block {
    std::vector<char> bytes = std::vector<char>(std::size_t{1} << 18);
    std::size_t size = 0;
  };
  Block& blockAt(std::size_t number) { return blocks_[number % blocks_.size()]; }

  void fill() {
    try {
      while (fillOne()) {
      }
    } catch (...) {
      thrown_ = std::current_exception();
    }
    const std::lock_guard lock(mutex_);
    isDone_ = true;
    changed_.notify_all();
  }
  bool fillOne() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return end_ - begin_ < blocks_.size() || isLeft_; });
    if (isLeft_)
      return false;
    Block& block = blockAt(end_);
    lock.unlock();
    block.size = inner_->read(block.bytes.data(), block.bytes.size());
    if (block.size == 0)
      return false;
    lock.lock();
    ++end_;
    changed_.notify_all();
    return true;
  }

  std::unique_ptr<ByteStream> inner_;
  std::array<Block, 4> blocks_;
  std::size_t used_ = 0; // of the first block, by who reads
  std::mutex mutex_;
  std::condition_variable changed_;
  std::size_t begin_ = 0, end_ = 0; // of the blocks that are filled, counted from the first of all
  bool isLeft_ = false, isDone_ = false;
  std::exception_ptr thrown_;
  std::optional<Thread> thread_; // ends before what it uses
};

} // namespace

std::unique_ptr<ByteStream> readAhead(std::unique_ptr<ByteStream> inner) {
  return std::make_unique<AheadStream>(std::move(inner));
}

} // namespace tikc::data
