#include "data/Fault.h"
#include "data/scalars/ScalarBuilder.h"
#include "support/Utf8.h"

#include <fmt/format.h>
#include <llvm/ADT/StringExtras.h>

#include <algorithm>
#include <optional>

namespace tikc::data {
namespace {

constexpr std::size_t mostColumns = 1 << 16, longestRow = 1 << 24; // bytes

/// A row of the table, as RFC 4180 has it: quotes that open a cell may contain commas, doubled
/// quotes and line breaks.
struct TableRow {
  std::vector<std::string> cells = std::vector<std::string>(1);
  std::uint64_t line = 0;
  std::string fault;
  bool isOpen = false; // its line has no end
};

class RowReader {
public:
  RowReader(Records& lines, std::size_t mostCells) : lines_(lines), mostCells_(mostCells) {}

  std::optional<TableRow> read() {
    while (const auto record = lines_.next()) {
      if (size_ == 0)
        row_.line = record->line;
      row_.isOpen = record->isOpen;
      llvm::StringRef text = record->text;
      text.consume_back("\r");
      size_ += text.size() + 1;
      row_.fault = !record->fault.empty() ? record->fault
                   : size_ > longestRow
                       ? fmt::format("a row is longer than {}", inBytes(longestRow))
                       : take(text);
      if (!row_.fault.empty() || place_ != Place::Quoted)
        return std::move(row_);
      row_.cells.back() += '\n';
    }
    if (size_ == 0)
      return std::nullopt;
    row_.fault = "unterminated quote";
    return std::move(row_);
  }

private:
  enum class Place : std::uint8_t { Start, Plain, Quoted, Closed };

  std::string take(std::string_view text) {
    for (const char each : text) {
      if (each == '\r')
        return "a carriage return without a line feed";
      const bool isQuote = each == '"';
      if (place_ == Place::Quoted && isQuote) {
        place_ = Place::Closed;
      } else if (each == ',' && place_ != Place::Quoted) {
        if (row_.cells.size() == mostCells_)
          return fmt::format("expected at most {} cells, found more", mostCells_);
        row_.cells.emplace_back();
        place_ = Place::Start;
      } else if (isQuote && place_ == Place::Start) {
        place_ = Place::Quoted;
      } else if (place_ == Place::Closed && !isQuote) {
        return "text after a closing quote";
      } else {
        row_.cells.back() += each;
        place_ = place_ == Place::Start    ? Place::Plain
                 : place_ == Place::Closed ? Place::Quoted
                                           : place_;
      }
    }
    return "";
  }

  Records& lines_;
  std::size_t mostCells_, size_ = 0;
  Place place_ = Place::Start;
  TableRow row_;
};

constexpr std::string_view extremes[] = {"__MIN", "__MAX"};

bool isOfExtremes(std::string_view column) {
  return column.ends_with(extremes[0]) || column.ends_with(extremes[1]);
}

/// Weights & Biases names a column "RUN - NAME", and has its extremes beside it.
std::string nameOfColumn(std::string_view column) {
  if (isOfExtremes(column))
    return "";
  const std::size_t at = column.rfind(" - ");
  return std::string(at == std::string_view::npos ? column : column.substr(at + 3));
}

/// A decimal, or what loggers write for a number that is not finite.
std::optional<double> numberIn(llvm::StringRef cell) {
  double out = 0;
  const bool isHexadecimal = cell.contains_insensitive("0x");
  if (isHexadecimal || cell.contains('\0') || !llvm::to_float(cell, out))
    return std::nullopt;
  return out;
}

class ScalarTable {
public:
  ScalarTable(std::string_view stem, ScalarBuilder& into) : stem_(stem), into_(into) {}

  std::string head(const std::vector<std::string>& columns) {
    for (const std::string& each : columns) {
      const std::string name = nameOfColumn(each);
      if (into_.isWanted(name) && std::find(names_.begin(), names_.end(), name) != names_.end())
        return fmt::format("line 1: `{}` has two columns", utf8::printable(name));
      names_.push_back(name);
      if (isOfExtremes(each) &&
          into_.isWanted(nameOfColumn(each.substr(0, each.size() - extremes[0].size()))))
        into_.passOver(each);
    }
    const bool isOfTensorBoard =
        columns.size() == 3 && columns[1] == "Step" && columns[2] == "Value";
    if (isOfTensorBoard)
      names_ = {"", "Step", nameOfFile(stem_)};
    const auto step = std::find_if(names_.begin(), names_.end(), isStepName);
    if (step == names_.end())
      return "line 1: no step column";
    if (std::find(step + 1, names_.end(), *step) != names_.end())
      return fmt::format("line 1: `{}` has two columns", utf8::printable(*step));
    step_ = static_cast<std::size_t>(step - names_.begin());
    return "";
  }

  std::size_t columns() const { return names_.size(); }

  std::string row(const std::vector<std::string>& cells, std::uint64_t line) {
    if (cells.size() != names_.size())
      return fmt::format("line {}: expected {} cells, found {}", line, names_.size(), cells.size());
    const std::optional<double> step = numberIn(cells[step_]);
    if (!step)
      return fmt::format("line {}: the step is not a number", line);
    into_.beginRecord();
    for (std::size_t i = 0; i < cells.size(); ++i) {
      // An empty cell is a step at which this was not logged.
      if (i == step_ || names_[i].empty() || cells[i].empty())
        continue;
      const std::optional<double> value = numberIn(cells[i]);
      if (!value) {
        if (into_.isWanted(names_[i]))
          return fmt::format("line {}: `{}`: expected a number, found {}", line, names_[i],
                             utf8::ticked(cells[i]));
        continue;
      }
      into_.add(names_[i], *step, *value, line);
    }
    return "";
  }

private:
  std::string_view stem_;
  ScalarBuilder& into_;
  std::vector<std::string> names_;
  std::size_t step_ = 0;
};

} // namespace

std::string readScalarTable(Records lines, std::string_view stem, ScalarBuilder& into) {
  ScalarTable table(stem, into);
  bool isHead = true;
  while (const auto row = RowReader(lines, isHead ? mostColumns : table.columns()).read()) {
    if (!row->fault.empty())
      return fmt::format("line {}: {}", row->line, row->fault);
    std::string fault = isHead ? table.head(row->cells) : table.row(row->cells, row->line);
    if (!fault.empty())
      return fault;
    if (row->isOpen)
      into.noteOpenEnd();
    isHead = false;
  }
  if (!lines.fault().empty())
    return lines.fault();
  return isHead ? "it is empty" : "";
}

} // namespace tikc::data
