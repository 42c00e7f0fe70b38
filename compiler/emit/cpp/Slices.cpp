#include "emit/cpp/Slices.h"

#include "emit/cpp/Names.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <set>

namespace tikc::emit::cpp {
namespace {

using plan::Plan;
using plan::Predicate;

class Slices {
public:
  Slices(Writer& out, const Plan& plan) : out_(out), plan_(plan) {
    for (const plan::Slice& slice : plan.slices)
      if (slice.when)
        gather(*slice.when);
  }

  void write() {
    for (const plan::Label& label : plan_.labels)
      if (asked_.count(label.name) > 0)
        writeLabel(label);
    out_.gap();
    out_.line("/// What the slices ask of a request{}.",
              plan_.slicesByToken ? ", and of the place of a token in it" : "");
    out_.block("struct request {", "};", [&] {
      for (const std::string& field : asked_)
        writeField(field);
    });
    out_.gap();
    out_.block("inline slice slice_of(const request& of) {", "}", [&] {
      if (asked_.empty())
        out_.line("static_cast<void>(of);");
      writeChoice();
    });
  }

private:
  void gather(const Predicate& predicate) {
    if (!predicate.field.empty())
      asked_.insert(predicate.field);
    for (const Predicate& part : predicate.parts)
      gather(part);
  }

  const plan::Label* labelOf(const std::string& field) const {
    auto found = std::find_if(plan_.labels.begin(), plan_.labels.end(),
                              [&](const plan::Label& label) { return label.name == field; });
    return found == plan_.labels.end() ? nullptr : &*found;
  }

  /// The first value stands for a request without the label.
  static std::vector<std::string> valuesOf(const plan::Label& label) {
    std::vector<std::string> names = {"none"};
    names.insert(names.end(), label.values.begin(), label.values.end());
    return identifiers(names);
  }

  static std::string typeOf(const plan::Label& label) { return identifier(label.name) + "_label"; }

  void writeLabel(const plan::Label& label) {
    out_.line("enum class {} : std::uint16_t {{ {} }};", typeOf(label),
              fmt::join(valuesOf(label), ", "));
  }

  void writeField(const std::string& field) {
    if (const plan::Label* label = labelOf(field))
      out_.line("{0} {1} = {0}::none;", typeOf(*label), identifier(field));
    else if (field == "model_version")
      out_.line("const char* {} = \"\";", identifier(field));
    else
      out_.line("double {} = 0;", identifier(field));
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
      out_.line("if ({})", text(*plan_.slices[i].when));
      out_.line("  return slice::{};", names[i]);
    }
  }

  std::string compared(const std::string& field, model::Comparator comparator,
                       const Predicate::Value& value) const {
    std::string name = "of." + identifier(field);
    const plan::Label* label = labelOf(field);
    if (!value.isText)
      return fmt::format("{} {} {}", name, model::symbol(comparator), number(value.number));
    if (!label)
      return fmt::format("tikc::same_text({}, {}) == {}", name, literal(value.text),
                         comparator == model::Comparator::Equal);
    auto at = std::find(label->values.begin(), label->values.end(), value.text);
    auto index = static_cast<std::size_t>(at - label->values.begin()) + 1;
    return fmt::format("{} {} {}::{}", name, model::symbol(comparator), typeOf(*label),
                       valuesOf(*label)[index]);
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
    return "false";
  }

  Writer& out_;
  const Plan& plan_;
  std::set<std::string> asked_;
};

} // namespace

void writeSlices(Writer& out, const Plan& plan) { Slices(out, plan).write(); }

} // namespace tikc::emit::cpp
