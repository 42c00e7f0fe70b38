#include "data/Source.h"

#include "support/Workers.h"

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <vector>

namespace tikc::data {
namespace {

/// Ends a thread whose turn will not come, as one before it failed.
struct TurnIsLost {};

/// Lets threads by in the order of what they have, whatever the order they come in.
class Turns {
public:
  bool hasCome(std::size_t turn) {
    const std::lock_guard lock(mutex_);
    return next_ == turn && !failed_;
  }
  void await(std::size_t turn) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return next_ == turn || failed_; });
    if (failed_)
      throw TurnIsLost();
  }
  /// Of the thread whose turn it is.
  void finish() {
    const std::lock_guard lock(mutex_);
    ++next_;
    changed_.notify_all();
  }
  /// Whose turn it is never comes, and nobody is to wait for it.
  void fail(std::exception_ptr why) {
    const std::lock_guard lock(mutex_);
    if (!failed_)
      failed_ = std::move(why);
    changed_.notify_all();
  }
  void rethrow() const {
    if (failed_)
      std::rethrow_exception(failed_);
  }

private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::size_t next_ = 0;
  std::exception_ptr failed_;
};

class TurnOfPiece final : public Turn {
public:
  TurnOfPiece(Turns& all, std::size_t piece) : all_(all), piece_(piece) {}
  bool hasCome() override { return all_.hasCome(piece_); }
  void await() override { all_.await(piece_); }

private:
  Turns& all_;
  std::size_t piece_;
};

} // namespace

PieceId PieceReader::skim() {
  Response response;
  while (next(response)) {
  }
  RowPair rows;
  while (nextRow(rows)) {
  }
  return id();
}

void forEachPiece(const Source& source, unsigned jobs,
                  llvm::function_ref<HandOver(std::size_t, PieceReader&)> work) {
  forEachPieceInTurn(source, jobs, [&](std::size_t piece, PieceReader& reader, Turn&) {
    return work(piece, reader);
  });
}

void forEachPieceInTurn(const Source& source, unsigned jobs,
                        llvm::function_ref<HandOver(std::size_t, PieceReader&, Turn&)> work) {
  const std::size_t count = source.pieces();
  std::atomic<std::size_t> next = 0;
  Turns turns;
  auto drain = [&] {
    try {
      for (std::size_t i = next++; i < count; i = next++) {
        const std::unique_ptr<PieceReader> reader = source.read(i);
        TurnOfPiece turn(turns, i);
        HandOver handOver = work(i, *reader, turn);
        turn.await();
        handOver();
        turns.finish();
      }
    } catch (const TurnIsLost&) {
    } catch (...) {
      turns.fail(std::current_exception());
    }
  };
  {
    std::vector<Thread> threads;
    for (std::size_t i = 1; i < std::min<std::size_t>(jobs, count); ++i)
      if (auto thread = Thread::start(drain))
        threads.push_back(std::move(*thread));
      else
        break;
    drain();
  }
  turns.rethrow();
}

} // namespace tikc::data
