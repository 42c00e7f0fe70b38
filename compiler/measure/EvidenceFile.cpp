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

/// All but its content.
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
  to.number(of.content.size());
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

constexpr std::size_t leastBlock = std::size_t{1} << 20;

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

ContentReader::ContentReader(std::string_view bytes, std::size_t files)
    : from_(bytes), files_(files) {
  eachCount([&](std::uint64_t& each) { each = from_.number(); }, intake_);
  readCounts(from_, intake_.missing);
  readCounts(from_, intake_.otherSettings);
  for (const auto& [key, count] : intake_.otherSettings)
    from_.require(ServedSettings::isKey(key));
  intake_.signs = readSigns(from_);
  left_ = from_.count(leastFragment);
}

bool ContentReader::next() {
  if (left_ == 0 || !from_.isGood())
    return false;
  --left_;
  fragment_ = readFragment(from_, files_);
  intake_.tokens += fragment_.tokens;
  intake_.responses += fragment_.responses;
  intake_.rows += fragment_.rows;
  intake_.namesSteps = intake_.namesSteps || fragment_.step;
  intake_.namesTimes = intake_.namesTimes || fragment_.begins;
  return from_.isGood();
}

std::optional<UnitTable> ContentReader::finish() {
  UnitTable out = UnitTable::read(from_);
  return from_.isDone() ? std::optional(std::move(out)) : std::nullopt;
}

std::optional<EvidenceContent> EvidenceContent::read(std::string_view bytes, std::size_t files,
                                                     Visit visit) {
  ContentReader from(bytes, files);
  while (from.next())
    if (visit)
      visit(from.fragment());
  auto units = from.finish();
  if (!units)
    return std::nullopt;
  return EvidenceContent{from.intake(), std::move(*units)};
}

void FragmentBytes::add(const Fragment& of) {
  const auto file = std::find(files_.begin(), files_.end(), of.file);
  if (blocks_.empty() || blocks_.back().bytes().size() >= leastBlock)
    blocks_.emplace_back();
  ByteWriter& block = blocks_.back();
  const std::size_t before = block.bytes().size();
  writeFragment(block, of, static_cast<std::uint64_t>(file - files_.begin()));
  bytes_ += block.bytes().size() - before;
  if (file == files_.end())
    files_.push_back(of.file);
  ++size_;
}

std::vector<EvidenceFragment> FragmentBytes::read() const {
  std::vector<EvidenceFragment> out;
  for (const ByteWriter& block : blocks_) {
    ByteReader from(block.bytes());
    while (from.isGood() && !from.isDone())
      out.push_back(readFragment(from, files_.size()));
  }
  TIKC_CHECK(out.size() == size_, "what was written is read");
  return out;
}

void FragmentBytes::moveTo(std::string& out) {
  for (; !blocks_.empty(); blocks_.pop_front())
    out += blocks_.front().bytes();
  bytes_ = size_ = 0;
}

std::string EvidenceContent::bytesOf(const Intake& intake, FragmentBytes fragments,
                                     const UnitTable& units) {
  ByteWriter head, tail;
  eachCount([&](std::uint64_t each) { head.number(each); }, intake);
  writeCounts(head, intake.missing);
  writeCounts(head, intake.otherSettings);
  writeSigns(head, intake.signs);
  head.number(fragments.size());
  units.write(tail);
  std::string out;
  out.reserve(head.bytes().size() + fragments.bytes() + tail.bytes().size());
  out += head.bytes();
  fragments.moveTo(out);
  out += tail.bytes();
  return out;
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
  const EvidenceParts parts(*this);
  std::string out;
  out.reserve(parts.size());
  for (const std::string_view part : parts.all())
    out += part;
  return out;
}

EvidenceParts::EvidenceParts(const Evidence& of) {
  own({}); // what the seal begins with, which says how much follows
  ByteWriter head;
  writeShape(head, of.shape);
  head.number(of.origins.size());
  for (const EvidenceOrigin& each : of.origins)
    each.write(head);
  head.number(of.pieces.size());
  own(head.take());
  for (const EvidencePiece& each : of.pieces) {
    ByteWriter facts;
    writePiece(facts, each);
    own(facts.take());
    parts_.push_back(each.content);
  }
  owned_.front() = sealHead(evidenceKind, size());
  parts_.front() = owned_.front();
  own(sealOf(parts_));
}

std::size_t EvidenceParts::size() const {
  std::size_t out = 0;
  for (const std::string_view part : parts_)
    out += part.size();
  return out;
}

void EvidenceParts::own(std::string part) {
  owned_.push_back(std::move(part));
  parts_.push_back(owned_.back());
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
