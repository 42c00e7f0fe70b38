#pragma once

#include "data/Limits.h"
#include "data/Report.h"
#include "data/Response.h"
#include "data/pairing/Layout.h"

#include <llvm/ADT/FunctionExtras.h>
#include <llvm/ADT/STLFunctionalExtras.h>
#include <llvm/Support/Error.h>

#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

/// Recorded data: the responses and rows of two sides, in any supported format.
namespace tikc::data {

struct Options {
  /// For a join, the first is for the trainer's file and the second for the server's; a single one
  /// is for both.
  std::vector<std::string> presets;
  std::string map;
  std::int64_t shift = 0;
  /// The field that two files are joined on; empty if each file has both sides.
  std::string join;
  /// Whether the files are one side of a join, so that both sides may have fields of one name.
  bool isOneSide = false;
  std::size_t vocabulary = 0; // for raw rows, which do not state it
  /// Labels whose field has the same name, unless the map binds them otherwise.
  std::vector<std::string> labels;
  /// Whether extra threads may unpack compressed files.
  bool readsAhead = false;
  DataLimits limits;
};

/// Reads a piece from start to end. What it returns lives until the next call.
class PieceReader {
public:
  virtual ~PieceReader() = default;
  /// Returns false at the end. Records with faults are skipped and reported.
  virtual bool next(Response&) { return false; }
  virtual bool nextRow(RowPair&) { return false; }
  const PieceReport& report() const { return report_; }
  /// Returns the piece's id: a digest of its bytes and of their place in the file. Requires that
  /// the end was reached.
  virtual PieceId id() = 0;
  /// Returns the id of the whole piece without reading records; nothing is left to read afterwards.
  virtual PieceId skim();
  /// Sets the index of the piece in its source, for places.
  void setNumber(std::uint64_t piece) { number_ = piece; }

protected:
  PieceReport report_;
  std::uint64_t number_ = 0;
};

/// Files that are read together, cut into pieces. The cut is part of a piece's identity, so it
/// depends only on the files.
class Input {
public:
  virtual ~Input() = default;
  virtual std::span<const std::string> files() const = 0;
  /// Returns the format, such as "JSON lines, gzip".
  virtual std::string form() const = 0;
  virtual std::uint64_t bytes() const = 0;
  virtual Survey survey() const = 0;
  virtual std::size_t pieces(const Layout& layout) const = 0;
  virtual std::unique_ptr<PieceReader> read(std::size_t piece, const Layout& layout) const = 0;
  virtual bool canReadAgain() const { return true; }
  /// Returns the number of lines of the file before a piece, or 0 if places already use lines of
  /// the file.
  virtual std::uint64_t linesBefore(std::size_t) const { return 0; }
  /// Returns an error if what was read has another checksum than its file states.
  virtual llvm::Error whyDamaged() const { return llvm::Error::success(); }
};

class MappedFile;

class Source {
public:
  /// Opens paths, globs, and `-` for standard input. Every file is opened, or none is read.
  static llvm::Expected<Source> open(std::span<const std::string> paths, const Options& options);

  Source(Source&&) noexcept;
  Source& operator=(Source&&) noexcept;
  ~Source();

  std::span<const std::unique_ptr<Input>> inputs() const { return inputs_; }
  /// The survey of the first input.
  const Survey& survey() const { return surveys_.front(); }
  /// The layout of each input: the requested one, else the preset that the input resembles, else
  /// that of the first input that resembles one. A layout without bindings cannot be read.
  std::span<const Layout> layouts() const { return layouts_; }
  /// The layout of the first input.
  const Layout& layout() const { return layouts_.front(); }
  bool wasRecognised() const { return wasRecognised_; }
  /// Files that were named twice; they are read once.
  std::span<const std::string> repeated() const { return repeated_; }

  /// A recognised array that is not read because other arrays of its input are: log-probs next to
  /// whole rows, or the other way round.
  struct PassedOver {
    std::string name;
    std::string_view read; // what is read, such as "whole rows"
  };
  std::vector<PassedOver> passedOver() const;

  /// Returns an error if a file was rewritten since it was opened, or is damaged. Call it once all
  /// is read.
  llvm::Error whyNotIntact() const;
  /// Returns whether a file of the piece was.
  bool isRewritten(std::size_t piece) const;
  /// The files that a piece is in.
  std::span<const std::string> filesOf(std::size_t piece) const;

  /// The number of pieces, which may be read in parallel.
  std::size_t pieces() const;
  std::unique_ptr<PieceReader> read(std::size_t piece) const;
  bool canReadAgain(std::size_t piece) const;
  /// Returns whether an earlier piece may have the same id. Only a piece of an earlier input can:
  /// ids depend on bytes and on their place in the file.
  bool mayBeCopy(std::size_t piece) const { return pieceAt(piece).first != 0; }
  /// Converts the line of a piece to a line of its file.
  Place located(Place place) const;
  Fault located(Fault fault) const;

private:
  Source() = default;
  static llvm::Expected<Source> openJoined(std::span<const std::string> paths,
                                           const Options& options);
  /// Returns the input of a piece, and the piece's index in it.
  std::pair<std::size_t, std::size_t> pieceAt(std::size_t piece) const;
  llvm::Error decideLayouts(const Options& options);
  /// Counts the pieces. Call it after the last change to a layout, since the pieces of arrays
  /// depend on it.
  void countPieces();

  std::vector<std::unique_ptr<Input>> inputs_;
  std::map<std::string, std::shared_ptr<const MappedFile>> files_; // by name, as given
  std::vector<std::string> repeated_;
  std::vector<Survey> surveys_; // by input
  std::vector<Layout> layouts_; // by input
  /// The cumulative number of pieces, by input. A source may have many inputs, and lookups are
  /// frequent.
  std::vector<std::size_t> pieceEnds_;
  bool wasRecognised_ = false;
};

/// Reads every piece on up to `jobs` threads. `work` returns a function that hands over its result;
/// these are called in the order of the pieces, so the number of threads changes nothing. The
/// reader lives until then.
using HandOver = llvm::unique_function<void()>;
void forEachPiece(const Source& source, unsigned jobs,
                  llvm::function_ref<HandOver(std::size_t piece, PieceReader& reader)> work);

/// Lets work hand over parts of a piece before it has read the whole piece.
class Turn {
public:
  /// Returns whether it is this piece's turn: all earlier pieces were handed over, and no other one
  /// is being handed over.
  virtual bool hasCome() = 0;
  virtual void await() = 0;

protected:
  ~Turn() = default;
};
void forEachPieceInTurn(
    const Source& source, unsigned jobs,
    llvm::function_ref<HandOver(std::size_t piece, PieceReader& reader, Turn& turn)> work);

} // namespace tikc::data
