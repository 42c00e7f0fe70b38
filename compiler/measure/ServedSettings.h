#pragma once

#include "data/Response.h"
#include "plan/Plan.h"

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tikc::measure {

/// A setting of the data that is not the contract's: sampled otherwise, or of another model.
struct OtherSetting {
  std::string name, inData; // empty `inData`: values past the first ones
  std::string inContract;
};

/// How often each was seen: a name and a value, with NUL between them.
using OtherSettings = std::map<std::string, std::uint64_t>;

/// Compares what records say of how they were made with what the contract says of the server:
/// `temperature`, `top_p`, `top_k`, `min_p`, `digest` and `build`, as labels of records. Some
/// faults show in no log-prob, as tokens sampled at 0.8 and logged raw.
class ServedSettings {
public:
  ServedSettings(const plan::Plan& plan, std::size_t stream);

  void look(std::span<const data::LabelValue> labels);
  const OtherSettings& others() const { return others_; }

  /// Whether evidence may have it among these.
  static bool isKey(std::string_view key);
  /// What a key of `others()` stands for.
  OtherSetting read(std::string_view key) const;

private:
  struct Setting {
    std::string_view name;
    std::string text;             // as the contract has it
    std::optional<double> number; // unless it is text
  };
  bool isSame(const Setting& asked, std::string_view value) const;

  double vocabulary_; // 0 where the contract names none
  std::vector<Setting> asked_;
  OtherSettings others_;
};

} // namespace tikc::measure
