#pragma once

#include "data/Report.h"
#include "data/bytes/Spilled.h"
#include "engine/LoadedTally.h"
#include "measure/Bytes.h"
#include "measure/Fragments.h"
#include "measure/Intake.h"
#include "measure/Rounds.h"

#include <llvm/ADT/STLFunctionalExtras.h>
#include <llvm/Support/Error.h>

#include <compare>
#include <cstdint>
#include <deque>
#include <filesystem>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/// What was observed of recorded data, kept by their pieces, so that it can be joined and judged
/// without them.
namespace tikc::measure {

/// What tallies keep and how they were cut: evidence that differs in it can never be joined.
struct EvidenceShape {
  std::string pair;
  std::uint64_t tallies = 0; // a digest of what a tally holds
  Rounds rounds;

  static EvidenceShape of(const MeasuredPlan& subject);
  friend bool operator==(const EvidenceShape&, const EvidenceShape&) = default;
};

/// Under what numbers were observed.
struct EvidenceOrigin {
  std::string contract, version, build, digest, stage;
  std::uint64_t fingerprint = 0;

  static EvidenceOrigin of(const MeasuredPlan& subject, std::string_view stage);
  void write(ByteWriter& to) const;
  static EvidenceOrigin read(ByteReader& from);
  /// "the build is `a` there, and `b` here", for each that matters; of one that only has another
  /// version nothing.
  std::vector<std::string> differencesFrom(const EvidenceOrigin& wanted) const;
  friend auto operator<=>(const EvidenceOrigin&, const EvidenceOrigin&) = default;
};

/// A piece of data, once.
struct EvidencePiece {
  /// Where it was found. Of a piece that was found twice the least of them counts, whichever came
  /// first, so that joining keeps no order.
  struct Finding {
    data::PieceId run; // the pieces that were read with it
    std::uint64_t place = 0;
    std::vector<std::string> files;
    std::uint64_t linesBefore = 0;
    bool isOfLines = false;

    friend auto operator<=>(const Finding&, const Finding&) = default;
  };

  data::PieceId id;
  std::size_t origin = 0;
  Finding found;
  /// What came in and its fragments, as `EvidenceContent` reads it: the same wherever it was found.
  std::string_view content;
  /// That it lies in, so that memory can be given back; nothing where it is in memory.
  const data::MappedFile* file = nullptr;
};

/// A fragment that has not been read from its bytes.
struct EvidenceFragment {
  std::uint64_t tokens = 0, responses = 0, rows = 0;
  std::uint64_t file = 0; // of the piece's
  std::optional<double> step, begins, ends;
  std::string_view tally;
};

/// Fragments as the bytes that evidence has of them.
class FragmentBytes {
public:
  /// Where they are settled, many bytes are kept in this folder, or in that of temporary files.
  explicit FragmentBytes(std::filesystem::path folder = {}) : bytes_(std::move(folder)) {}

  void add(const Fragment& of);
  /// From here on nobody reads fragments, so memory keeps only a few MiB of them.
  void settle() { bytes_.settle(); }
  /// Unless they were settled.
  std::vector<EvidenceFragment> read() const;
  llvm::Error each(llvm::function_ref<void(std::string_view step)> show) const {
    return bytes_.each(show);
  }
  std::uint64_t bytes() const { return bytes_.size(); }
  std::uint64_t size() const { return size_; }
  /// Of the fragments, each once.
  const std::vector<std::string_view>& files() const { return files_; }

private:
  data::SpilledBytes bytes_;
  std::uint64_t size_ = 0;
  std::vector<std::string_view> files_;
};

/// Reads the content of a piece, one fragment after the other: it may have one for each token.
class ContentReader {
public:
  /// Gives the memory of a mapped file back behind itself.
  ContentReader(std::string_view bytes, std::size_t files, const data::MappedFile* in = nullptr);
  explicit ContentReader(const EvidencePiece& piece)
      : ContentReader(piece.content, piece.found.files.size(), piece.file) {}

  /// False behind the last fragment, and where something is wrong.
  bool next();
  /// The one that was read last.
  const EvidenceFragment& fragment() const { return fragment_; }
  /// Of the fragments that were read.
  const Intake& intake() const { return intake_; }
  /// What stands behind the fragments; nothing where anything is wrong.
  std::optional<UnitTable> finish();

private:
  /// Of the bytes that are read; only whole steps, unless all of them are to be.
  void forget(std::size_t least);

  std::string_view bytes_; // that are not forgotten
  ByteReader from_;
  std::size_t files_;
  const data::MappedFile* in_;
  std::uint64_t left_ = 0;
  Intake intake_;
  EvidenceFragment fragment_;
};

struct EvidenceContent {
  Intake intake;
  UnitTable units; // empty where it is not known which tokens are of one response

