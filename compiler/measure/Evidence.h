#pragma once

#include "checker/engine/LoadedTally.h"
#include "data/Report.h"
#include "data/bytes/Spilled.h"
#include "measure/Bytes.h"
#include "measure/Fragments.h"
#include "measure/Intake.h"
#include "measure/Rounds.h"
#include "measure/Sealed.h"

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

/// Observations of recorded data, by piece of data, so that they can be joined and judged without
/// the data.
namespace tikc::measure {

inline constexpr SealedKind evidenceKind{"TIKCEVID", "evidence", 5};

/// The contents of tallies and how they were cut. Evidence of different shapes can never be joined.
struct EvidenceShape {
  std::string pair;
  std::uint64_t tallies = 0; // a digest of what tallies hold
  Rounds rounds;

  static EvidenceShape of(const MeasuredPlan& subject);
  friend bool operator==(const EvidenceShape&, const EvidenceShape&) = default;
};

/// The contract, build, model and stage of the observations.
struct EvidenceOrigin {
  std::string contract, version, build, digest, stage;
  std::uint64_t fingerprint = 0;

  static EvidenceOrigin of(const MeasuredPlan& subject, std::string_view stage);
  void write(ByteWriter& to) const;
  static EvidenceOrigin read(ByteReader& from);
  /// Returns "the build is `a` there, and `b` here", for each difference that matters. Another
  /// version alone does not.
  std::vector<std::string> differencesFrom(const EvidenceOrigin& wanted) const;
  friend auto operator<=>(const EvidenceOrigin&, const EvidenceOrigin&) = default;
};

/// One piece of data.
struct EvidencePiece {
  /// Where the piece was found. If it was found several times, the least finding counts, so that
  /// the order of joining does not matter.
  struct Finding {
    data::PieceId run; // the set of pieces that were read together
    std::uint64_t place = 0;
    std::vector<std::string> files;
    std::uint64_t linesBefore = 0;
    bool isOfLines = false;

    friend auto operator<=>(const Finding&, const Finding&) = default;
  };

  data::PieceId id;
  std::size_t origin = 0;
  Finding site;
  /// The piece's intake and fragments, for `EvidenceContent`; independent of where it was found.
  std::string_view content;
  /// The mapped file that contains the content, whose memory can be released; null for content in
  /// memory.
  const data::MappedFile* file = nullptr;
};

/// A fragment whose tally is still in bytes.
struct EvidenceFragment {
  std::uint64_t tokens = 0, responses = 0, rows = 0;
  std::uint64_t file = 0; // index into the piece's files
  std::optional<double> step, begins, ends;
  std::string_view tally;
};

/// Fragments in the byte format of evidence.
class FragmentBytes {
public:
  /// After settle(), large contents move to a file in this folder, or in the folder for temporary
  /// files.
  explicit FragmentBytes(std::filesystem::path folder = {}) : bytes_(std::move(folder)) {}

  void add(const Fragment& fragment);
  /// Keeps only a few MiB in memory from here on; fragments cannot be read any more.
  void settle() { bytes_.settle(); }
  /// Only before settle().
  std::vector<EvidenceFragment> read() const;
  llvm::Error each(llvm::function_ref<void(std::string_view step)> show) const {
    return bytes_.each(show);
  }
  std::uint64_t bytes() const { return bytes_.size(); }
  std::uint64_t size() const { return size_; }
  /// Returns the files of the fragments, each once.
  const std::vector<std::string_view>& files() const { return files_; }

private:
  data::SpilledBytes bytes_;
  std::uint64_t size_ = 0;
  std::vector<std::string_view> files_;
};

/// Reads the content of a piece fragment by fragment, because it may have one for each token.
class ContentReader {
public:
  /// Releases the memory of a mapped file as it reads.
  ContentReader(std::string_view bytes, std::size_t files, const data::MappedFile* in = nullptr);
  explicit ContentReader(const EvidencePiece& piece)
      : ContentReader(piece.content, piece.site.files.size(), piece.file) {}

  /// Returns false after the last fragment, and on an error.
  bool next();
  /// Returns the fragment that was read last.
  const EvidenceFragment& fragment() const { return fragment_; }
  /// Returns the intake of the fragments.
  const Intake& intake() const { return *intake_; }
  /// Frees the intake, which is much larger than the rest: thousands of readers may be open.
  void dropIntake() { intake_.reset(); }
  /// Returns the table after the fragments; nothing after an error.
  std::optional<UnitTable> finish();

private:
  /// Releases memory that was read, in whole steps if it is at least `least` bytes.
  void forget(std::size_t least);

  std::string_view bytes_; // not released yet
  ByteReader from_;
  std::size_t files_;
  const data::MappedFile* in_;
  std::uint64_t left_ = 0;
  std::unique_ptr<Intake> intake_;
  EvidenceFragment fragment_;
};

struct EvidenceContent {
  Intake intake;
  UnitTable units; // empty if it is unknown which tokens are of one response

