// Lends memory to a loop that is linked in, and says what the loop called while it ran. The first
// argument is `loop`, `sealed` (where any system call but write ends the process), `print` (the
// exported text comes after) or a control's name, which does what no loop may. Without the
// counting hooks, of a build for Valgrind or a sanitizer, the counts are 0.
#include "EngineLoop.h"

#include <atomic>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <vector>

#include <linux/seccomp.h>
#include <pthread.h>
#include <semaphore.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

extern "C" {
__attribute__((weak)) std::atomic<bool> tikc_armed{false};
__attribute__((weak)) std::atomic<long> tikc_allocations{0};
__attribute__((weak)) std::atomic<long> tikc_locks{0};
}

namespace {

/// Numbers that are always the same.
class Numbers {
public:
  double next() { // in [-1, 1)
    state_ = state_ * 6364136223846793005U + 1442695040888963407U;
    return static_cast<double>(static_cast<std::int64_t>(state_)) * 0x1p-63;
  }

private:
  std::uint64_t state_ = 1;
};

std::uint32_t stored(tikc::number_format format, float value) {
  std::uint32_t bits;
  std::memcpy(&bits, &value, sizeof bits);
  const std::uint32_t sign = bits >> 31U, exponent = bits >> 23U & 0xffU;
  const std::uint32_t small = exponent > 112 ? (exponent - 112) << 10U | (bits >> 13U & 0x3ffU) : 0;
  switch (format) {
  case tikc::number_format::fp32:
    return bits;
  case tikc::number_format::bf16:
    return bits >> 16U;
  case tikc::number_format::fp16:
    return sign << 15U | small;
  case tikc::number_format::fp8_e5m2:
    return sign << 7U | small >> 8U;
  case tikc::number_format::fp8_e4m3: // a bias that is smaller by 8
    return sign << 7U | (small > 8U << 10U ? (small - (8U << 10U)) >> 7U : 0);
  }
  return 0;
}

/// Of just its size and at an odd address, so that a tool sees a byte too many.
class Row {
public:
  Row(tikc::number_format format, const std::vector<float>& values)
      : bytes_(1 + values.size() * tikc::bytes_of(format)) {
    unsigned char* at = bytes_.data() + 1;
    for (float each : values)
      for (std::uint32_t i = 0, bits = stored(format, each); i < tikc::bytes_of(format); ++i)
        *at++ = static_cast<unsigned char>(bits >> (8 * i));
  }
  const void* data() const { return bytes_.data() + 1; }

private:
  std::vector<unsigned char> bytes_;
};

struct Lender {
  Lender() {
    Numbers numbers;
    std::vector<float> train(sizes.vocabulary), infer(sizes.vocabulary);
    for (std::size_t i = 0; i < train.size(); ++i) {
      train[i] = static_cast<float>(6 * numbers.next());
      infer[i] = train[i] + static_cast<float>(0.01 * numbers.next());
    }
    train[3] = infer[3] = train[5] = -INFINITY;
    for (std::size_t i = 0; i < tikc_test::number_formats; ++i) {
      const auto format = static_cast<tikc::number_format>(i);
      rows.emplace_back(format, train);
      rows.emplace_back(format, infer);
    }
    for (std::size_t i = 0; i < tokens; ++i) {
      infer_tokens[i] = static_cast<float>(-4 * std::abs(numbers.next()));
      train_tokens[i] = infer_tokens[i] + static_cast<float>(0.2 * numbers.next());
      mask[i] = i % 5 != 0;
      slices[i] = static_cast<std::uint8_t>(i % 7);
    }
    train_tokens[1] = infer_tokens[2] = -INFINITY;
    train_tokens[4] = NAN;
    loop = loop_construct(
        std::aligned_alloc(alignment, (sizes.state + alignment - 1) / alignment * alignment));
  }

