#pragma once

#include "data/Response.h"
#include "engine/Slices.h"
#include "plan/Plan.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace tikc::measure {

/// The fields of requests and the labels that a contract's slices ask for.
std::vector<std::string> fieldsOfSlices(const plan::Plan& plan);

/// A value that a label does not have; empty stands for those past the first ones.
struct Stranger {
  std::string label, value;

  /// As names of what is missing cannot be.
  std::string key() const { return label + '\0' + value; }
  static std::optional<Stranger> of(std::string_view key);
};

/// The finite number that all of a text is.
std::optional<double> numberIn(std::string_view text);

/// Which of a contract's slices recorded responses are of.
class Slicing {
public:
  explicit Slicing(const plan::Plan& plan);

  /// What slices ask for, and how often a response did not have it; also values of a label that the
  /// contract does not declare, which are as none: by `Stranger::key()`.
  using Missing = std::map<std::string, std::uint64_t>;
  const Missing& missing() const { return missing_; }

  /// A part of a response whose tokens are of one slice.
  struct Run {
    std::size_t slice = 0, begin = 0, end = 0;
  };
  const std::vector<Run>& runsOf(const data::Response& response);
  std::size_t sliceOf(const data::RowPair& row);

private:
  struct Asked {
    std::string name;
    std::size_t field = 0;
    bool isText = false;
    const std::vector<std::string>* values = nullptr; // of a label
  };
  /// The tokens at which a slice may begin or end: predicates compare places with these alone.
  void findCuts(const plan::Predicate& predicate);
  /// What is known of a response or a row.
  struct Known {
    std::span<const data::LabelValue> labels;
    std::optional<double> version;
    std::string_view versionText;
    std::optional<double> promptTokens;
  };
  void set(const Known& of);
  bool isStranger(const Asked& asked, std::string_view text);
  std::size_t sliceAt(double position);

  const plan::Plan& plan_;
  engine::Request request_;
  std::vector<Asked> asked_;
  std::vector<double> positionCuts_, lengthCuts_;
  std::optional<std::size_t> position_, length_;
  std::vector<Run> runs_;
  std::vector<double> cuts_;
  std::vector<std::string> texts_;
  Missing missing_;
  std::size_t strangers_ = 0; // values that are told
};

} // namespace tikc::measure
