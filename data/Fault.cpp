#include "data/Fault.h"

#include "support/Utf8.h"

#include <fmt/format.h>

namespace tikc::data {

Fault faultAt(const Place& place, std::string message) {
  return {std::string(place.file),  place.piece,        place.line,    place.byte, place.record,
          std::string(place.field), std::move(message), place.response};
}

std::string describe(const Fault& fault) {
  std::string out = utf8::printable(fault.file);
  if (fault.line != 0)
    out += fmt::format(":{}", fault.line);
  out += ": ";
  if (fault.line != 0 || fault.byte != 0)
    out += fmt::format("byte {}: ", grouped(fault.byte));
  if (fault.response != 0)
    out += fmt::format("response {}: ", fault.response);
  if (!fault.field.empty())
    out += utf8::ticked(fault.field) + ": ";
  return out + utf8::printable(fault.message);
}

std::string grouped(std::uint64_t number) {
  std::string out = std::to_string(number);
  for (auto i = static_cast<std::ptrdiff_t>(out.size()) - 3; i > 0; i -= 3)
    out.insert(static_cast<std::size_t>(i), 1, ',');
  return out;
}

std::string inBytes(std::uint64_t bytes) {
  if (bytes < 1024)
    return fmt::format("{} bytes", bytes);
  auto value = static_cast<double>(bytes);
  std::string_view unit;
  for (std::string_view each : {"KiB", "MiB", "GiB", "TiB", "PiB", "EiB"}) {
    unit = each;
    value /= 1024;
    if (value < 1024)
      break;
  }
  return fmt::format("{:.3g} {}", value, unit);
}

} // namespace tikc::data