  using Visit = llvm::function_ref<void(const EvidenceFragment&)>;
  static std::optional<EvidenceContent> read(ContentReader from, Visit visit = nullptr);
  static std::optional<EvidenceContent> read(const EvidencePiece& piece, Visit visit = nullptr) {
    return read(ContentReader(piece), visit);
  }
};

/// The bytes of a content in steps, in memory or in files. Must not outlive its sources.
class ContentBytes {
public:
  ContentBytes(const Intake& intake, const FragmentBytes& fragments, const UnitTable& units = {});
  /// From bytes that were written before.
  ContentBytes(std::string_view whole, const data::MappedFile* in) : whole_(whole), in_(in) {}

  std::uint64_t size() const;
  /// Fails if fragments could not be stored.
  llvm::Error each(llvm::function_ref<void(std::string_view step)> show) const;

private:
  std::string head_, tail_; // before and after the fragments
  const FragmentBytes* fragments_ = nullptr;
  std::string_view whole_;
  const data::MappedFile* in_ = nullptr;
};

/// Pieces and origins, each sorted and without duplicates. So equal sets of pieces have equal
/// bytes, however they were joined.
struct Evidence {
  EvidenceShape shape;
  std::vector<EvidenceOrigin> origins;
  std::vector<EvidencePiece> pieces;
  /// The owners of the contents.
  std::vector<std::shared_ptr<const void>> kept;

  /// Checks everything except the contents of tallies. Errors begin with `name`.
  static llvm::Expected<Evidence> read(std::string_view bytes, std::string_view name,
                                       const data::MappedFile* in = nullptr);
  static bool isIn(std::string_view bytes);
  std::string bytes() const;
  /// Returns an error if one of its files was rewritten after its seal was checked. Call it once
  /// all is read.
  llvm::Error whyRewritten() const;
};

/// The bytes of evidence in parts, without a copy of the contents. Must not outlive the evidence.
class EvidenceParts {
public:
  explicit EvidenceParts(const Evidence& evidence);

  std::size_t size() const;
  /// Passes all bytes in steps. Returns false once a step is rejected.
  bool each(llvm::function_ref<bool(std::string_view step)> take) const;

private:
  struct Part {
    std::string_view bytes;
    const data::MappedFile* in = nullptr;
  };
  void own(std::string part);

  std::deque<std::string> owned_;
  std::vector<Part> parts_; // without the digest at the end
};

/// Evidence and the name of its file, for messages.
struct NamedEvidence {
  std::string name;
  Evidence evidence;
};

/// Returns the union of the pieces. Fails if they cannot be joined; also on different origins
/// unless they are allowed.
llvm::Expected<Evidence> joined(std::span<const NamedEvidence> all, bool allowsOther);

/// Returns a line for each origin that differs from the wanted one.
std::vector<std::string> othersIn(const Evidence& evidence, const EvidenceOrigin& wanted);

/// Returns the index of a contract's pair; the first if the name is empty.
llvm::Expected<std::size_t> pairNamed(const plan::Plan& plan, const std::string& wanted);

/// Returns why evidence of this shape cannot be judged by the plan; success if it can.
llvm::Error whyNotJudged(const EvidenceShape& shape, const MeasuredPlan& wanted);
/// Returns the contract's plan with the settings that the evidence was observed with.
llvm::Expected<MeasuredPlan> subjectOf(const plan::Plan& plan, const engine::LoadedPlan& loaded,
                                       const Evidence& evidence);

/// A summary of evidence for reports.
struct EvidenceSummary {
  std::size_t pieces = 0, files = 0;
  Intake intake;
  std::optional<double> first, last; // in seconds
  std::string text() const;          // "12 pieces of 3 files, seconds 100 to 400"
};
EvidenceSummary summaryOf(const Evidence& evidence);

/// Collects the observations of a run from several threads, each on another piece.
class EvidenceCollector {
public:
  /// Contents that are too large for memory are in a file in this folder, or in the folder for
  /// temporary files.
  explicit EvidenceCollector(std::size_t pieces, std::filesystem::path folder = {})
      : each_(pieces), contents_(std::move(folder)) {}
  ~EvidenceCollector() { llvm::consumeError(std::move(fault_)); }

  void take(std::size_t piece, const data::PieceId& id, std::vector<std::string> files,
            const ContentBytes& content);
  /// Fails if contents could not be stored.
  llvm::Expected<Evidence> finish(EvidenceShape shape, EvidenceOrigin origin,
                                  std::span<const PieceOrigin> pieces);

private:
  struct CollectedPiece {
    data::PieceId id;
    std::vector<std::string> files;
    std::uint64_t begin = 0, size = 0; // of its content
  };
  std::vector<CollectedPiece> each_;
  std::mutex mutex_; // for the members below
  data::SpilledBytes contents_;
  llvm::Error fault_ = llvm::Error::success();
};

} // namespace tikc::measure
