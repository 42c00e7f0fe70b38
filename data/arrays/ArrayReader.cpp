#include "data/arrays/ArrayReader.h"

#include "data/arrays/LogprobRow.h"
#include "data/bytes/Crc32.h"
#include "data/bytes/Digest.h"
#include "data/pairing/Assembler.h"
#include "data/pairing/Words.h"
#include "support/Utf8.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace tikc::data {
namespace {

std::optional<number_format> formatOf(ElementType type) {
  switch (type) {
  case ElementType::F32:
    return number_format::fp32;
  case ElementType::F16:
    return number_format::fp16;
  case ElementType::BF16:
    return number_format::bf16;
  case ElementType::E4M3:
    return number_format::fp8_e4m3;
  case ElementType::E5M2:
    return number_format::fp8_e5m2;
  default:
    return std::nullopt;
  }
}

/// Returns the power of 2 up to which a floating type represents every integer.
double exactWholeOf(ElementType type) {
  switch (type) {
  case ElementType::F32:
    return 0x1p24;
  case ElementType::F16:
    return 0x1p11;
  case ElementType::BF16:
    return 0x1p8;
  case ElementType::E4M3:
    return 0x1p4;
  case ElementType::E5M2:
    return 0x1p3;
  default:
    return exactWhole;
  }
}

class ArrayReader final : public PieceReader {
public:
  ArrayReader(std::string_view file, const ArrayPlan& plan, const Layout& layout,
              const DataLimits& limits, ArraySums& sums, std::uint64_t begin, std::uint64_t end)
      : file_(file), plan_(plan), layout_(layout), limits_(limits), sums_(sums), end_(end),
        at_(begin), forgotten_(begin), digested_(begin), assembler_(layout, true),
        digest_(limits.digestsBytes) {
    digest_.add(begin);
    for (std::size_t i = 0; i < layout.bindings.size(); ++i)
      if (const Array* const array = plan.bound(i)) {
        report_.found.emplace(nameOf(layout.bindings[i]));
        const RoleKind kind = info(layout.bindings[i].role).kind;
        const bool isOfOther = plan.isOfRows() ? kind == RoleKind::Tokens : kind == RoleKind::Rows;
        if (array->count() != 0 && !isOfOther)
          read_.push_back(array);
      }
    read_.insert(read_.end(), plan.otherMasks().begin(), plan.otherMasks().end());
    summed_.resize(read_.size());
    for (const Array* each : read_)
      digest_.add(
          fmt::format("{} {} {}\n", each->name, nameOf(each->type), fmt::join(each->shape, ",")));
  }

  ~ArrayReader() override {
    for (const Array* each : read_)
      if (each->mapped && forgotten_ < end_)
        each->mapped->leave(bytesOfRows(*each, forgotten_, end_));
  }
  ArrayReader(const ArrayReader&) = delete;
  ArrayReader& operator=(const ArrayReader&) = delete;

