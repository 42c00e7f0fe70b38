#pragma once

#include "data/Limits.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tikc::data {

/// A field, as a look at some records shows it.
struct SurveyedField {
  std::string path;
  std::string kind; // "numbers", "text", "lists of numbers"
  std::uint64_t records = 0;
  std::uint64_t shortest = 0, longest = 0; // of lists
  bool isList = false;
  // Of arrays, which have a shape.
  bool isArray = false;
  bool isRaw = false;
  std::size_t dimensions = 0;
  std::string shape;
};

/// What is in data, before it is known which of it is what.
struct Survey {
  std::vector<SurveyedField> fields;
  std::uint64_t records = 0;
  std::string fault;    // why there is no record
  bool isWhole = false; // no record has another field

  SurveyedField& at(std::string_view path);
};

/// Adds what a record has; a text that is no JSON adds what is before the fault.
void survey(std::string_view record, const DataLimits& limits, Survey& out);

} // namespace tikc::data
