#pragma once

#include "data/Limits.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tikc::data {

/// A field as seen in some records.
struct SurveyedField {
  std::string path;
  std::string kind; // "numbers", "text", "lists of numbers"
  std::uint64_t records = 0;
  std::uint64_t shortest = 0, longest = 0; // of lists
  bool isList = false;
  // For arrays, which have a shape.
  bool isArray = false;
  bool isRaw = false;
  std::size_t dimensions = 0;
  std::string shape;
};

/// The fields of data, before their meaning is known.
struct Survey {
  std::vector<SurveyedField> fields;
  std::uint64_t records = 0;
  std::string fault;    // why there is no record
  bool isWhole = false; // no record has another field

  SurveyedField& at(std::string_view path);
};

/// Adds the fields of a record; of an invalid JSON text, those before the fault.
void survey(std::string_view record, const DataLimits& limits, Survey& out);

} // namespace tikc::data
