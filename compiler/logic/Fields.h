#pragma once

#include "model/Contract.h"
#include "model/Metrics.h"

#include <llvm/ADT/BitVector.h>

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace tikc::logic {

/// The values of one field, cut into cells within which all predicates have one answer.
class CutField {
public:
  /// Of a label, or of a field of requests.
  CutField(std::string name, const model::FieldInfo* info);

  const std::string& name() const { return name_; }
  std::size_t cells() const { return values_.size(); }
  /// Returns a value of a cell, as a predicate writes it; `none` for a label without any of its
  /// values.
  const std::string& value(std::size_t cell) const { return values_[cell]; }

  /// Declares the values of a label.
  void declare(const std::vector<model::Text>& values);
  /// Cuts at the values that a comparison or an `in` names.
  void cutAt(const model::Expr& atom);
  /// Ends cutting; call it after the last cut.
  void close();

  /// Returns the cells that satisfy a comparison or an `in`.
  llvm::BitVector where(const model::Expr& atom) const;

private:
  void cutAtConstant(const model::Expr& constant);
  std::string unnamed() const;
  void addNumber(const Rational& value);
  void addBetween(const Rational& low, const std::optional<Rational>& high);
  /// Returns the cell of a value that it was cut at; nothing if no request can have the value.
  std::optional<unsigned> cellOf(const model::Expr& constant) const;
  llvm::BitVector ofNumbers(model::Comparator comparator, const Rational& with) const;

  std::string name_;
  bool isText_ = false;
  bool isOpen_ = false; // texts other than the named ones are possible
  bool isWhole_ = false;
  model::ValueRange domain_;
  std::vector<const std::vector<model::Text>*> declared_; // until it is closed
  std::map<std::string, unsigned> texts_;                 // the named texts, and their cells
  std::vector<Rational> cuts_;
  std::vector<Rational> numbers_; // a number of each cell, ascending
  std::vector<std::string> values_;
};

} // namespace tikc::logic