  using Visit = llvm::function_ref<void(const EvidenceFragment&)>;
  static std::optional<EvidenceContent> read(ContentReader from, Visit visit = nullptr);
  static std::optional<EvidenceContent> read(const EvidencePiece& piece, Visit visit = nullptr) {
    return read(ContentReader(piece), visit);
  }
};

/// The bytes of a content in steps, wherever they are. Lives no longer than what it is made of.
class ContentBytes {
public:
  ContentBytes(const Intake& intake, const FragmentBytes& fragments, const UnitTable& units = {});
  /// That were written before.
  ContentBytes(std::string_view whole, const data::MappedFile* in) : whole_(whole), in_(in) {}

  std::uint64_t size() const;
  /// An error where fragments could not be kept.
  llvm::Error each(llvm::function_ref<void(std::string_view step)> show) const;

private:
  std::string head_, tail_; // before the fragments and behind them
  const FragmentBytes* fragments_ = nullptr;
  std::string_view whole_;
  const data::MappedFile* in_ = nullptr;
};

/// The pieces are in the order of their ids, and the origins are those that pieces have, in theirs:
/// so the same pieces are the same bytes, however they came together.
struct Evidence {
  EvidenceShape shape;
  std::vector<EvidenceOrigin> origins;
  std::vector<EvidencePiece> pieces;
  /// What the contents lie in.
  std::vector<std::shared_ptr<const void>> kept;

  /// Looks at all of it but at what tallies hold; `name` is told where something is wrong.
  static llvm::Expected<Evidence> read(std::string_view bytes, std::string_view name,
                                       const data::MappedFile* in = nullptr);
  static bool isIn(std::string_view bytes);
  std::string bytes() const;
};

/// The bytes of evidence in parts, one behind the other: contents stay where they lie. Lives no
/// longer than the evidence.
class EvidenceParts {
public:
  explicit EvidenceParts(const Evidence& of);

  std::size_t size() const;
  /// Shows all bytes in steps, until one is not taken: false then.
  bool each(llvm::function_ref<bool(std::string_view step)> take) const;

private:
  struct Part {
    std::string_view bytes;
    const data::MappedFile* in = nullptr;
  };
  void own(std::string part);

  std::deque<std::string> owned_;
  std::vector<Part> parts_; // all but the digest at the end
};

/// What was joined, by the name that it is told under.
struct NamedEvidence {
  std::string name;
  Evidence evidence;
};

/// Every piece once. Refuses what cannot be joined, and what is of another origin unless that is
/// allowed.
llvm::Expected<Evidence> joined(std::span<const NamedEvidence> all, bool allowsOther);

/// What of evidence is not what is wanted, a line for each origin.
std::vector<std::string> othersIn(const Evidence& evidence, const EvidenceOrigin& wanted);

/// The number of a contract's pair; of no name that of the first.
llvm::Expected<std::size_t> pairNamed(const plan::Plan& plan, const std::string& wanted);

/// Why evidence of a shape cannot be judged so.
llvm::Error whyNotJudged(const EvidenceShape& is, const MeasuredPlan& wanted);
/// A contract, as the evidence was observed.
llvm::Expected<MeasuredPlan> subjectOf(const plan::Plan& plan, const engine::LoadedPlan& loaded,
                                       const Evidence& evidence);

/// What is told of evidence as a whole.
struct EvidenceSummary {
  std::size_t pieces = 0, files = 0;
  Intake intake;
  std::optional<double> first, last; // seconds
  std::string text() const;          // "12 pieces of 3 files, seconds 100 to 400"
};
EvidenceSummary summaryOf(const Evidence& evidence);

/// Collects what a run observes, from several threads, each another piece.
class EvidenceCollector {
public:
  /// What memory should not keep is in this folder, or in that of temporary files.
  explicit EvidenceCollector(std::size_t pieces, std::filesystem::path folder = {})
      : each_(pieces), contents_(std::move(folder)) {}
  ~EvidenceCollector() { llvm::consumeError(std::move(fault_)); }

  void take(std::size_t piece, const data::PieceId& id, std::vector<std::string> files,
            const ContentBytes& content);
  /// An error where contents could not be kept.
  llvm::Expected<Evidence> finish(EvidenceShape shape, EvidenceOrigin origin,
                                  std::span<const PieceOrigin> pieces);

private:
  struct Collected {
    data::PieceId id;
    std::vector<std::string> files;
    std::uint64_t begin = 0, size = 0; // of its content
  };
  std::vector<Collected> each_;
  std::mutex mutex_; // of what follows
  data::SpilledBytes contents_;
  llvm::Error fault_ = llvm::Error::success();
};

} // namespace tikc::measure
