#include "verifier/Json.h"

#include <algorithm>
#include <bit>

namespace verify {
namespace {

using Word = std::uint32_t;

// Of the fractional parts of the roots of the first primes: square roots, cube roots.
constexpr Word start[] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                          0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
constexpr Word added[] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

void absorb(Word (&state)[8], std::string_view block) {
  Word w[64] = {}, s[8];
  std::copy(state, state + 8, s);
  for (std::size_t i = 0; i < 64; ++i) {
    if (i < 16) {
      for (char byte : block.substr(4 * i, 4))
        w[i] = w[i] << 8 | static_cast<unsigned char>(byte);
    } else {
      Word x = w[i - 15], y = w[i - 2];
      w[i] = w[i - 16] + (std::rotr(x, 7) ^ std::rotr(x, 18) ^ x >> 3) + w[i - 7] +
             (std::rotr(y, 17) ^ std::rotr(y, 19) ^ y >> 10);
    }
    Word e = std::rotr(s[4], 6) ^ std::rotr(s[4], 11) ^ std::rotr(s[4], 25);
    Word a = std::rotr(s[0], 2) ^ std::rotr(s[0], 13) ^ std::rotr(s[0], 22);
    Word first = s[7] + e + ((s[4] & s[5]) ^ (~s[4] & s[6])) + added[i] + w[i];
    Word second = a + ((s[0] & s[1]) ^ (s[0] & s[2]) ^ (s[1] & s[2]));
    std::copy_backward(s, s + 7, s + 8);
    s[4] += first;
    s[0] = first + second;
  }
  for (std::size_t i = 0; i < 8; ++i)
    state[i] += s[i];
}

} // namespace

std::string sha256(std::string_view bytes) {
  std::string padded(bytes), out;
  padded += '\x80';
  padded.resize((padded.size() + 8 + 63) / 64 * 64 - 8);
  for (int shift = 56; shift >= 0; shift -= 8)
    padded += static_cast<char>(static_cast<std::uint64_t>(bytes.size()) * 8 >> shift);
  Word state[8];
  std::copy(std::begin(start), std::end(start), state);
  for (std::size_t i = 0; i < padded.size(); i += 64)
    absorb(state, std::string_view(padded).substr(i, 64));
  for (Word word : state)
    for (int shift = 28; shift >= 0; shift -= 4)
      out += "0123456789abcdef"[word >> shift & 15];
  return out;
}

} // namespace verify
