#include "data/bytes/Digest.h"
#include "measure/Bytes.h"
#include "measure/Evidence.h"
#include "measure/Sealed.h"
#include "measure/SignsBytes.h"
#include "support/Check.h"
#include "tikc/wire.h"

#include <algorithm>
#include <cstring>

/// The bytes of evidence: the shape, the origins and the pieces, sealed. All is looked at before
/// any of it is used, and nothing is kept beside it that is larger than it.
namespace tikc::measure {
namespace {

constexpr SealedKind evidenceKind{"TIKCEVID", "evidence", 3};

void writeShape(ByteWriter& to, const EvidenceShape& of) {
  to.text(of.pair);
  to.number(of.tallies);
  to.number(static_cast<std::uint64_t>(of.rounds.by), 1);
  to.real(of.rounds.amount);
}

EvidenceShape readShape(ByteReader& from) {
  EvidenceShape out;
  out.pair = from.text();
  out.tallies = from.number();
  const std::uint64_t by = from.number(1);
  from.require(by <= static_cast<std::uint64_t>(Rounds::By::Seconds));
  out.rounds.by = static_cast<Rounds::By>(from.isGood() ? by : 0);
  out.rounds.amount = from.real();
  // A round of no tokens is as many as there are: nothing that tikc writes.
  from.require(out.rounds.amount >= 0 && out.rounds.amount <= 1e18);
  return out;
}

void writePiece(ByteWriter& to, const EvidencePiece& of) {
  to.id(of.id);
  to.number(of.origin);
  to.id(of.found.run);
  to.number(of.found.place);
  to.number(of.found.linesBefore);
  to.number(of.found.isOfLines ? 1 : 0, 1);
  to.number(of.found.files.size());
  for (const std::string& file : of.found.files)
    to.text(file);
  to.text(of.content);
}

EvidencePiece readPiece(ByteReader& from, std::size_t origins) {
  EvidencePiece out;
  out.id = from.id();
  out.origin = from.number();
  from.require(out.origin < origins);
  out.found.run = from.id();
  out.found.place = from.number();
  out.found.linesBefore = from.number();
  out.found.isOfLines = from.flag();
  for (std::uint64_t left = from.count(8); left != 0 && from.isGood(); --left)
    out.found.files.emplace_back(from.text());
  out.content = from.text();
  from.require(EvidenceContent::read(out.content, out.found.files.size()).has_value());
  return out;
}

/// In their order, each once, and each that of a piece.
bool areCanonical(const Evidence& of) {
  auto isBefore = [](const auto& a, const auto& b) { return !(a < b); };
  std::vector<char> isUsed(of.origins.size());
  for (const EvidencePiece& each : of.pieces)
    isUsed[each.origin] = 1;
  return std::adjacent_find(of.origins.begin(), of.origins.end(), isBefore) == of.origins.end() &&
         std::adjacent_find(of.pieces.begin(), of.pieces.end(),
                            [](const EvidencePiece& a, const EvidencePiece& b) {
                              return !(a.id < b.id);
                            }) == of.pieces.end() &&
         std::find(isUsed.begin(), isUsed.end(), 0) == isUsed.end();
}

/// The least that an origin and a piece take.
constexpr std::uint64_t leastOrigin = 6 * 8, leastPiece = 2 * digestSize + 5 * 8 + 1;

std::optional<Evidence> readBody(std::string_view bytes) {
  ByteReader from(bytes);
  Evidence out;
  out.shape = readShape(from);
  for (std::uint64_t left = from.count(leastOrigin); left != 0 && from.isGood(); --left)
    out.origins.push_back(EvidenceOrigin::read(from));
  for (std::uint64_t left = from.count(leastPiece); left != 0 && from.isGood(); --left)
    out.pieces.push_back(readPiece(from, out.origins.size()));
  if (!from.isDone() || !areCanonical(out))
    return std::nullopt;
  return out;
}

template <class Visit, class Of> void eachCount(Visit&& visit, Of& of) {
  for (auto* each : {&of.report.records, &of.report.responses, &of.report.broken,
                     &of.report.unpaired, &of.report.padding, &of.report.skipped,
                     &of.report.unknownValues, &of.unpaired, &of.strangers})
    visit(*each);
  for (auto* side : {&of.report.train, &of.report.infer})
    for (auto& each : *side)
      visit(each);
}

using NameCounts = std::map<std::string, std::uint64_t>;

void writeCounts(ByteWriter& to, const NameCounts& of) {
  to.number(of.size());
  for (const auto& [name, count] : of) {
    to.text(name);
    to.number(count);
  }
}
void readCounts(ByteReader& from, NameCounts& into) {
  for (std::uint64_t left = from.count(16); left != 0 && from.isGood(); --left) {
    std::string name(from.text());
    // In their order, as a map has them.
    from.require(into.empty() || into.rbegin()->first < name);
    into[std::move(name)] = from.number();
  }
}

void writeFragment(ByteWriter& to, const Fragment& of, std::uint64_t file) {
  for (std::uint64_t each : {of.tokens, of.responses, of.rows, file})
    to.number(each);
  for (const auto* each : {&of.step, &of.begins, &of.ends})
    to.maybe(*each);
  std::string tally;
  serialise(*of.tally, [&](const char* piece, std::size_t size) { tally.append(piece, size); });
  to.text(tally);
}

EvidenceFragment readFragment(ByteReader& from, std::size_t files) {
  EvidenceFragment out;
  for (std::uint64_t* each : {&out.tokens, &out.responses, &out.rows, &out.file})
    *each = from.number();
  from.require(out.file < files);
  for (auto* each : {&out.step, &out.begins, &out.ends})
    *each = from.maybe();
  out.tally = from.text();
  return out;
}

constexpr std::uint64_t leastFragment = 4 * 8 + 3 + 8;

void add(EvidenceContent& to, EvidenceFragment fragment) {
  to.intake.tokens += fragment.tokens;
  to.intake.responses += fragment.responses;
  to.intake.rows += fragment.rows;
  to.intake.namesSteps = to.intake.namesSteps || fragment.step;
  to.intake.namesTimes = to.intake.namesTimes || fragment.begins;
  to.fragments.push_back(fragment);
}

} // namespace

void EvidenceOrigin::write(ByteWriter& to) const {
  for (const std::string* text : {&contract, &version, &build, &digest, &stage})
    to.text(*text);
  to.number(fingerprint);
}

EvidenceOrigin EvidenceOrigin::read(ByteReader& from) {
  EvidenceOrigin out;
  for (std::string* text : {&out.contract, &out.version, &out.build, &out.digest, &out.stage})
    *text = from.text();
  out.fingerprint = from.number();
  return out;
}

std::optional<EvidenceContent> EvidenceContent::read(std::string_view bytes, std::size_t files) {
  ByteReader from(bytes);
  EvidenceContent out;
  eachCount([&](std::uint64_t& each) { each = from.number(); }, out.intake);
  readCounts(from, out.intake.missing);
  readCounts(from, out.intake.otherSettings);
  for (const auto& [key, count] : out.intake.otherSettings)
    from.require(ServedSettings::isKey(key));
  out.intake.signs = readSigns(from);
  for (std::uint64_t left = from.count(leastFragment); left != 0 && from.isGood(); --left)
    add(out, readFragment(from, files));
  out.units = UnitTable::read(from);
  if (!from.isDone())
    return std::nullopt;
  return out;
}

void FragmentBytes::add(const Fragment& of) {
  const auto file = std::find(files_.begin(), files_.end(), of.file);
  writeFragment(bytes_, of, static_cast<std::uint64_t>(file - files_.begin()));
  if (file == files_.end())
    files_.push_back(of.file);
  ++size_;
}

std::vector<EvidenceFragment> FragmentBytes::read() const {
  ByteReader from(bytes());
  std::vector<EvidenceFragment> out;
  while (out.size() < size_)
    out.push_back(readFragment(from, files_.size()));
  TIKC_CHECK(from.isDone(), "what was written is read");
  return out;
}

std::string EvidenceContent::bytesOf(const Intake& intake, const FragmentBytes& fragments,
                                     const UnitTable& units) {
  ByteWriter out;
  eachCount([&](std::uint64_t each) { out.number(each); }, intake);
  writeCounts(out, intake.missing);
  writeCounts(out, intake.otherSettings);
  writeSigns(out, intake.signs);
  out.number(fragments.size());
  out.raw(fragments.bytes());
  units.write(out);
  return out.take();
}

bool Evidence::isIn(std::string_view bytes) { return bytes.starts_with(evidenceKind.magic); }

llvm::Expected<Evidence> Evidence::read(std::string_view bytes, std::string_view name) {
  auto body = unsealedFile(evidenceKind, bytes, name);
  if (!body)
    return body.takeError();
  auto out = readBody(*body);
  if (!out)
    return sealFault(name, "says what no evidence can");
  return std::move(*out);
}

std::string Evidence::bytes() const {
  ByteWriter out;
  writeShape(out, shape);
  out.number(origins.size());
  for (const EvidenceOrigin& each : origins)
    each.write(out);
  out.number(pieces.size());
  for (const EvidencePiece& each : pieces)
    writePiece(out, each);
  return sealedFile(evidenceKind, out.take());
}

void EvidenceCollector::take(std::size_t piece, const data::PieceId& id,
                             std::vector<std::string> files, std::string content) {
  each_[piece] = {id, std::move(files), std::move(content)};
}

Evidence EvidenceCollector::finish(EvidenceShape shape, EvidenceOrigin origin,
                                   std::span<const PieceOrigin> pieces) {
  data::Digest run;
  for (const Collected& each : each_)
    run.add(bytesOf(each.id));
  Evidence out;
  out.shape = std::move(shape);
  out.origins = {std::move(origin)};
  auto held = std::make_shared<std::vector<Collected>>(std::move(each_));
  const data::PieceId together = run.id();
  for (std::size_t i = 0; i < held->size(); ++i) {
    Collected& each = (*held)[i];
    out.pieces.push_back(
        {each.id,
         0,
         {together, i, std::move(each.files), pieces[i].linesBefore, pieces[i].isOfLines},
         each.content});
  }
  out.kept.push_back(held);
  std::sort(out.pieces.begin(), out.pieces.end(), [](const auto& a, const auto& b) {
    return std::pair(a.id, a.found.place) < std::pair(b.id, b.found.place);
  });
  out.pieces.erase(std::unique(out.pieces.begin(), out.pieces.end(),
                               [](const auto& a, const auto& b) { return a.id == b.id; }),
                   out.pieces.end());
  if (out.pieces.empty())
    out.origins.clear();
  return out;
}

} // namespace tikc::measure
