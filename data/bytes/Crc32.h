#pragma once

#include <cstdint>
#include <string_view>

namespace tikc::data {

/// Continues a CRC-32 as in gzip and zip, which starts from 0.
std::uint32_t crc32Of(std::uint32_t sum, std::string_view bytes);

} // namespace tikc::data
