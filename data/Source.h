#pragma once

#include "data/Limits.h"
#include "data/Report.h"
#include "data/Response.h"
#include "data/pairing/Layout.h"

#include <llvm/ADT/FunctionExtras.h>
#include <llvm/ADT/STLFunctionalExtras.h>
#include <llvm/Support/Error.h>

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

/// Recorded data: what was written down of two sides, in whatever form, as responses and rows.
namespace tikc::data {

struct Options {
  /// With a join the first is of the trainer's file and the second of the server's; one is of both.
  std::vector<std::string> presets;
  std::string map;
  std::int64_t shift = 0;
  /// The field that two files are joined on; empty where each file has both sides.
  std::string join;
  std::size_t vocabulary = 0; // of raw rows, which do not say it
  /// Labels that are fields of that name, where nothing else is said of them.
  std::vector<std::string> labels;
  /// Whether more threads than those that read pieces may unpack what is packed.
  bool readsAhead = false;
  DataLimits limits;
};

/// Reads one piece from its begin to its end; what it gives lives until it is asked again.
class PieceReader {
public:
  virtual ~PieceReader() = default;
  /// False at the end. A record with a fault is passed over, and is in the report.
  virtual bool next(Response&) { return false; }
  virtual bool nextRow(RowPair&) { return false; }
  const PieceReport& report() const { return report_; }
  /// Of the bytes that were read and where in their file they were; once the end was reached.
  virtual PieceId id() = 0;
  /// The same of all that there is, of which nothing is given; then nothing is left to read.
  virtual PieceId skim();
  /// Which piece of a source it is, for places.
  void setNumber(std::uint64_t piece) { number_ = piece; }

protected:
  PieceReport report_;
  std::uint64_t number_ = 0;
};

/// Files that are read together, and how they are cut: part of what a piece is, so the same for the
/// same files whoever reads them.
class Input {
public:
  virtual ~Input() = default;
  virtual std::span<const std::string> files() const = 0;
  /// "JSON lines, gzip"
  virtual std::string form() const = 0;
  virtual std::uint64_t bytes() const = 0;
  virtual Survey survey() const = 0;
  virtual std::size_t pieces(const Layout& layout) const = 0;
  virtual std::unique_ptr<PieceReader> read(std::size_t piece, const Layout& layout) const = 0;
  virtual bool canReadAgain() const { return true; }
  /// Lines of the file before a piece; 0 where places have those of the file.
  virtual std::uint64_t linesBefore(std::size_t) const { return 0; }
};

class Source {
public:
  /// Paths, globs, and `-` for standard input. Every file is opened, or none is read.
  static llvm::Expected<Source> open(std::span<const std::string> paths, const Options& options);

  Source(Source&&) noexcept;
  Source& operator=(Source&&) noexcept;
  ~Source();

  std::span<const std::unique_ptr<Input>> inputs() const { return inputs_; }
  /// Of the first input.
  const Survey& survey() const { return surveys_.front(); }
  /// How each input is read: as was said, else by the preset that it looks like, else as the first
  /// that looks like one. Without any it has no bindings, and nothing can be read.
  std::span<const Layout> layouts() const { return layouts_; }
  /// Of the first input.
  const Layout& layout() const { return layouts_.front(); }
  bool wasRecognised() const { return wasRecognised_; }
  /// Files that were named twice, of which one reading counts.
  std::span<const std::string> repeated() const { return repeated_; }

  /// An array that a known writer has a side's numbers in and that is not read, since others of its
  /// input are: log-probs beside whole rows, or the other way round.
  struct PassedOver {
    std::string name;
    std::string_view read; // "whole rows"
  };
  std::vector<PassedOver> passedOver() const;

  /// Pieces may be read at the same time.
  std::size_t pieces() const;
  std::unique_ptr<PieceReader> read(std::size_t piece) const;
  bool canReadAgain(std::size_t piece) const;
  /// Whether a piece before it may have the same bytes: one of another input, as it is of bytes and
  /// of where in its file they are.
  bool mayBeCopy(std::size_t piece) const { return pieceAt(piece).first != 0; }
  /// With the line of its file.
  Place located(Place place) const;
  Fault located(Fault fault) const;

private:
  Source() = default;
  static llvm::Expected<Source> openJoined(std::span<const std::string> paths,
                                           const Options& options);
  /// Of an input, and in it.
  std::pair<std::size_t, std::size_t> pieceAt(std::size_t piece) const;
  llvm::Error decideLayouts(const Options& options);
  /// After the last change to a layout, on which the pieces of arrays depend.
  void countPieces();

  std::vector<std::unique_ptr<Input>> inputs_;
  std::vector<std::string> repeated_;
  std::vector<Survey> surveys_; // of each input
  std::vector<Layout> layouts_; // of each input
  /// By input, how many pieces there are up to its end. A source may have many inputs, and each
  /// piece and each place asks for its own.
  std::vector<std::size_t> pieceEnds_;
  bool wasRecognised_ = false;
};

/// Reads every piece, from up to `jobs` threads at a time. What `work` made of one is handed over
/// by what it returns, called for one piece after the other in their order, so that the number of
/// threads changes nothing. The reader lives until then.
using HandOver = llvm::unique_function<void()>;
void forEachPiece(const Source& source, unsigned jobs,
                  llvm::function_ref<HandOver(std::size_t piece, PieceReader& reader)> work);

/// The same for work that hands over parts of a piece before all of it is read.
class Turn {
public:
  /// Whether everything of the pieces before was handed over, and nothing of others is.
  virtual bool hasCome() = 0;
  virtual void await() = 0;

protected:
  ~Turn() = default;
};
void forEachPieceInTurn(
    const Source& source, unsigned jobs,
    llvm::function_ref<HandOver(std::size_t piece, PieceReader& reader, Turn& turn)> work);

} // namespace tikc::data
