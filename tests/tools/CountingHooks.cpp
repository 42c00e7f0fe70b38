// Counts, while it is armed, what a checker promised not to call. Linked into a program, these come
// before the C library's, for the C++ library, too.
#include <atomic>
#include <cstdarg>
#include <cstddef>
#include <dlfcn.h>
#include <pthread.h>
#include <semaphore.h>

extern "C" {

std::atomic<bool> tikc_armed{false};
std::atomic<long> tikc_allocations{0};
std::atomic<long> tikc_locks{0};

void* __libc_malloc(std::size_t size);
void* __libc_calloc(std::size_t count, std::size_t size);
void* __libc_realloc(void* of, std::size_t size);
void* __libc_memalign(std::size_t alignment, std::size_t size);
void __libc_free(void* of);

static void note(std::atomic<long>& count) {
  if (tikc_armed)
    ++count;
}

void* malloc(std::size_t size) noexcept {
  note(tikc_allocations);
  return __libc_malloc(size);
}
void* calloc(std::size_t count, std::size_t size) noexcept {
  note(tikc_allocations);
  return __libc_calloc(count, size);
}
void* realloc(void* of, std::size_t size) noexcept {
  note(tikc_allocations);
  return __libc_realloc(of, size);
}
void* memalign(std::size_t alignment, std::size_t size) noexcept {
  note(tikc_allocations);
  return __libc_memalign(alignment, size);
}
void* aligned_alloc(std::size_t alignment, std::size_t size) noexcept {
  return memalign(alignment, size);
}
int posix_memalign(void** to, std::size_t alignment, std::size_t size) noexcept {
  *to = memalign(alignment, size);
  return *to == nullptr ? 12 : 0;
}
void free(void* of) noexcept {
  note(tikc_allocations);
  __libc_free(of);
}

// Each looks for the one that it stands before at its first call, which is before it is armed or a
// control's only one.
#define TIKC_LOCK(name, parameters, arguments)                                                     \
  int name parameters noexcept {                                                                   \
    note(tikc_locks);                                                                              \
    static std::atomic<void*> next{nullptr};                                                       \
    if (next == nullptr)                                                                           \
      next = dlsym(RTLD_NEXT, #name);                                                              \
    return reinterpret_cast<int(*) parameters>(next.load()) arguments;                             \
  }

TIKC_LOCK(pthread_mutex_lock, (pthread_mutex_t * of), (of))
TIKC_LOCK(pthread_mutex_trylock, (pthread_mutex_t * of), (of))
TIKC_LOCK(pthread_mutex_unlock, (pthread_mutex_t * of), (of))
TIKC_LOCK(pthread_rwlock_rdlock, (pthread_rwlock_t * of), (of))
TIKC_LOCK(pthread_rwlock_wrlock, (pthread_rwlock_t * of), (of))
TIKC_LOCK(pthread_rwlock_unlock, (pthread_rwlock_t * of), (of))
TIKC_LOCK(pthread_spin_lock, (pthread_spinlock_t * of), (of))
TIKC_LOCK(pthread_cond_signal, (pthread_cond_t * of), (of))
TIKC_LOCK(pthread_cond_broadcast, (pthread_cond_t * of), (of))
TIKC_LOCK(sem_wait, (sem_t * of), (of))
TIKC_LOCK(sem_post, (sem_t * of), (of))

long syscall(long number, ...) noexcept {
  note(tikc_locks);
  va_list rest;
  va_start(rest, number);
  long words[6];
  for (long& each : words)
    each = va_arg(rest, long);
  va_end(rest);
  using call = long (*)(long, ...);
  static std::atomic<void*> next{nullptr};
  if (next == nullptr)
    next = dlsym(RTLD_NEXT, "syscall");
  return reinterpret_cast<call>(next.load())(number, words[0], words[1], words[2], words[3],
                                             words[4], words[5]);
}
}
