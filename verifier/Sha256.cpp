#include "verifier/Json.h"

#include <algorithm>

namespace verify {
namespace {

std::uint32_t turned(std::uint32_t x, int by) { return x >> by | x << (32 - by); }

/// The first 32 bits of the fractional part of the square or cube root of a prime.
std::uint32_t rootBits(std::int64_t prime, bool cube) {
  std::uint64_t low = 0, high = std::uint64_t{1} << 36; // the root times 2^32 is between them
  while (high - low > 1) {
    std::uint64_t middle = (low + high) / 2;
    Integer m(static_cast<std::int64_t>(middle));
    bool below = cube ? m * m * m <= Integer(prime).shiftedLeft(96)
                      : m * m <= Integer(prime).shiftedLeft(64);
    (below ? low : high) = middle;
  }
  return static_cast<std::uint32_t>(low);
}

struct Constants {
  std::uint32_t square[8] = {}, cube[64] = {};
  Constants() {
    for (int found = 0, n = 2; found < 64; ++n) {
      bool isPrime = true;
      for (int d = 2; d * d <= n; ++d)
        isPrime = isPrime && n % d != 0;
      if (!isPrime)
        continue;
      if (found < 8)
        square[found] = rootBits(n, false);
      cube[found++] = rootBits(n, true);
    }
  }
};

void absorb(std::uint32_t (&state)[8], const unsigned char* block, const std::uint32_t (&k)[64]) {
  std::uint32_t w[64], s[8];
  std::copy(state, state + 8, s);
  for (int i = 0; i < 64; ++i) {
    if (i < 16) {
      const unsigned char* b = block + std::ptrdiff_t{4} * i;
      w[i] =
          std::uint32_t{b[0]} << 24 | std::uint32_t{b[1]} << 16 | std::uint32_t{b[2]} << 8 | b[3];
    } else {
      std::uint32_t x = w[i - 15], y = w[i - 2];
      w[i] = w[i - 16] + (turned(x, 7) ^ turned(x, 18) ^ x >> 3) + w[i - 7] +
             (turned(y, 17) ^ turned(y, 19) ^ y >> 10);
    }
    std::uint32_t e = turned(s[4], 6) ^ turned(s[4], 11) ^ turned(s[4], 25);
    std::uint32_t a = turned(s[0], 2) ^ turned(s[0], 13) ^ turned(s[0], 22);
    std::uint32_t first = s[7] + e + ((s[4] & s[5]) ^ (~s[4] & s[6])) + k[i] + w[i];
    std::uint32_t second = a + ((s[0] & s[1]) ^ (s[0] & s[2]) ^ (s[1] & s[2]));
    std::copy_backward(s, s + 7, s + 8);
    s[4] += first;
    s[0] = first + second;
  }
  for (int i = 0; i < 8; ++i)
    state[i] += s[i];
}

} // namespace

std::string sha256(std::string_view bytes) {
  static const Constants constants;
  std::uint32_t state[8];
  std::copy(constants.square, constants.square + 8, state);
  std::string rest(bytes.substr(bytes.size() / 64 * 64));
  rest += '\x80';
  while (rest.size() % 64 != 56)
    rest += '\0';
  for (int shift = 56; shift >= 0; shift -= 8)
    rest += static_cast<char>(static_cast<std::uint64_t>(bytes.size()) * 8 >> shift);
  auto each = [&](std::string_view blocks) {
    for (std::size_t i = 0; i + 64 <= blocks.size(); i += 64)
      absorb(state, reinterpret_cast<const unsigned char*>(blocks.data() + i), constants.cube);
  };
  each(bytes);
  each(rest);
  std::string out;
  for (std::uint32_t word : state)
    for (int shift = 28; shift >= 0; shift -= 4)
      out += "0123456789abcdef"[word >> shift & 15];
  return out;
}

} // namespace verify
