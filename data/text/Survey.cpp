#include "data/text/Survey.h"

#include "data/text/Json.h"

#include <algorithm>

namespace tikc::data {
namespace {

// What nobody would read to the end.
constexpr std::size_t surveyedFields = 200;

class Surveyor {
public:
  Surveyor(std::string_view record, const DataLimits& limits, Survey& out)
      : cursor_(record, limits.nestingDepth), out_(out) {}

  void record() {
    if (cursor_.kind() == JsonKind::Object)
      object({});
  }

private:
  void value(std::string path) {
    if (out_.fields.size() >= surveyedFields)
      return cursor_.skip();
    const JsonKind kind = cursor_.kind();
    if (kind == JsonKind::Object)
      return object(path);
    if (kind == JsonKind::List)
      return list(std::move(path));
    cursor_.skip();
    note(path, wordFor(kind), std::nullopt);
  }

  static std::string_view wordFor(JsonKind kind) {
    switch (kind) {
    case JsonKind::Text:
      return "text";
    case JsonKind::True:
    case JsonKind::False:
      return "truth value";
    case JsonKind::Null:
      return "null";
    default:
      return "number";
    }
  }

  void note(std::string_view path, std::string_view kind, std::optional<std::uint64_t> length) {
    SurveyedField& field = out_.at(path);
    if (field.records == 0 || field.kind == "null" || field.kind == "empty list")
      field.kind = kind;
    else if (field.kind != kind && kind != "null" && kind != "empty list")
      field.kind = "mixed";
    if (length) {
      field.shortest = field.isList ? std::min(field.shortest, *length) : *length;
      field.longest = std::max(field.longest, *length);
      field.isList = true;
    }
    ++field.records;
  }

  void object(const std::string& path) {
    bool isFirst = true;
    if (!cursor_.enter(JsonKind::Object))
      return;
    while (cursor_.more(JsonKind::Object, isFirst)) {
      std::string inner = path.empty() ? std::string() : path + ".";
      inner += cursor_.key();
      if (cursor_.failed())
        return;
      value(std::move(inner));
    }
  }

  /// Of objects each is looked at; of others how they begin, and how many there are.
  void list(std::string path) {
    bool isFirst = true;
    if (!cursor_.enter(JsonKind::List))
      return;
    std::uint64_t length = 0;
    std::string kind;
    while (cursor_.more(JsonKind::List, isFirst)) {
      const JsonKind item = cursor_.kind();
      if (item == JsonKind::Object) {
        kind = "objects";
        object(path + "[]");
      } else {
        const std::string entry =
            item == JsonKind::List ? "lists" : std::string(wordFor(item)) + "s";
        if (kind.empty() || kind == "nulls")
          kind = entry;
        else if (kind != entry && item != JsonKind::Null)
          kind = "mixed";
        cursor_.skip();
      }
      ++length;
      if (cursor_.failed())
        return;
    }
    if (kind != "objects")
      note(path, kind.empty() ? "empty list" : "list of " + kind, length);
  }

  JsonCursor cursor_;
  Survey& out_;
};

} // namespace

SurveyedField& Survey::at(std::string_view path) {
  for (SurveyedField& field : fields)
    if (field.path == path)
      return field;
  fields.push_back({});
  fields.back().path = path;
  return fields.back();
}

void survey(std::string_view record, const DataLimits& limits, Survey& out) {
  Surveyor(record, limits, out).record();
  ++out.records;
}

} // namespace tikc::data
