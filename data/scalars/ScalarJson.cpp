#include "data/scalars/ScalarBuilder.h"
#include "data/text/Json.h"
#include "data/text/Records.h"
#include "support/Utf8.h"

#include <fmt/format.h>
#include <llvm/ADT/StringExtras.h>

#include <array>
#include <limits>
#include <map>
#include <optional>
#include <set>

namespace tikc::data {
namespace {

/// A number of a record, which may come before its step.
struct Logged {
  std::string name;
  std::optional<double> step;
  std::optional<double> value; // nothing of null
};

/// Reads a record of a log: names with numbers, in objects of objects where a name goes on, or a
/// name with a number by step, or `metric` with a `series` of pairs; lists of records, too. Of
/// TensorBoard it is a time, a step and a number, whose name is the file's.
class ScalarRecord {
public:
  ScalarRecord(JsonCursor& json, ScalarBuilder& into, std::string_view stem, std::uint64_t line)
      : json_(json), into_(into), stem_(stem), line_(line) {}

  void read() {
    if (json_.kind() == JsonKind::List)
      triple();
    else
      object("", true);
    for (const Logged& each : logged_)
      into_.add(each.name, each.step ? each.step : step_, each.value, line_);
  }

private:
  /// `metric` and `series` of an object, in any order; the series is read at the object's end.
  struct NamedSeries {
    std::string metric;
    std::optional<JsonCursor> series;
  };

  void triple() {
    into_.beginRecord();
    if (const auto out = numbers<3>("expected a list of a time, a step and a number"))
      logged_.push_back({nameOfFile(stem_), (*out)[1], (*out)[2]});
  }

  /// A list of so many numbers.
  template <std::size_t Count>
  std::optional<std::array<std::optional<double>, Count>> numbers(std::string_view otherwise) {
    std::array<std::optional<double>, Count> out{};
    std::size_t size = 0;
    json_.enter(JsonKind::List);
    for (bool isFirst = true; json_.more(JsonKind::List, isFirst); ++size) {
      const std::optional<double> value = number(true);
      if (size < Count)
        out[size] = value;
    }
    if (!json_.failed() && size != Count)
      json_.fail(std::string(otherwise), json_.at());
    return json_.failed() ? std::nullopt : std::optional(out);
  }

  void object(const std::string& prefix, bool isRecord) {
    if (!json_.enter(JsonKind::Object))
      return;
    if (isRecord)
      into_.beginRecord();
    NamedSeries named;
    for (bool isFirst = true; json_.more(JsonKind::Object, isFirst);)
      entry(prefix, std::string(json_.key()), named);
    if (json_.failed() || named.metric.empty() || !named.series)
      return;
    JsonCursor after = json_;
    json_ = *named.series;
    pairs(named.metric);
    if (!json_.failed())
      json_ = std::move(after);
  }

  void entry(const std::string& prefix, std::string key, NamedSeries& named) {
    // What is asked for is a number, or says that it is none; what else it may be is not guessed.
    if (into_.isWanted(prefix) && !stepOf(prefix, key))
      return json_.fail(fmt::format("{} is a metric, but {} is not a step of it",
                                    utf8::ticked(prefix), utf8::ticked(key)),
                        json_.at());
    const bool isAsked = isStep(prefix, key) || into_.isWanted(nameOf(prefix, key));
    switch (json_.kind()) {
    case JsonKind::Number:
    case JsonKind::Null:
    case JsonKind::Other:
      return keep(prefix, key, number(false));
    case JsonKind::Text:
      return isAsked ? keep(prefix, key, number(true)) : text(prefix, key, named);
    case JsonKind::Object:
      return object(nested(prefix, key), false);
    case JsonKind::List:
      if (isAsked)
        return json_.expected("a number");
      if (key == "series") {
        if (named.series)
          return duplicate(key, json_.at());
        named.series = json_;
      }
      return list();
    default:
      return isAsked ? json_.expected("a number") : json_.skip();
    }
  }

