#pragma once

#include "model/Keys.h"
#include "sema/Context.h"
#include "syntax/Tree.h"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tikc::sema {

/// Entries that stand where they do not belong, since their lines are indented too far or too
/// little, or a line or a bracket is missing: one finding for all that follows from it.
class Misplaced {
public:
  /// Only a contract has sections.
  Misplaced(FileContext& context, const syntax::Node& root, model::Shape shape)
      : context_(context),
        root_(shape == model::Shape::Contract && root.kind == syntax::Node::Kind::Mapping
                  ? &root
                  : nullptr) {}

  /// A key of a record with nothing below it, and then keys that only the record below it knows:
  /// the last entry that is dealt with, or `at`.
  std::size_t below(syntax::Node& node, std::size_t at, model::Map map);
  /// What moves an unknown entry to the end of the section above it; nothing where it is none of
  /// its.
  std::vector<diag::Edit> belowTheOneAbove(const syntax::Node& node, std::size_t at,
                                           model::Map map) const;
  /// `{ do: hold, rollback }`: what follows a value that may be a list is its next item. The last
  /// entry that is dealt with, or `at`.
  std::size_t listItems(syntax::Node& node, std::size_t at, model::Map map);
  /// Entries of a dictionary that belong to another section, whose line is indented or missing: the
  /// first that is not dealt with, or `at`.
  std::size_t inside(syntax::Node& dictionary, std::size_t at, model::Shape element);
  /// The same of a record's keys that nobody knows: the line of a section is missing before them.
  std::size_t insideRecord(syntax::Node& record, std::size_t at, model::Map map);
  /// Whether a key that a map lacks has been found elsewhere.
  bool isReported(model::Map map, std::string_view key) const;

private:
  std::size_t indented(syntax::Node& map, std::size_t at, std::optional<model::Map> element);
  template <typename Foreign>
  std::size_t headless(syntax::Node& map, std::size_t at, Foreign isForeign);
  std::vector<const model::KeyInfo*> sectionsAfter(const syntax::Node& map) const;
  bool isMissing(std::string_view section) const;
  void indentLines(const syntax::Entry& entry, std::vector<diag::Edit>& edits) const;

  FileContext& context_;
  const syntax::Node* root_;
  std::vector<std::string> found_; // sections that were found elsewhere
};

} // namespace tikc::sema
