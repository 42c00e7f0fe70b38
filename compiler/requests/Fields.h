#pragma once

#include "metrics/Metrics.h"
#include "model/Contract.h"

#include <llvm/ADT/BitVector.h>

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace tikc::requests {

/// The values of one field, cut into cells within which all predicates answer alike.
class CutField {
public:
  /// Of a label, or of a field of requests.
  CutField(std::string name, const metrics::FieldInfo* info);

  const std::string& name() const { return name_; }
  std::size_t cells() const { return values_.size(); }
  /// Some value of a cell, as a predicate writes it; `none` of a label that has none of its values.
  const std::string& value(std::size_t cell) const { return values_[cell]; }

  /// Of a label, what it can be.
  void declare(const std::vector<model::Text>& values);
  /// At what a comparison or an `in` names.
  void cutAt(const model::Expr& atom);
  /// After the last cut.
  void close();

  /// The cells of a comparison or an `in`.
  llvm::BitVector where(const model::Expr& atom) const;

private:
  void cutAtConstant(const model::Expr& constant);
  std::string unnamed() const;
  void addNumber(const Rational& value);
  void addBetween(const Rational& low, const std::optional<Rational>& high);
  /// Of a value that it was cut at; none where no request can have it.
  std::optional<unsigned> cellOf(const model::Expr& constant) const;
  llvm::BitVector ofNumbers(model::Comparator comparator, const Rational& with) const;

  std::string name_;
  bool isText_ = false;
  bool isOpen_ = false; // a text that can be another than those that are named
  bool isWhole_ = false;
  metrics::ValueRange domain_;
  std::vector<const std::vector<model::Text>*> declared_; // until it is closed
  std::map<std::string, unsigned> texts_;                 // that are named, and their cells
  std::vector<Rational> cuts_;
  std::vector<Rational> numbers_; // by cell and ascending, one of it
  std::vector<std::string> values_;
};

} // namespace tikc::requests
