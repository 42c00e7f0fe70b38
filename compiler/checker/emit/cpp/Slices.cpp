#include "checker/emit/cpp/Slices.h"

#include "checker/emit/cpp/Names.h"
#include "support/Check.h"

#include <fmt/ranges.h>

#include <algorithm>

namespace tikc::emit::cpp {
namespace {

using plan::Plan;
using plan::Predicate;

/// How many conditions on the field there are within one.
std::size_t mentions(const Predicate& predicate, const std::string& field) {
  std::size_t out = predicate.field == field ? 1 : 0;
  for (const Predicate& part : predicate.parts)
    out += mentions(part, field);
  return out;
}

class Slices {
public:
  Slices(CodeWriter& out, const Plan& plan)
      : out_(out), plan_(plan), fields_(requestFields(plan)) {}

  void write() {
    for (const RequestField& field : fields_)
      if (field.label)
        writeLabel(field);
    out_.gap();
    out_.line("/// What slices may ask of a request{}.",
              plan_.slicesByToken ? ", and of the place of a token in it" : "");
    out_.block("struct request {", "};", [&] {
      for (const RequestField& field : fields_)
        writeField(field);
    });
    out_.gap();
    out_.block("inline slice slice_of(const request& of) {", "}", [&] {
      if (plan_.slices.size() == 1)
        out_.line("static_cast<void>(of);");
      writeChoice();
    });
  }

private:
  void writeLabel(const RequestField& field) {
    out_.line("enum class {} : std::uint16_t {{ {} }};", field.type,
              fmt::join(namesOfValues(*field.label), ", "));
  }

  void writeField(const RequestField& field) {
    if (field.label)
      out_.line("{0} {1} = {0}::none;", field.type, field.name);
    else if (field.isText)
      out_.line("const char* {} = \"\";", field.name);
    else
      out_.line("double {} = 0;", field.name);
  }

  void writeChoice() {
    auto names = identifiers([&] {
      std::vector<std::string> out;
      for (const plan::Slice& slice : plan_.slices)
        out.push_back(slice.name);
      return out;
    }());
    for (std::size_t i = 0; i < plan_.slices.size(); ++i) {
      if (!plan_.slices[i].when) {
        out_.line("return slice::{};", names[i]);
        return;
      }
      within_ = &*plan_.slices[i].when;
      out_.line("if ({})", text(*within_));
      out_.line("  return slice::{};", names[i]);
    }
  }

  std::string compared(const std::string& field, model::Comparator comparator,
                       const Predicate::Value& value) const {
    auto known = std::find_if(fields_.begin(), fields_.end(),
                              [&](const auto& row) { return row.field == field; });
    TIKC_CHECK(known != fields_.end(), "predicates ask for fields of the request alone");
    const RequestField& member = *known;
    std::string name = "of." + member.name;
    if (!value.isText)
      return fmt::format("{} {} {}", name, model::symbol(comparator), number(value.number));
    if (!member.label)
      return fmt::format("tikc::same_text({}, {}) == {}", name, literal(value.text),
                         comparator == model::Comparator::Equal);
    const std::vector<std::string>& values = member.label->values;
    auto at = std::find(values.begin(), values.end(), value.text);
    auto index = static_cast<std::size_t>(at - values.begin()) + 1;
    std::string label = fmt::format("{}::{}", member.type, namesOfValues(*member.label)[index]);
    // Compilers warn of == and != that contradict one another, as a contract's may.
    if (mentions(*within_, field) > 1)
      return fmt::format("{}tikc::same_label({}, {})",
                         comparator == model::Comparator::Equal ? "" : "!", name, label);
    return fmt::format("{} {} {}", name, model::symbol(comparator), label);
  }

  std::string text(const Predicate& predicate) const {
    std::vector<std::string> parts;
    switch (predicate.kind) {
    case Predicate::Kind::Compare:
      return compared(predicate.field, predicate.comparator, predicate.values.front());
    case Predicate::Kind::In:
      for (const auto& value : predicate.values)
        parts.push_back(compared(predicate.field, model::Comparator::Equal, value));
      return fmt::format("({})", fmt::join(parts, " || "));
    case Predicate::Kind::Not:
      return fmt::format("!({})", text(predicate.parts.front()));
    case Predicate::Kind::And:
    case Predicate::Kind::Or:
      for (const Predicate& part : predicate.parts)
        parts.push_back(text(part));
      return fmt::format(
          "({})", fmt::join(parts, predicate.kind == Predicate::Kind::And ? " && " : " || "));
    }
    TIKC_CHECK(false, "each predicate has its case");
  }

  CodeWriter& out_;
  const Plan& plan_;
  std::vector<RequestField> fields_;
  const Predicate* within_ = nullptr; // the whole condition of a slice
};

} // namespace

std::vector<RequestField> requestFields(const Plan& plan) {
  std::vector<RequestField> out;
  for (const plan::Field& field : plan.fields)
    out.push_back({field.name, {}, nullptr, {}, field.isText});
  for (const plan::Label& label : plan.labels)
    out.push_back({label.name, {}, &label, {}});
  std::vector<std::string> names;
  names.reserve(2 * out.size());
  for (const RequestField& each : out)
    names.push_back(each.field);
  for (const RequestField& each : out)
    names.push_back(each.field + "_label");
  names = identifiers(names);
  for (std::size_t i = 0; i < out.size(); ++i) {
    out[i].name = names[i];
    out[i].type = names[out.size() + i];
  }
  return out;
}

std::vector<std::string> namesOfValues(const plan::Label& label) {
  std::vector<std::string> names = {"none"};
  names.insert(names.end(), label.values.begin(), label.values.end());
  return identifiers(names);
}

void writeSlices(CodeWriter& out, const Plan& plan) { Slices(out, plan).write(); }

} // namespace tikc::emit::cpp
