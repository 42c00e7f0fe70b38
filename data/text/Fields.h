#pragma once

#include "data/Report.h"
#include "data/pairing/Layout.h"
#include "data/text/Json.h"

#include <array>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace tikc::data {

/// The values of a field in one record: values of its kind, in sequence, and the end of each list.
/// A value outside a list has no end.
struct Column {
  std::string path;
  bool isThere = false;
  bool isUnread = false; // a setting that is neither text nor a number
  bool wasThere = false; // in this record or an earlier one
  std::vector<float> tokens;
  std::vector<double>
      written; // the exact values, from the first one that a float cannot represent; else empty
  std::vector<std::uint8_t> flags;
  std::vector<std::int64_t> integers;
  std::vector<double> numbers;
  std::vector<std::string> words;
  std::vector<std::size_t> ends;
  ClassCounts classes{};
  std::vector<ClassCounts> classesAtEnds; // by list, of all lists up to it

  std::size_t size() const {
    return tokens.size() + flags.size() + integers.size() + numbers.size() + words.size();
  }
  void clear();
  void endList() {
    ends.push_back(size());
    classesAtEnds.push_back(classes);
  }
  /// Adds the counts of a list's numbers; without lists, those of the record.
  void count(std::size_t list, ClassCounts& to) const;
  void addToken(double value);
  /// Adds finite values.
  void addTokens(std::span<const double> values);
};

/// Extracts the fields of a layout from records.
class FieldReader {
public:
  FieldReader(const Layout& layout, std::size_t nestingDepth);

  /// A fault of the record: the message, its place, and its field.
  struct RecordFault {
    std::string message;
    std::size_t at = 0;
    std::string field;
  };
  std::optional<RecordFault> read(std::string_view record);
  /// Returns the values of a binding, by its index in the layout; null if the record lacks it. If
  /// the record has several of the binding's fields, `after` skips the first ones.
  const Column* column(std::size_t binding, std::size_t after = 0) const;
  /// Returns whether any record had the binding.
  bool wasThere(std::size_t binding) const;

private:
  struct Node {
    std::map<std::string, Node, std::less<>> keys;
    std::unique_ptr<Node> each;
    std::map<std::size_t, Node> at;
    std::vector<std::size_t> leaves; // one column for each kind of role that has this path
    std::vector<std::size_t> below;  // the columns below this node
    std::uint64_t seen = 0;          // in the current object
    bool isLeaf() const { return !leaves.empty(); }
  };

  /// Returns the column of a path for a kind of role: an existing one, or the next.
  std::size_t plant(std::string_view path, RoleKind kind, std::size_t column);
  void walk(Node& node, JsonCursor& cursor);
  void walkLeaf(std::size_t leaf, JsonCursor& cursor);
  void walkObject(Node& node, JsonCursor& cursor);
  void walkList(Node& node, JsonCursor& cursor);
  void take(std::size_t column, JsonCursor& cursor);
  void takeOne(std::size_t column, JsonCursor& cursor);
  bool takePlain(std::size_t column, JsonCursor& cursor);
  void takeWord(std::size_t column, JsonCursor& cursor);
  void takeSetting(std::size_t column, JsonCursor& cursor);

  struct Slot {
    std::size_t binding;
    RoleKind kind;
    std::string path;
    std::size_t column; // its own, or that of an earlier equal path and kind
    bool isKey = false, isStep = false, isSetting = false;
  };

  std::size_t nestingDepth_;
  bool isText_;
  Node root_;
  std::vector<Slot> slots_;
  std::vector<Column> columns_;
  std::vector<double> plain_; // values of a list
  std::string field_;
  std::uint64_t objects_ = 0;
};

} // namespace tikc::data
