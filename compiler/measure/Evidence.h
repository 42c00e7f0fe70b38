#pragma once

#include "data/Report.h"
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
#include <memory>
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
};

/// A fragment that has not been read from its bytes.
struct EvidenceFragment {
  std::uint64_t tokens = 0, responses = 0, rows = 0;
  std::uint64_t file = 0; // of the piece's
  std::optional<double> step, begins, ends;
  std::string_view tally;
};

/// Fragments as the bytes that evidence has of them, in blocks: one that grows would be there twice
/// each time that it is moved.
class FragmentBytes {
public:
  void add(const Fragment& of);
  std::vector<EvidenceFragment> read() const;
  /// Gives all bytes away, block by block.
  void moveTo(std::string& out);
  std::size_t bytes() const { return bytes_; }
  std::uint64_t size() const { return size_; }
  /// Of the fragments, each once.
  const std::vector<std::string_view>& files() const { return files_; }

private:
  std::deque<ByteWriter> blocks_;
  std::size_t bytes_ = 0;
  std::uint64_t size_ = 0;
  std::vector<std::string_view> files_;
};

/// Reads the content of a piece, one fragment after the other: it may have one for each token.
class ContentReader {
public:
  ContentReader(std::string_view bytes, std::size_t files);

  /// False behind the last fragment, and where something is wrong.
  bool next();
  /// The one that was read last.
  const EvidenceFragment& fragment() const { return fragment_; }
  /// Of the fragments that were read.
  const Intake& intake() const { return intake_; }
  /// What stands behind the fragments; nothing where anything is wrong.
  std::optional<UnitTable> finish();

private:
  ByteReader from_;
  std::size_t files_;
  std::uint64_t left_ = 0;
  Intake intake_;
  EvidenceFragment fragment_;
};

struct EvidenceContent {
  Intake intake;
  UnitTable units; // empty where it is not known which tokens are of one response

  using Visit = llvm::function_ref<void(const EvidenceFragment&)>;
  static std::optional<EvidenceContent> read(std::string_view bytes, std::size_t files,
                                             Visit visit = nullptr);
  static std::string bytesOf(const Intake& intake, FragmentBytes fragments,
                             const UnitTable& units = {});
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
  static llvm::Expected<Evidence> read(std::string_view bytes, std::string_view name);
  static bool isIn(std::string_view bytes);
  std::string bytes() const;
};

/// The bytes of evidence in parts, one behind the other: contents stay where they lie. Lives no
/// longer than the evidence.
class EvidenceParts {
public:
  explicit EvidenceParts(const Evidence& of);

  std::span<const std::string_view> all() const { return parts_; }
  std::size_t size() const;

private:
  void own(std::string part);

  std::deque<std::string> owned_;
  std::vector<std::string_view> parts_;
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
  explicit EvidenceCollector(std::size_t pieces) : each_(pieces) {}

  void take(std::size_t piece, const data::PieceId& id, std::vector<std::string> files,
            std::string content);
  Evidence finish(EvidenceShape shape, EvidenceOrigin origin, std::span<const PieceOrigin> pieces);

private:
  struct Collected {
    data::PieceId id;
    std::vector<std::string> files;
    std::string content;
  };
  std::vector<Collected> each_;
};

} // namespace tikc::measure
