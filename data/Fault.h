#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace tikc::data {

/// A place in recorded data. Lines count from 1 in the piece, which may start within its file:
/// `Source::place()` converts them to lines of the file. 0 means no line. The file's name is a view
/// into the source.
struct Place {
  std::string_view file;
  std::uint64_t piece = 0;
  std::uint64_t line = 0;
  std::uint64_t byte = 0;
  std::uint64_t record = 0;
  std::string_view field;
  std::uint64_t response = 0; // for a record with several responses, from 1
};

/// A fault and its place. It outlives the data that it was found in.
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
/// Formats a fault: "a.jsonl:3: byte 120, `mask`: …"
std::string describe(const Fault& fault);
/// Formats a number with separators: 12,345
std::string grouped(std::uint64_t number);
std::string inBytes(std::uint64_t bytes);

} // namespace tikc::data
