// What `tikc measure` could be as fast as, on one thread: parsing the same JSON lines with
// simdjson, reading the bytes of a file, and inflating them with zlib. benchmarks/measure.py
// compiles and runs it.
//
//   g++ -std=c++20 -O3 -march=native benchmarks/measure.cpp -o measure -lz [-lsimdjson] &&
//   ./measure parse|read|inflate FILE

#include <fcntl.h>
#include <unistd.h>
#include <zlib.h>

#include <cmath>
#include <cstdio>
#include <cstring>
#include <utility>
#include <vector>

#if __has_include(<simdjson.h>)
#include <simdjson.h>
#endif

namespace {

constexpr std::size_t step = 1 << 20;

/// Reads a file into one place; `take` says how many bytes it leaves there for the next time.
template <class Take> int each_step(const char* path, char* bytes, Take take) {
  const int file = ::open(path, O_RDONLY);
  std::size_t kept = 0;
  ssize_t got = file < 0 ? -1 : 1;
  while (got > 0 && (got = ::read(file, bytes + kept, step - kept)) > 0)
    kept = take(kept + static_cast<std::size_t>(got));
  return got < 0;
}

int read_all(const char* path) {
  std::vector<char> bytes(step);
  return each_step(path, bytes.data(), [](std::size_t) { return std::size_t{0}; });
}

int inflate_all(const char* path) {
  gzFile file = ::gzopen(path, "rb");
  ::gzbuffer(file, step);
  std::vector<char> bytes(step);
  int got = 0;
  while (file != nullptr && (got = ::gzread(file, bytes.data(), step)) > 0) {
  }
  return file == nullptr || got < 0;
}

#ifdef SIMDJSON_VERSION
/// Reads every number into an array, as tikc has to, and sums the same differences. Lines are
/// shorter than a step.
int parse_all(const char* path) {
  simdjson::ondemand::parser parser;
  std::vector<char> bytes(step + simdjson::SIMDJSON_PADDING);
  std::vector<float> train, infer;
  double sum = 0;
  auto take = [&](const char* line, std::size_t size) {
    auto record = parser.iterate(line, size, size + simdjson::SIMDJSON_PADDING);
    for (auto [name, into] : {std::pair("train", &train), std::pair("infer", &infer)}) {
      into->clear();
      for (double number : record[name].get_array())
        into->push_back(static_cast<float>(number));
    }
    for (std::size_t i = 0; i < train.size(); ++i)
      sum += std::abs(train[i] - infer[i]);
  };
  return each_step(path, bytes.data(),
                   [&](std::size_t size) {
                     const char *begin = bytes.data(), *const end = begin + size;
                     while (const void* at =
                                std::memchr(begin, '\n', static_cast<std::size_t>(end - begin))) {
                       take(begin, static_cast<std::size_t>(static_cast<const char*>(at) - begin));
                       begin = static_cast<const char*>(at) + 1;
                     }
                     std::memmove(bytes.data(), begin, static_cast<std::size_t>(end - begin));
                     return static_cast<std::size_t>(end - begin);
                   }) ||
         !(sum > 0);
}
#else
int parse_all(const char*) {
  std::puts("simdjson.h is not installed (Debian: libsimdjson-dev)");
  return 3;
}
#endif

} // namespace

int main(int count, char** words) {
  if (count != 3)
    return 2;
  const bool is_parse = std::strcmp(words[1], "parse") == 0,
             is_read = std::strcmp(words[1], "read") == 0;
  return is_parse ? parse_all(words[2]) : is_read ? read_all(words[2]) : inflate_all(words[2]);
}
