#pragma once

#include "checker/engine/Slices.h"
#include "checker/plan/Plan.h"
#include "data/Response.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace tikc::measure {

/// Returns the request fields and labels that a contract's slices use.
std::vector<std::string> fieldsOfSlices(const plan::Plan& plan);

/// An undeclared value of a label; empty for values beyond the first ones.
struct Stranger {
  std::string label, value;

  /// A key that no field's name can equal.
  std::string key() const { return label + '\0' + value; }
  static std::optional<Stranger> of(std::string_view key);
};

/// Returns the finite number that the whole text is.
std::optional<double> numberIn(std::string_view text);

/// Assigns recorded responses to a contract's slices.
class Slicing {
public:
  explicit Slicing(const plan::Plan& plan);

  /// Counts of responses without a field that slices use, by field; and of undeclared label values,
  /// which count as missing, by `Stranger::key()`.
  using Missing = std::map<std::string, std::uint64_t>;
  const Missing& missing() const { return missing_; }

  /// Consecutive tokens of a response in one slice.
  struct Run {
    std::size_t slice = 0, begin = 0, end = 0;
  };
  const std::vector<Run>& runsOf(const data::Response& response);
  std::size_t sliceOf(const data::RowPair& row);

private:
  struct SliceField {
    std::string name;
    std::size_t field = 0;
    bool isText = false;
    const std::vector<std::string>* values = nullptr; // of a label
  };
  /// Finds the tokens where a slice may begin or end: the positions that predicates compare with.
  void findCuts(const plan::Predicate& predicate);
  /// The fields of a response or row.
  struct KnownFields {
    std::span<const data::LabelValue> labels;
    std::optional<double> version;
    std::string_view versionText;
    std::optional<double> promptTokens;
  };
  void set(const KnownFields& fields);
  bool isStranger(const SliceField& field, std::string_view text);
  std::size_t sliceAt(double position);

  const plan::Plan& plan_;
  engine::Request request_;
  std::vector<SliceField> asked_;
  std::vector<double> positionCuts_, lengthCuts_;
  std::optional<std::size_t> position_, length_;
  std::vector<Run> runs_;
  std::vector<double> cuts_;
  std::vector<std::string> texts_;
  Missing missing_;
  std::size_t strangers_ = 0; // values that are reported
};

} // namespace tikc::measure
