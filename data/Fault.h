#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace tikc::data {

/// Where something is in recorded data. Lines count from 1 in the piece that is read, whose file
/// may have more before it: `Source::place()` makes them the file's. 0 is a line of what has none.
/// The name of the file is a view of the source's own and lives as long.
struct Place {
  std::string_view file;
  std::uint64_t piece = 0;
  std::uint64_t line = 0;
  std::uint64_t byte = 0;
  std::uint64_t record = 0;
  std::string_view field;
  std::uint64_t response = 0; // of a record that has several, from 1
};

/// What is wrong, and where: kept longer than what it was found in.
struct Fault {
  std::string file;
  std::uint64_t piece = 0;
  std::uint64_t line = 0;
  std::uint64_t byte = 0;
  std::uint64_t record = 0;
  std::string field;
  std::string message;
  std::uint64_t response = 0;
};

Fault faultAt(const Place& place, std::string message);
/// "a.jsonl:3: byte 120, `mask`: …"
std::string describe(const Fault& fault);
/// 12,345
std::string grouped(std::uint64_t number);
std::string inBytes(std::uint64_t bytes);

} // namespace tikc::data
