#pragma once

#include <cstdint>
#include <string_view>

namespace tikc::data {

/// Continues a CRC-32 as in gzip and zip, which starts from 0.
std::uint32_t crc32Of(std::uint32_t sum, std::string_view bytes);

/// The CRC-32 of two parts in a row, from that of each and the size of the second.
std::uint32_t crc32Joined(std::uint32_t first, std::uint32_t second, std::uint64_t sizeOfSecond);

} // namespace tikc::data