  bool next(Response& out) override {
    if (!isOpen() || plan_.isOfRows())
      return false;
    while (at_ < end_) {
      comeToRow();
      if (takeResponse(out, at_++))
        return true;
    }
    return false;
  }
  bool nextRow(RowPair& out) override {
    if (!isOpen() || !plan_.isOfRows())
      return false;
    while (at_ < end_) {
      comeToRow();
      if (takeRow(out, at_++))
        return true;
    }
    return false;
  }
  PieceId id() override { return digest_.id(); }
  PieceId skim() override {
    for (; at_ < end_; at_ = digested_)
      comeToRow();
    return id();
  }

private:
  bool isOpen() {
    if (plan_.fault().empty())
      return true;
    if (report_.faults.empty()) {
      ++report_.broken;
      report_.lost = faultAt({file_, number_, 0, 0, 0, {}}, plan_.fault());
      report_.faults.push_back(*report_.lost);
    }
    return false;
  }
  void comeToRow() {
    if (at_ == digested_)
      digestBlock();
    if (at_ < forgotten_ + std::max<std::uint64_t>(1, MappedFile::step / plan_.bytesOfRow()))
      return;
    for (const Array* each : read_)
      if (each->mapped)
        each->mapped->forget(bytesOfRows(*each, forgotten_, at_));
    forgotten_ = at_;
  }
  /// Takes the digest and the checksums of a block of each array in turn, so large that the digest
  /// needs no copy of it, and so small that its rows are still in the processor's cache when they
  /// are read.
  void digestBlock() {
    constexpr std::uint64_t blockBytes = std::uint64_t{128} << 10;
    const std::uint64_t end =
        std::min(end_, at_ + std::max<std::uint64_t>(1, blockBytes / plan_.bytesOfRow()));
    for (std::size_t i = 0; i < read_.size(); ++i) {
      const std::string_view bytes = bytesOfRows(*read_[i], at_, end);
      digest_.add(bytes);
      if (read_[i]->checksum)
        sum(i, bytes, end == end_);
    }
    digested_ = end;
  }
  void sum(std::size_t which, std::string_view bytes, bool isLast) {
    const Array& array = *read_[which];
    Summed& part = summed_[which];
    auto handIn = [&] { sums_.take(array, part.begin, part.size, part.sum); };
    const auto begin = static_cast<std::uint64_t>(bytes.data() - array.bytes.data());
    if (begin != part.begin + part.size) {
      handIn();
      part = {begin, 0, 0};
    }
    part.sum = crc32Of(part.sum, bytes);
    part.size += bytes.size();
    if (isLast)
      handIn();
  }
  Place placeOf(std::uint64_t row, std::string_view field) const {
    const Array* const main = plan_.main();
    return {file_, number_, 0, main->offset + row * plan_.bytesOfRow(), row + 1, field};
  }
  /// What an array says of a response or a row.
  std::string_view bytesAt(const Array& array, std::uint64_t row) const {
    return bytesOfRows(array, row, row + 1);
  }
  /// What it says of several, where one part may be of many.
  std::string_view bytesOfRows(const Array& array, std::uint64_t begin, std::uint64_t end) const {
    const std::uint64_t parts = plan_.partsOf(array), rowsOfPart = plan_.rows() / parts;
    const std::uint64_t size = array.bytes.size() / parts, first = begin / rowsOfPart;
    return array.bytes.substr(first * size, ((end - 1) / rowsOfPart + 1 - first) * size);
  }
  bool refuse(std::uint64_t row, std::string_view field, std::string_view fault) {
    ++report_.broken;
    if (report_.faults.size() < limits_.faults)
      report_.faults.push_back(faultAt(placeOf(row, field), fmt::format("row {}: {}", row, fault)));
    return false;
  }
  row_view rowOf(const Array& array, std::uint64_t row, std::vector<float>& scratch) {
    const std::string_view bytes = bytesAt(array, row);
    if (const auto format = formatOf(array.type))
      return {bytes.data(), *format};
    scratch.resize(plan_.width());
    for (std::size_t i = 0; i < scratch.size(); ++i)
      scratch[i] =
          static_cast<float>(elementAt(array.type, bytes.data() + i * bytesOf(array.type)));
    return {scratch.data(), number_format::fp32};
  }

  bool takeResponse(Response& out, std::uint64_t row) {
    ++report_.records;
    ResponseFields found;
    ClassCounts ofTrain{}, ofInfer{};
    out = {};
    out.at = placeOf(row, {});
    const Array* const train = plan_.of(Role::Train);
    const Array* const infer = plan_.of(Role::Infer) ? plan_.of(Role::Infer) : plan_.of(Role::Side);
    if (train) {
      found.train = train_.read(*train, bytesAt(*train, row), ofTrain);
      found.trainWritten = train_.written();
    }
    if (infer) {
      found.infer = infer_.read(*infer, bytesAt(*infer, row), ofInfer);
      found.inferWritten = infer_.written();
    }
    found.isPossible = (!train || train_.isPossible()) && (!infer || infer_.isPossible());
    std::string field;
    std::string fault = takeMask(row, found);
    if (!fault.empty())
      field = plan_.of(Role::Mask)->name;
    std::string fieldOfRest, faultOfRest = takeRest(row, found, fieldOfRest);
    if (fault.empty()) {
      fault = std::move(faultOfRest);
      field = std::move(fieldOfRest);
    }
    if (fault.empty())
      fault = assembler_.assemble(found, out, report_, field);
    if (!fault.empty())
      return refuse(row, field, fault);
    addCounts(report_.train, ofTrain);
    addCounts(report_.infer, ofInfer);
    return true;
  }

