#pragma once

#include "model/Keys.h"
#include "sema/Context.h"
#include "yaml/Tree.h"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tikc::sema {

/// Finds entries in the wrong place, because lines are indented too far or too little, or a line or
/// a bracket is missing. It reports one finding for all consequences.
class Misplaced {
public:
  /// Only a contract has sections.
  Misplaced(FileContext& context, const yaml::Node& root, model::Shape shape)
      : context_(context),
        root_(shape == model::Shape::Contract && root.kind == yaml::Node::Kind::Mapping ? &root
                                                                                        : nullptr) {
  }

  /// Handles a key of a record without a value, followed by keys that belong to the record below
  /// it. Returns the last entry that it handled, or `at`.
  std::size_t below(yaml::Node& node, std::size_t at, model::Map map);
  /// Returns edits that move an unknown entry to the end of the section above it, or nothing if it
  /// does not belong there.
  std::vector<diag::Edit> belowTheOneAbove(const yaml::Node& node, std::size_t at,
                                           model::Map map) const;
  /// Handles `{ do: hold, rollback }`: an entry after a value that may be a list is its next item.
  /// Returns the last entry that it handled, or `at`.
  std::size_t listItems(yaml::Node& node, std::size_t at, model::Map map);
  /// Handles entries of a dictionary that belong to another section, whose line is indented or
  /// missing. Returns the first entry that it did not handle, or `at`.
  std::size_t inside(yaml::Node& dictionary, std::size_t at, model::Shape element);
  /// Handles unknown keys of a record that belong to another section, whose line is missing before
  /// them.
  std::size_t insideRecord(yaml::Node& record, std::size_t at, model::Map map);
  /// Returns whether a key that a map lacks was found elsewhere.
  bool isReported(model::Map map, std::string_view key) const;

private:
  std::size_t indented(yaml::Node& map, std::size_t at, std::optional<model::Map> element);
  template <typename Foreign>
  std::size_t headless(yaml::Node& map, std::size_t at, Foreign isForeign);
  std::vector<const model::KeyInfo*> sectionsAfter(const yaml::Node& map) const;
  bool isMissing(std::string_view section) const;
  void indentLines(const yaml::Entry& entry, std::vector<diag::Edit>& edits) const;

  FileContext& context_;
  const yaml::Node* root_;
  std::vector<std::string> found_; // sections that were found elsewhere
};

} // namespace tikc::sema
