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

/// The fields of a response as a reader found them, before checks.
struct ResponseFields {
  std::optional<std::span<const float>> train, infer;
  std::span<const double> trainWritten, inferWritten; // as in `Response`
  std::optional<std::span<const std::uint8_t>> mask;
  std::optional<std::span<const std::int64_t>> ids;
  /// By Role; a list if given by token.
  std::array<std::span<const double>, 32> numbers{};
  std::string_view key, versionText;
  std::span<const LabelValue> labels;
  bool isPossible = false; // as in `Response`
};

/// Shifts the trainer's values by `shift` tokens relative to the other fields. Values from a masked
/// place are dropped. `mask` keeps the mask that the response then points to.
void applyShift(std::int64_t shift, Response& out, std::vector<std::uint8_t>& mask,
                PieceReport& report);

/// Returns the step in the name of a file or of one of its folders, such as `step_120` or
/// `step120`; of several, the last.
std::optional<double> stepInName(std::string_view path);

/// The place of a whole row among the rows of its response.
struct RowOf {
  std::uint64_t place = 0;
  std::uint64_t places = 0; // 0 if unknown
  bool hasOwnPosition = false;
};

/// Makes a response of its fields: drops the entries that the layout excludes, and checks lengths.
/// Use one per piece.
class Assembler {
public:
  /// `isRectangular`: lists are rows of an array, so that trailing zeros are padding.
  Assembler(const Layout& layout, bool isRectangular)
      : layout_(layout), trimsZeros_(isRectangular || layout.traps.isPadded) {}

  /// Returns why there is no response, or an empty text. `field` receives the field at fault.
  std::string assemble(const ResponseFields& fields, Response& out, PieceReport& report,
                       std::string& field);

  /// Makes a whole row. Returns false if there is none; `fault` then has the reason, if a fault is
  /// the reason.
  bool assembleRow(const ResponseFields& fields, const RowOf& where, RowPair& out,
                   PieceReport& report, std::string& field, std::string& fault);

private:
  std::string takeTokens(const ResponseFields& fields, Response& out, PieceReport& report,
                         std::string& field);
  void trim(Response& out, PieceReport& report);
  void leaveOutFront(Response& out, PieceReport& report);
  void dropPrompt(Response& out, PieceReport& report);
  /// Finds where the padding begins, and whether the response counts at all.
  std::string takeEnd(const ResponseFields& fields, std::uint64_t written, std::string& field);
  static std::string whyNoStep(const ResponseFields& fields, std::string& field);
  std::optional<double> stepOf(const ResponseFields& fields, const Response& response,
                               std::string_view file, PieceReport& report);
  static std::string takePosition(const ResponseFields& fields, Response& out, std::string& field);
  std::optional<double> numberOf(const ResponseFields& fields, Role role, const Response& response,
                                 PieceReport& report) const;
  /// Returns the least and greatest counted value of a list by token.
  std::optional<HandedIn::Ends> endsOf(const ResponseFields& fields, Role role,
                                       const Response& response) const;

  const Layout& layout_;
  bool trimsZeros_;
  std::optional<std::uint64_t> length_; // as written
  bool isKept_ = true;
  std::vector<std::uint8_t> nothing_, mask_, shifted_;
  std::string_view file_;
  std::optional<double> stepOfFile_; // of file_
};

} // namespace tikc::data