  std::optional<double> number(bool isText) {
    NumberClass numberClass{};
    const auto out = json_.number(isText, numberClass);
    return numberClass == NumberClass::Null ? std::nullopt : out;
  }

  void text(const std::string& prefix, const std::string& key, NamedSeries& named) {
    const std::size_t at = json_.at();
    const std::string_view said = json_.string();
    if (key == "metric") {
      if (!named.metric.empty())
        return duplicate(key, at);
      named.metric = said;
    } else if (said == "NaN" || said == "Infinity" || said == "-Infinity")
      keep(prefix, key, std::numeric_limits<double>::quiet_NaN());
  }

  /// verl puts all names into `data`; a step for a key is of the name before it.
  void keep(const std::string& prefix, const std::string& key, std::optional<double> value) {
    if (isStep(prefix, key)) {
      const auto [known, isNew] = steps_.emplace(key, value);
      if (!isNew && known->second != value)
        return duplicate(key, json_.at());
      step_ = value;
      return;
    }
    const auto step = stepOf(prefix, key);
    Logged out{step ? prefix : nested(prefix, key), step, value};
    if (into_.isWanted(out.name) && !named_.emplace(out.name, step).second)
      return duplicate(out.name, json_.at());
    logged_.push_back(std::move(out));
  }
  void duplicate(std::string_view name, std::size_t at) {
    json_.fail(fmt::format("duplicate {}", utf8::ticked(name)), at);
  }
  static bool isStep(const std::string& prefix, const std::string& key) {
    return prefix.empty() && isStepName(key);
  }
  /// Of a key that is one of the name before it.
  static std::optional<double> stepOf(const std::string& prefix, const std::string& key) {
    double step = 0;
    return !prefix.empty() && llvm::to_float(key, step) ? std::optional(step) : std::nullopt;
  }
  static std::string nameOf(const std::string& prefix, const std::string& key) {
    return stepOf(prefix, key) ? prefix : nested(prefix, key);
  }
  static std::string nested(const std::string& prefix, const std::string& key) {
    if (prefix.empty())
      return key == "data" ? "" : key;
    return prefix + "/" + key;
  }

  void pairs(const std::string& metric) {
    json_.enter(JsonKind::List);
    for (bool isFirst = true; json_.more(JsonKind::List, isFirst);)
      if (const auto pair = numbers<2>("expected a series of pairs of a step and a number"))
        logged_.push_back({metric, (*pair)[0], (*pair)[1]});
  }

  void list() {
    json_.enter(JsonKind::List);
    for (bool isFirst = true; json_.more(JsonKind::List, isFirst);)
      if (json_.kind() == JsonKind::Object)
        ScalarRecord(json_, into_, stem_, line_).read();
      else
        json_.skip();
  }

  JsonCursor& json_;
  ScalarBuilder& into_;
  std::string_view stem_;
  std::uint64_t line_;
  std::optional<double> step_; // the last of `steps_`, which Weights & Biases counts differently
  std::map<std::string, std::optional<double>> steps_;
  std::vector<Logged> logged_;
  std::set<std::pair<std::string, std::optional<double>>> named_; // of what is wanted
};

} // namespace

std::string readScalarJson(Window window, std::string_view stem, const DataLimits& limits,
                           ScalarBuilder& into) {
  const TextLayout layout = textLayoutOf(window, limits);
  Records records(std::move(window), layout, limits);
  while (const auto record = records.next()) {
    if (!record->fault.empty())
      return fmt::format("line {}: {}", record->line, record->fault);
    JsonCursor json(record->text, limits.nestingDepth);
    ScalarRecord(json, into, stem, record->line).read();
    json.finish();
    if (json.failed())
      return fmt::format("line {}: byte {}: {}", record->line, record->byte + json.faultAt(),
                         json.fault());
  }
  return records.fault();
}

} // namespace tikc::data
