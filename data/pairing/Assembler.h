#pragma once

#include "data/Report.h"
#include "data/Response.h"
#include "data/pairing/Layout.h"

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tikc::data {

/// What a reader found of a response, before it is held together.
struct ResponseFields {
  std::optional<std::span<const float>> train, infer;
  std::span<const double> trainWritten, inferWritten; // as in `Response`
  std::optional<std::span<const std::uint8_t>> mask;
  std::optional<std::span<const std::int64_t>> ids;
  /// By Role; a list where it was given by token.
  std::array<std::span<const double>, 32> numbers{};
  std::string_view key, versionText;
  std::span<const LabelValue> labels;
};

/// The trainer's value `shift` places on is of the token that all else is of; a value from a place
/// that the mask leaves out is none. `mask` keeps what the response then points to.
void applyShift(std::int64_t shift, Response& out, std::vector<std::uint8_t>& mask,
                PieceReport& report);

/// The step in the name of a file or of a folder that it is in, as `step_120` or `step120`: of
/// several the last.
std::optional<double> stepInName(std::string_view path);

/// Where a whole row is among those of its response.
struct RowOf {
  std::uint64_t place = 0;
  std::uint64_t places = 0; // 0 where it is not known which rows are of one response
  bool hasOwnPosition = false;
};

/// Makes a response of its fields: takes away what the layout says is none, and holds lengths
/// together. One a piece.
class Assembler {
public:
  /// `isRectangular`: lists are rows of an array, so that zeros behind the end are padding.
  Assembler(const Layout& layout, bool isRectangular)
      : layout_(layout), trimsZeros_(isRectangular || layout.traps.isPadded) {}

  /// Why there is no response; empty where there is one. `field` is what the fault is of.
  std::string assemble(const ResponseFields& fields, Response& out, PieceReport& report,
                       std::string& field);

  /// The same of a whole row: false where it is none, and `fault` says so if one is why.
  bool assembleRow(const ResponseFields& fields, const RowOf& where, RowPair& out,
                   PieceReport& report, std::string& field, std::string& fault);

private:
  std::string takeTokens(const ResponseFields& fields, Response& out, PieceReport& report,
                         std::string& field);
  void trim(Response& out, PieceReport& report);
  void leaveOutFront(Response& out, PieceReport& report);
  void dropPrompt(Response& out, PieceReport& report);
  /// Where the padding begins, and whether the response counts at all.
  std::string takeEnd(const ResponseFields& fields, std::uint64_t written, std::string& field);
  std::optional<double> stepOf(const ResponseFields& fields, const Response& response,
                               std::string_view file, PieceReport& report);
  std::optional<double> numberOf(const ResponseFields& fields, Role role, const Response& response,
                                 PieceReport& report) const;
  /// Of a list by token the least and the greatest that count.
  std::optional<HandedIn::Ends> endsOf(const ResponseFields& fields, Role role,
                                       const Response& response) const;

  const Layout& layout_;
  bool trimsZeros_;
  std::optional<std::uint64_t> length_; // as it was written
  bool isKept_ = true;
  std::vector<std::uint8_t> nothing_, mask_, shifted_;
  std::string_view file_;
  std::optional<double> stepOfFile_; // of file_
};

} // namespace tikc::data
