#include "data/text/TextReader.h"

#include "data/pairing/Assembler.h"
#include "data/pairing/Words.h"
#include "data/text/Fields.h"
#include "support/Utf8.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

namespace tikc::data {
namespace {

/// A text that is cut into records, read into responses.
class TextReader final : public PieceReader {
public:
  TextReader(TextOfPiece from, const Layout& layout, const DataLimits& limits)
      : file_(from.file), begin_(from.begin), isOfLines_(from.text == TextLayout::Lines),
        lines_(from.lines), piece_(from.piece), layout_(layout), limits_(limits),
        digest_(std::move(from.digest)), part_(std::move(from.part)),
        records_(std::move(from.window), from.text, limits, begin_ == 0),
        fields_(layout, limits.nestingDepth), assembler_(layout, false) {}

  bool next(Response& out) override {
    for (;;) {
      if (list_ < lists_) {
        if (takeList(out))
          return true;
      } else if (!nextRecord()) {
        return false;
      }
    }
  }
  PieceId id() override {
    if (part_)
      part_->finish();
    return digest_->id();
  }
  /// Records are found, as what is packed has to be unpacked, and none is understood.
  PieceId skim() override {
    while (records_.next()) {
    }
    tellLines();
    return id();
  }

private:
  Place place() const {
    return {file_,
            number_,
            record_.line,
            begin_ + record_.byte,
            report_.records,
            {},
            lists_ > 1 ? list_ + 1 : 0};
  }
  void keep(Place at, std::string_view field, std::string message) {
    at.field = field;
    if (report_.faults.size() < limits_.faults)
      report_.faults.push_back(faultAt(at, std::move(message)));
    ++report_.broken;
    lists_ = 0;
  }

  bool nextRecord() {
    std::optional<RecordText> record = records_.next();
    lists_ = list_ = 0;
    if (!record) {
      if (!hasEnded_)
        end();
      hasEnded_ = true;
      return false;
    }
    record_ = std::move(*record);
    if (part_)
      part_->readUpTo(record_.byte);
    ++report_.records;
    if (!record_.fault.empty()) {
      keep(place(), {}, record_.fault);
    } else if (auto wrong = fields_.read(record_.text)) {
      Place at = place();
      at.line += static_cast<std::uint64_t>(
          std::count(record_.text.begin(),
                     record_.text.begin() + static_cast<std::ptrdiff_t>(wrong->at), '\n'));
      at.byte += wrong->at;
      keep(at, wrong->field, std::move(wrong->message));
    } else {
      openLists();
    }
    return true;
  }

  void end() {
    for (std::size_t i = 0; i < layout_.bindings.size(); ++i)
      if (fields_.wasThere(i))
        report_.found.emplace(nameOf(layout_.bindings[i]));
    const std::string fault = records_.fault();
    if (fault.empty())
      return tellLines();
    const Place at{file_, number_, records_.line(), begin_ + records_.byte(), report_.records, {}};
    report_.lost = faultAt(at, fault);
    keep(at, {}, fault);
  }

  void tellLines() {
    if (lines_ != nullptr && records_.fault().empty())
      lines_->set(piece_, records_.line() - 1);
  }

  const Column* columnOf(Role role) const {
    for (std::size_t i = 0; i < layout_.bindings.size(); ++i)
      if (layout_.bindings[i].role == role)
        return fields_.column(i);
    return nullptr;
  }
  std::string_view pathOf(Role role) const {
    const Binding* const binding = layout_.find(role);
    return binding ? std::string_view(binding->paths.front()) : info(role).name;
  }
  static std::size_t listsOf(const Column& column) {
    return column.ends.empty() ? 1 : column.ends.size();
  }

  /// How many responses the record has, which all that it says of tokens has to agree on.
  void openLists() {
    train_ = columnOf(Role::Train);
    infer_ = columnOf(Role::Infer);
    if (!layout_.find(Role::Train) && !layout_.find(Role::Infer))
      infer_ = columnOf(Role::Side);
    for (Role role : {Role::Train, Role::Infer})
      if (layout_.find(role) && !columnOf(role))
        return keep(place(), pathOf(role), "missing in the record");
    if (!train_ && !infer_)
      return keep(place(), pathOf(Role::Side), "missing in the record");
    mask_ = columnOf(Role::Mask);
    if (const Column* const other = otherMask())
      return keep(place(), mask_->path, differsFrom(other->path));
    ids_ = columnOf(Role::Ids);
    lists_ = listsOf(infer_ ? *infer_ : *train_);
    for (const auto& [role, column] :
         {std::pair(Role::Train, train_), std::pair(Role::Mask, mask_), std::pair(Role::Ids, ids_)})
      if (column && listsOf(*column) != lists_)
        return keep(
            place(), pathOf(role),
            fmt::format("it has {} lists, but the log-probs have {}", listsOf(*column), lists_));
  }
  /// A mask of the record that says otherwise than the first one.
  const Column* otherMask() const {
    for (std::size_t i = 0; i < layout_.bindings.size(); ++i)
      if (layout_.bindings[i].mustAgree)
        for (std::size_t after = 1; const Column* const other = fields_.column(i, after); ++after)
          if (other->flags != mask_->flags || other->ends != mask_->ends)
            return other;
    return nullptr;
  }
  template <typename Value>
  std::span<const Value> listAt(const Column& column, const std::vector<Value>& values,
                                std::size_t list) const {
    if (column.ends.empty() || values.empty())
      return values;
    const std::size_t begin = list == 0 ? 0 : column.ends[list - 1];
    return std::span(values).subspan(begin, column.ends[list] - begin);
  }
  /// Of what a response has one of: its own list, its own entry, or what all of the record have.
  template <typename Value>
  std::span<const Value> shareOf(const Column* column, const std::vector<Value>& values) const {
    if (!column || values.empty())
      return {};
    if (column->ends.size() == lists_)
      return listAt(*column, values, list_);
    if (column->ends.size() <= 1 && values.size() == lists_)
      return std::span(values).subspan(list_, 1);
    return column->ends.size() <= 1 && values.size() == 1 ? std::span(values)
                                                          : std::span<const Value>();
  }