  tikc_test::Lent lent() {
    tikc_test::Lent out{};
    for (std::size_t i = 0; i < tikc_test::number_formats; ++i) {
      out.train_rows[i] = rows[2 * i].data();
      out.infer_rows[i] = rows[2 * i + 1].data();
    }
    out.row_scratch = row_scratch.get();
    out.token_scratch = token_scratch.get();
    out.train = train_tokens.get();
    out.infer = infer_tokens.get();
    out.mask = mask.get();
    out.slices = slices.get();
    out.tokens = tokens;
    out.text = text.get();
    out.text_size = text_size;
    return out;
  }

  static constexpr std::size_t tokens = 4099, text_size = 8 << 20, alignment = 64;
  tikc_test::Sizes sizes = loop_sizes();
  std::vector<Row> rows;
  // What is scratch is not set.
  std::unique_ptr<float[]> row_scratch{new float[sizes.row_scratch]};
  std::unique_ptr<tikc::token_scratch> token_scratch{new tikc::token_scratch};
  std::unique_ptr<float[]> train_tokens{new float[tokens]}, infer_tokens{new float[tokens]};
  std::unique_ptr<std::uint8_t[]> mask{new std::uint8_t[tokens]}, slices{new std::uint8_t[tokens]};
  std::unique_ptr<char[]> text{new char[text_size]};
  void* loop = nullptr;
};

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
pthread_rwlock_t rwlock = PTHREAD_RWLOCK_INITIALIZER;
sem_t semaphore;
void* volatile kept = nullptr;

/// What each hook is for.
bool control(const char* name) {
  const auto is = [name](const char* other) { return std::strcmp(name, other) == 0; };
  if (is("malloc"))
    kept = std::malloc(16);
  else if (is("calloc"))
    kept = std::calloc(2, 8);
  else if (is("realloc"))
    kept = std::realloc(kept, 16);
  else if (is("free"))
    std::free(kept);
  else if (is("aligned"))
    kept = std::aligned_alloc(64, 64);
  else if (is("new"))
    kept = ::operator new(8);
  else if (is("delete"))
    ::operator delete(kept);
  else if (is("mutex"))
    pthread_mutex_lock(&mutex);
  else if (is("rwlock"))
    pthread_rwlock_rdlock(&rwlock);
  else if (is("semaphore"))
    sem_post(&semaphore);
  else if (is("futex"))
    syscall(SYS_futex, &mutex, 1, 1, nullptr, nullptr, 0);
  else if (is("pages"))
    kept = mmap(nullptr, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  else if (is("stray"))
    return static_cast<volatile char*>(std::malloc(8))[8] == 0;
  else
    return false;
  return true;
}

/// Every system call but read, write and exit ends the process from here on.
[[noreturn]] void run_sealed(Lender& lender, const char* also) {
  std::size_t written = 0;
  const tikc_test::Lent lent = lender.lent();
  if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_STRICT) != 0)
    _exit(77);
  if (also != nullptr)
    control(also);
  syscall(SYS_exit, loop_run(lender.loop, lent, written) == 0 ? 0 : 1);
  __builtin_unreachable();
}

} // namespace

int main(int count, char** arguments) {
  const char* what = count > 1 ? arguments[1] : "loop";
  Lender lender;
  std::size_t written = 0;
  int line = 0;
  sem_init(&semaphore, 0, 0);
  if (std::strcmp(what, "sealed") == 0)
    run_sealed(lender, count > 2 ? arguments[2] : nullptr);
  const tikc_test::Lent lent = lender.lent();
  tikc_armed = true;
  if (!control(what))
    line = loop_run(lender.loop, lent, written);
  tikc_armed = false;
  if (std::strcmp(what, "print") == 0)
    std::fwrite(lent.text, 1, written, stdout);
  else
    std::printf("line %d allocations %ld locks %ld\n", line, tikc_allocations.load(),
                tikc_locks.load());
  std::free(lender.loop);
  return line == 0 ? 0 : 1;
}
