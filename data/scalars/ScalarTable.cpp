#include "data/scalars/ScalarBuilder.h"
#include "support/Utf8.h"

#include <fmt/format.h>
#include <llvm/ADT/StringExtras.h>

#include <algorithm>
#include <optional>

namespace tikc::data {
namespace {

/// The cells of a row, whose quotes are closed.
std::vector<std::string> cellsOf(std::string_view line) {
  std::vector<std::string> out(1);
  bool isQuoted = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const char character = line[i];
    if (character == '"' && isQuoted && i + 1 < line.size() && line[i + 1] == '"')
      out.back() += line[++i];
    else if (character == '"')
      isQuoted = !isQuoted;
    else if (character == ',' && !isQuoted)
      out.emplace_back();
    else
      out.back() += character;
  }
  return out;
}

/// A row of the table. Quotes may contain line breaks.
struct TableRow {
  std::string text;
  std::uint64_t line = 0;
  std::string fault;
};

std::optional<TableRow> nextRow(Records& lines) {
  constexpr std::size_t longest = 1 << 20; // bytes; a row of numbers needs far less
  std::optional<TableRow> out;
  for (bool isQuoted = false; !out || isQuoted;) {
    const auto record = lines.next();
    if (!record) {
      if (out)
        out->fault = "unterminated quote";
      return out;
    }
    if (out)
      out->text += '\n';
    else
      out = TableRow{{}, record->line, {}};
    llvm::StringRef text = record->text;
    text.consume_back("\r");
    out->text += text;
    out->fault = !record->fault.empty()                   ? record->fault
                 : text.contains('\r')                    ? "a carriage return without a line feed"
                 : out->text.size() > longest && isQuoted ? "unterminated quote"
                                                          : "";
    if (!out->fault.empty())
      return out;
    isQuoted ^= text.count('"') % 2 != 0;
  }
  return out;
}

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
  while (const auto row = nextRow(lines)) {
    if (!row->fault.empty())
      return fmt::format("line {}: {}", row->line, row->fault);
    const std::vector<std::string> cells = cellsOf(row->text);
    std::string fault = isHead ? table.head(cells) : table.row(cells, row->line);
    if (!fault.empty())
      return fault;
    isHead = false;
  }
  if (!lines.fault().empty())
    return lines.fault();
  return isHead ? "it is empty" : "";
}

} // namespace tikc::data