  bool takeList(Response& out) {
    ResponseFields found;
    if (train_) {
      found.train = listAt(*train_, train_->tokens, list_);
      found.trainWritten = listAt(*train_, train_->written, list_);
    }
    if (infer_) {
      found.infer = listAt(*infer_, infer_->tokens, list_);
      found.inferWritten = listAt(*infer_, infer_->written, list_);
    }
    if (mask_)
      found.mask = listAt(*mask_, mask_->flags, list_);
    if (ids_)
      found.ids = listAt(*ids_, ids_->integers, list_);
    labels_.clear();
    for (std::size_t i = 0; i < layout_.bindings.size(); ++i)
      if (std::string fault = takeShare(i, found); !fault.empty()) {
        keep(place(), info(layout_.bindings[i].role).name, std::move(fault));
        return false;
      }
    found.labels = labels_;
    out = {};
    out.at = place();
    if (!isOfLines_)
      out.at.line = 0;
    std::string field;
    std::string fault = assembler_.assemble(found, out, report_, field);
    if (fault.empty()) {
      for (const auto& [column, counts] :
           {std::pair(train_, &report_.train), std::pair(infer_, &report_.infer)})
        if (column)
          column->count(list_, *counts);
      ++list_;
      return true;
    }
    keep(out.at, field, std::move(fault));
    return false;
  }
  /// A text that all tokens have, which may be a number in quotes.
  std::string takeVersion(const Column& column, ResponseFields& found) {
    const std::span<const std::string> share = shareOf(&column, column.words);
    if (share.empty() || !column.numbers.empty())
      return "expected one text for each response, or one for all";
    if (std::adjacent_find(share.begin(), share.end(), std::not_equal_to<>()) == share.end())
      found.versionText = share.front();
    else
      ++report_.unknownValues;
    return {};
  }
  std::string takeShare(std::size_t i, ResponseFields& found) {
    const Binding& binding = layout_.bindings[i];
    const Column* const column = fields_.column(i);
    const RoleKind kind = info(binding.role).kind;
    if (kind == RoleKind::Mixed && column && !column->words.empty())
      return takeVersion(*column, found);
    if (kind == RoleKind::Words)
      return takeWords(i, found);
    if ((kind == RoleKind::Numbers || kind == RoleKind::Mixed) && column) {
      const std::span<const double> share = shareOf(column, column->numbers);
      const bool isOne = binding.role == Role::Length || binding.role == Role::Kept;
      if (isOne && share.empty() && (column->numbers.empty() || column->ends.size() == lists_))
        return "expected one number, found an empty list";
      if (share.empty() && !column->numbers.empty() && column->ends.size() != lists_)
        return fmt::format("it has {} values, but the record has {} responses",
                           column->numbers.size(), lists_);
      found.numbers[static_cast<std::size_t>(binding.role)] = share;
    }
    return {};
  }
  /// Takes the first field that has a value; of a list by token, the value that all tokens share.
  /// Two fields may not state different values of a setting.
  std::string takeWords(std::size_t i, ResponseFields& found) {
    const Binding& binding = layout_.bindings[i];
    const bool isCompared = binding.role == Role::Label && isSetting(binding.label);
    const Column* taken = nullptr;
    std::string_view word;
    for (std::size_t after = 0; const Column* const column = fields_.column(i, after); ++after) {
      const std::span<const std::string> words = shareOf(column, column->words);
      if (words.empty() || words.front().empty())
        continue;
      const bool isOne =
          std::adjacent_find(words.begin(), words.end(), std::not_equal_to<>()) == words.end();
      if (taken && isOne && !isSameWord(word, words.front()))
        return fmt::format("{} is {}, but {} is {}", utf8::ticked(taken->path), utf8::ticked(word),
                           utf8::ticked(column->path), utf8::ticked(words.front()));
      if (!taken && isOne) {
        taken = column;
        word = words.front();
      }
      if (!isCompared)
        break;
    }
    if (!taken)
      return {};
    if (binding.role != Role::Key) {
      labels_.push_back({binding.label, word});
      return {};
    }
    // Responses that share a key are told apart by their places.
    const bool isShared = lists_ > 1 && taken->words.size() == 1;
    key_ = isShared ? fmt::format("{}#{}", word, list_) : std::string(word);
    found.key = key_;
    return {};
  }

  std::string_view file_;
  std::uint64_t begin_;
  bool isOfLines_; // else several responses may be on one
  LineCounts* lines_;
  std::size_t piece_;
  const Layout& layout_;
  DataLimits limits_;
  std::unique_ptr<Digest> digest_;
  std::unique_ptr<PartOfFile> part_;
  Records records_;
  FieldReader fields_;
  Assembler assembler_;
  RecordText record_;
  const Column *train_ = nullptr, *infer_ = nullptr, *mask_ = nullptr, *ids_ = nullptr;
  std::size_t list_ = 0, lists_ = 0;
  std::string key_;
  std::vector<LabelValue> labels_;
  bool hasEnded_ = false;
};

} // namespace

std::unique_ptr<PieceReader> textReader(TextOfPiece from, const Layout& layout,
                                        const DataLimits& limits) {
  return std::make_unique<TextReader>(std::move(from), layout, limits);
}

} // namespace tikc::data
