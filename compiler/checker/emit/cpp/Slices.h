#pragma once

#include "checker/emit/CodeWriter.h"
#include "checker/plan/Plan.h"

namespace tikc::emit::cpp {

/// A field of a request. An engine may serve contracts with different slices, so the struct has all
/// fields, with distinct names.
struct RequestField {
  std::string field;
  std::string name;                   // of the struct's member
  const plan::Label* label = nullptr; // null for a number or a text
  std::string type;                   // of the label's values
  bool isText = false;
};
std::vector<RequestField> requestFields(const plan::Plan& plan);
/// Returns the enumerators of a label's values; the first is for requests without it.
std::vector<std::string> namesOfValues(const plan::Label& label);

/// Writes the request struct and the function that finds its slice.
void writeSlices(CodeWriter& out, const plan::Plan& plan);

} // namespace tikc::emit::cpp
