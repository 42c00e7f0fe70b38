#pragma once

#include "checker/plan/Plan.h"
#include "data/Response.h"

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tikc::measure {

/// A setting in the data that differs from the contract: other sampling, or another model.
struct OtherSetting {
  std::string name, inData; // `inData` is empty for values beyond the first ones
  std::string inContract;
};

/// Counts by name and value, with NUL between them.
using OtherSettings = std::map<std::string, std::uint64_t>;

/// Compares labels of records with the contract's settings of the server: `temperature`, `top_p`,
/// `top_k`, `min_p`, `digest` and `build`. Some faults are invisible in log-probs, such as tokens
/// sampled at 0.8 and logged raw.
class ServedSettings {
public:
  ServedSettings(const plan::Plan& plan, std::size_t stream);

  void look(std::span<const data::LabelValue> labels);
  const OtherSettings& others() const { return others_; }

  /// Whether the text can be a key of `others()` in evidence.
  static bool isKey(std::string_view key);
  /// Returns the setting for a key of `others()`.
  OtherSetting read(std::string_view key) const;

private:
  struct Setting {
    std::string_view name;
    std::string text;             // as in the contract
    std::optional<double> number; // empty for a text
  };
  bool isSame(const Setting& setting, std::string_view value) const;

  double vocabulary_; // 0 if the contract has none
  std::vector<Setting> asked_;
  OtherSettings others_;
};

} // namespace tikc::measure
