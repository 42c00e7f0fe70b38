#pragma once

#include "emit/CodeWriter.h"
#include "plan/Plan.h"

namespace tikc::emit::cpp {

/// Something that is known of a request: one engine serves contracts whose slices ask for this and
/// for that, so all of it is there. Its names meet no other field's.
struct RequestField {
  std::string field;
  std::string name;                   // of the request's member
  const plan::Label* label = nullptr; // nothing for a number, and for text
  std::string type;                   // of the label's values
  bool isText = false;
};
std::vector<RequestField> requestFields(const plan::Plan& plan);
/// The values of a label; the first stands for a request without it.
std::vector<std::string> namesOfValues(const plan::Label& label);

/// What is known of a request, and which slice it is in.
void writeSlices(CodeWriter& out, const plan::Plan& plan);

} // namespace tikc::emit::cpp