  /// Where a row is in its response, and what of that is none.
  bool takeRow(RowPair& out, std::uint64_t row) {
    ++report_.records;
    out = {};
    out.at = placeOf(row, {});
    ResponseFields found;
    std::string fault = takeMask(row, found);
    if (!fault.empty())
      return refuse(row, plan_.of(Role::Mask)->name, fault);
    std::string field;
    fault = takeRest(row, found, field);
    if (!fault.empty())
      return refuse(row, field, fault);
    const Array* const position = plan_.of(Role::Position);
    const RowOf where{plan_.places() == 0 ? 0 : row % plan_.places(), plan_.places(),
                      position && position->count() == plan_.rows()};
    const bool isThere = assembler_.assembleRow(found, where, out, report_, field, fault);
    if (!fault.empty())
      return refuse(row, field, fault);
    if (!isThere)
      return false;
    out.train = rowOf(*plan_.of(Role::TrainRows), row, trainRow_);
    out.infer = rowOf(*plan_.of(Role::InferRows), row, inferRow_);
    out.vocabulary = plan_.width();
    // Zeros on both sides are what an array is filled up with, and no logits of two kernels.
    if (plan_.places() != 0 && !found.mask && isBlank(*plan_.of(Role::TrainRows), row) &&
        isBlank(*plan_.of(Role::InferRows), row)) {
      ++report_.padding;
      return false;
    }
    return true;
  }
  bool isBlank(const Array& array, std::uint64_t row) const {
    return bytesAt(array, row).find_first_not_of('\0') == std::string_view::npos;
  }
  std::string takeMask(std::uint64_t row, ResponseFields& found) {
    const Array* const mask = plan_.of(Role::Mask);
    if (!mask)
      return {};
    const std::string_view bytes = bytesAt(*mask, row);
    mask_.resize(bytes.size() / bytesOf(mask->type));
    std::string fault;
    for (std::size_t i = 0; i < mask_.size(); ++i) {
      const double value = elementAt(mask->type, bytes.data() + i * bytesOf(mask->type));
      if (value != 0 && value != 1 && fault.empty())
        fault = fmt::format("expected a mask of 0 or 1, found {1} at entry {0}", i, value);
      mask_[i] = value == 1;
    }
    for (const Array* other : plan_.otherMasks())
      if (!isMask(*other, bytesAt(*other, row)) && fault.empty())
        fault = differsFrom(other->name);
    found.mask = mask_;
    return fault;
  }
  bool isMask(const Array& other, std::string_view bytes) const {
    for (std::size_t i = 0; i < mask_.size(); ++i)
      if (elementAt(other.type, bytes.data() + i * bytesOf(other.type)) != mask_[i])
        return false;
    return true;
  }
  /// Reads what a response or a row states besides log-probs. Returns the first fault, of `field`;
  /// reads on behind it, because the digest needs every byte.
  std::string takeRest(std::uint64_t row, ResponseFields& found, std::string& field) {
    std::string fault;
    if (const Array* const ids = plan_.of(Role::Ids)) {
      const std::string_view bytes = bytesAt(*ids, row);
      ids_.resize(bytes.size() / bytesOf(ids->type));
      for (std::size_t i = 0; i < ids_.size(); ++i) {
        ids_[i] = integerAt(ids->type, bytes.data() + i * bytesOf(ids->type));
        if (ids->type == ElementType::U64 && ids_[i] < 0 && fault.empty()) {
          fault =
              fmt::format("expected ids below 2^63, found {}", static_cast<std::uint64_t>(ids_[i]));
          field = ids->name;
        }
      }
      found.ids = ids_;
    }
    numbers_.clear();
    labels_.clear();
    words_.clear();
    numbers_.reserve(layout_.bindings.size());
    words_.reserve(layout_.bindings.size());
    for (std::size_t i = 0; i < layout_.bindings.size(); ++i) {
      const Array* const array = plan_.bound(i);
      if (!array || array->count() == 0)
        continue;
      const Binding& binding = layout_.bindings[i];
      const RoleKind kind = info(binding.role).kind;
      std::string other;
      if (kind == RoleKind::Words || (kind == RoleKind::Mixed && !fitsDoubles(*array, row)))
        other = takeWords(*array, binding, row, found);
      else if (kind == RoleKind::Numbers || kind == RoleKind::Mixed)
        takeNumbers(*array, binding.role, row, found);
      if (fault.empty() && !other.empty()) {
        fault = std::move(other);
        field = array->name;
      }
    }
    found.labels = labels_;
    return fault;
  }
  /// Whether doubles hold the numbers of a row.
  bool fitsDoubles(const Array& array, std::uint64_t row) const {
    if (array.type != ElementType::I64 && array.type != ElementType::U64)
      return !isText(array.type);
    const std::string_view bytes = bytesAt(array, row);
    for (std::size_t at = 0; at < bytes.size(); at += array.entryBytes())
      if (std::abs(elementAt(array.type, bytes.data() + at)) >= exactWhole)
        return false;
    return true;
  }
  void takeNumbers(const Array& array, Role role, std::uint64_t row, ResponseFields& found) {
    const std::string_view bytes = bytesAt(array, row);
    numbers_.emplace_back();
    for (std::size_t at = 0; at < bytes.size(); at += bytesOf(array.type)) {
      const double number = elementAt(array.type, bytes.data() + at);
      const bool mayBeRounded = std::abs(number) >= exactWholeOf(array.type);
      // A time that its type may have rounded is not known.
      numbers_.back().push_back(!mayBeRounded        ? number
                                : role == Role::Step ? roundedStep
                                : role == Role::Time ? std::numeric_limits<double>::quiet_NaN()
                                                     : number);
    }
    found.numbers[static_cast<std::size_t>(role)] = numbers_.back();
  }
  std::string takeWords(const Array& array, const Binding& binding, std::uint64_t row,
                        ResponseFields& found) {
    const std::string_view bytes = bytesAt(array, row);
    const bool isKey = binding.role == Role::Key && layout_.isOneSide;
    const bool isIgnored = binding.role == Role::Label && isSetting(binding.label);
    std::optional<std::string> first;
    for (std::size_t at = 0; at < bytes.size(); at += array.entryBytes()) {
      std::optional<std::string> word = wordAt(array, bytes.data() + at);
      if (!word)
        return isIgnored ? "" : "the text has an invalid character";
      if (isKey && isFloating(array.type)) {
        auto key = keyOfNumber(elementAt(array.type, bytes.data() + at), exactWholeOf(array.type));
        if (!key)
          return fmt::format("expected text or a whole number that its type represents exactly as "
                             "key, found {}",
                             utf8::ticked(*word));
        word = std::move(key);
      }
      if (first && first != word) {
        report_.unknownValues += binding.role == Role::Version ? 1U : 0U;
        return isKey ? "expected one key per response, found several" : "";
      }
      first = std::move(word);
    }
    if (!first || first->empty())
      return {};
    words_.push_back(std::move(*first));
    if (binding.role == Role::Key)
      found.key = words_.back();
    else if (binding.role == Role::Version)
      found.versionText = words_.back();
    else
      labels_.push_back({binding.label, words_.back()});
    return {};
  }

  std::string_view file_;
  ArrayPlan plan_;
  const Layout& layout_;
  DataLimits limits_;
  ArraySums& sums_;
  std::uint64_t end_, at_, forgotten_, digested_;
  std::vector<const Array*> read_; // each array with something to read
  struct Summed {
    std::uint64_t begin = 0, size = 0;
    std::uint32_t sum = 0;
  };
  std::vector<Summed> summed_; // of those with a checksum, what was read in a row
  Assembler assembler_;
  Digest digest_;
  LogprobRow train_, infer_;
  std::vector<float> trainRow_, inferRow_;
  std::vector<std::uint8_t> mask_;
  std::vector<std::int64_t> ids_;
  std::vector<std::vector<double>> numbers_;
  std::vector<std::string> words_;
  std::vector<LabelValue> labels_;
};

} // namespace

std::unique_ptr<PieceReader> arrayReader(std::string_view file, const ArrayPlan& plan,
                                         const Layout& layout, const DataLimits& limits,
                                         ArraySums& sums, std::uint64_t begin, std::uint64_t end) {
  return std::make_unique<ArrayReader>(file, plan, layout, limits, sums, begin, end);
}

} // namespace tikc::data
