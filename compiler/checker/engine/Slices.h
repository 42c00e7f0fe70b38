#pragma once

#include "checker/plan/Plan.h"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tikc::engine {

/// A request's fields, then its labels, for the conditions of slices. Unset ones are 0 or empty.
class Request {
public:
  explicit Request(const plan::Plan& plan)
      : plan_(plan), numbers_(plan.fields.size() + plan.labels.size(), 0), texts_(numbers_.size()) {
  }

  static std::size_t fieldCount(const plan::Plan& plan) {
    return plan.fields.size() + plan.labels.size();
  }
  std::optional<std::size_t> find(std::string_view field) const;
  bool isText(std::size_t field) const {
    return field >= plan_.fields.size() || plan_.fields[field].isText;
  }

  void set(std::size_t field, double value) { numbers_[field] = value; }
  void set(std::size_t field, std::string_view text) { texts_[field] = text; }

  /// Returns the first slice whose condition holds; the last slice takes the rest.
  std::size_t slice() const;

private:
  bool meets(const plan::Predicate& predicate) const;
  bool compares(const std::string& field, model::Comparator comparator,
                const plan::Predicate::Value& value) const;

  const plan::Plan& plan_;
  std::vector<double> numbers_;
  std::vector<std::string> texts_;
};

} // namespace tikc::engine
