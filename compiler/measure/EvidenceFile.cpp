#include "data/bytes/Digest.h"
#include "measure/Bytes.h"
#include "measure/Evidence.h"
#include "measure/Sealed.h"
#include "measure/SignsBytes.h"
#include "support/Check.h"
#include "tikc/wire.h"

#include <algorithm>
#include <cstring>
#include <set>

/// The bytes of evidence: the shape, the origins and the pieces, sealed. All is looked at before
/// any of it is used, and nothing is kept beside it that is larger than it.
namespace tikc::measure {
namespace {

void writeShape(ByteWriter& to, const EvidenceShape& shape) {
  to.text(shape.pair);
  to.number(shape.tallies);
  to.number(static_cast<std::uint64_t>(shape.rounds.by), 1);
  to.real(shape.rounds.amount);
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
void writePiece(ByteWriter& to, const EvidencePiece& piece) {
  to.id(piece.id);
  to.number(piece.origin);
  to.id(piece.site.run);
  to.number(piece.site.place);
  to.number(piece.site.linesBefore);
  to.number(piece.site.isOfLines ? 1 : 0, 1);
  to.number(piece.site.files.size());
  for (const std::string& file : piece.site.files)
    to.text(file);
  to.number(piece.content.size());
}

EvidencePiece readPiece(ByteReader& from, std::size_t origins, const data::MappedFile* in) {
  EvidencePiece out;
  out.id = from.id();
  out.origin = from.number();
  from.require(out.origin < origins);
  out.site.run = from.id();
  out.site.place = from.number();
  out.site.linesBefore = from.number();
  out.site.isOfLines = from.flag();
  for (std::uint64_t left = from.count(8); left != 0 && from.isGood(); --left)
    out.site.files.emplace_back(from.text());
  out.content = from.text();
  out.file = in;
  from.require(EvidenceContent::read(out).has_value());
  return out;
}

/// In their order, each once, and each that of a piece.
bool areCanonical(const Evidence& evidence) {
  auto isBefore = [](const auto& a, const auto& b) { return !(a < b); };
  std::vector<char> isUsed(evidence.origins.size());
  for (const EvidencePiece& each : evidence.pieces)
    isUsed[each.origin] = 1;
  return std::adjacent_find(evidence.origins.begin(), evidence.origins.end(), isBefore) ==
             evidence.origins.end() &&
         std::adjacent_find(evidence.pieces.begin(), evidence.pieces.end(),
                            [](const EvidencePiece& a, const EvidencePiece& b) {
                              return !(a.id < b.id);
                            }) == evidence.pieces.end() &&
         std::find(isUsed.begin(), isUsed.end(), 0) == isUsed.end();
}

/// The least that an origin and a piece take.
constexpr std::uint64_t leastOrigin = 6 * 8, leastPiece = 2 * digestSize + 5 * 8 + 1;

std::optional<Evidence> readBody(std::string_view bytes, const data::MappedFile* in) {
  ByteReader from(bytes);
  Evidence out;
  out.shape = readShape(from);
  for (std::uint64_t left = from.count(leastOrigin); left != 0 && from.isGood(); --left)
    out.origins.push_back(EvidenceOrigin::read(from));
  for (std::uint64_t left = from.count(leastPiece); left != 0 && from.isGood(); --left)
    out.pieces.push_back(readPiece(from, out.origins.size(), in));
  if (!from.isDone() || !areCanonical(out))
    return std::nullopt;
  return out;
}

template <class Visit, class Of> void eachCount(Visit&& visit, Of& intake) {
  for (auto* each :
       {&intake.report.records, &intake.report.responses, &intake.report.broken,
        &intake.report.unpaired, &intake.report.padding, &intake.report.skipped,
        &intake.report.unknownValues, &intake.report.withMask, &intake.report.withLength,
        &intake.report.withKept, &intake.report.withStep, &intake.unpaired, &intake.strangers})
    visit(*each);
  for (auto* side : {&intake.report.train, &intake.report.infer})
    for (auto& each : *side)
      visit(each);
}

using NameCounts = std::map<std::string, std::uint64_t>;

void writeCounts(ByteWriter& to, const NameCounts& counts) {
  to.number(counts.size());
  for (const auto& [name, count] : counts) {
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

void writeFragment(ByteWriter& to, const Fragment& fragment, std::uint64_t file) {
  for (std::uint64_t each : {fragment.tokens, fragment.responses, fragment.rows, file})
    to.number(each);
  for (const auto* each : {&fragment.step, &fragment.begins, &fragment.ends})
    to.maybe(*each);
  std::string tally;
  serialise(*fragment.tally,
            [&](const char* piece, std::size_t size) { tally.append(piece, size); });
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

ContentReader::ContentReader(std::string_view bytes, std::size_t files, const data::MappedFile* in)
    : bytes_(bytes), from_(bytes), files_(files), in_(in), intake_(std::make_unique<Intake>()) {
  eachCount([&](std::uint64_t& each) { each = from_.number(); }, *intake_);
  readCounts(from_, intake_->missing);
  readCounts(from_, intake_->otherSettings);
  for (const auto& [key, count] : intake_->otherSettings)
    from_.require(ServedSettings::isKey(key));
  intake_->signs = readSigns(from_);
  left_ = from_.count(leastFragment);
}

bool ContentReader::next() {
  if (left_ == 0 || !from_.isGood())
    return false;
  --left_;
  forget(data::MappedFile::step);
  fragment_ = readFragment(from_, files_);
  if (intake_) {
    intake_->tokens += fragment_.tokens;
    intake_->responses += fragment_.responses;
    intake_->rows += fragment_.rows;
    intake_->namesSteps = intake_->namesSteps || fragment_.step;
    intake_->namesTimes = intake_->namesTimes || fragment_.begins;
  }
  return from_.isGood();
}

std::optional<UnitTable> ContentReader::finish() {
  UnitTable out = UnitTable::read(from_);
  forget(0);
  return from_.isDone() ? std::optional(std::move(out)) : std::nullopt;
}

void ContentReader::forget(std::size_t least) {
  const std::size_t read = bytes_.size() - from_.rest().size();
  if (in_ == nullptr || read < least)
    return;
  in_->forget(bytes_.substr(0, read));
  bytes_.remove_prefix(read);
}

std::optional<EvidenceContent> EvidenceContent::read(ContentReader from, Visit visit) {
  while (from.next())
    if (visit)
      visit(from.fragment());
  auto units = from.finish();
  if (!units)
    return std::nullopt;
  return EvidenceContent{from.intake(), std::move(*units)};
}

void FragmentBytes::add(const Fragment& fragment) {
  const auto file = std::find(files_.begin(), files_.end(), fragment.file);
  ByteWriter bytes;
  writeFragment(bytes, fragment, static_cast<std::uint64_t>(file - files_.begin()));
  bytes_.append(bytes.bytes());
  if (file == files_.end())
    files_.push_back(fragment.file);
  ++size_;
}

std::vector<EvidenceFragment> FragmentBytes::read() const {
  TIKC_CHECK(bytes_.isInMemory(), "fragments are read before they are settled");
  std::vector<EvidenceFragment> out;
  llvm::cantFail(each([&](std::string_view step) {
    ByteReader from(step);
    while (from.isGood() && !from.isDone())
      out.push_back(readFragment(from, files_.size()));
  }));
  TIKC_CHECK(out.size() == size_, "what was written is read");
  return out;
}

ContentBytes::ContentBytes(const Intake& intake, const FragmentBytes& fragments,
                           const UnitTable& units)
    : fragments_(&fragments) {
  ByteWriter head, tail;
  eachCount([&](std::uint64_t each) { head.number(each); }, intake);
  writeCounts(head, intake.missing);
  writeCounts(head, intake.otherSettings);
  writeSigns(head, intake.signs);
  head.number(fragments.size());
  units.write(tail);
  head_ = head.take();
  tail_ = tail.take();
}

std::uint64_t ContentBytes::size() const {
  return fragments_ == nullptr ? whole_.size() : head_.size() + fragments_->bytes() + tail_.size();
}

llvm::Error ContentBytes::each(llvm::function_ref<void(std::string_view)> show) const {
  if (fragments_ == nullptr) {
    data::eachStep(whole_, in_, show);
    return llvm::Error::success();
  }
  show(head_);
  if (auto error = fragments_->each(show))
    return error;
  show(tail_);
  return llvm::Error::success();
}

bool Evidence::isIn(std::string_view bytes) { return bytes.starts_with(evidenceKind.magic); }

llvm::Expected<Evidence> Evidence::read(std::string_view bytes, std::string_view name,
                                        const data::MappedFile* in) {
  auto body = unsealedFile(evidenceKind, bytes, name, in);
  if (!body)
    return body.takeError();
  auto out = readBody(*body, in);
  if (!out)
    return sealFault(name, "has invalid contents");
  return std::move(*out);
}

llvm::Error Evidence::whyRewritten() const {
  std::set<const data::MappedFile*> files;
  for (const EvidencePiece& each : pieces)
    if (each.file != nullptr && files.insert(each.file).second)
      if (auto error = each.file->whyRewritten())
        return error;
  return llvm::Error::success();
}

std::string Evidence::bytes() const {
  const EvidenceParts parts(*this);
  std::string out;
  out.reserve(parts.size());
  parts.each([&](std::string_view step) {
    out += step;
    return true;
  });
  return out;
}

EvidenceParts::EvidenceParts(const Evidence& evidence) {
  own({}); // what the seal begins with, which says how much follows
  ByteWriter head;
  writeShape(head, evidence.shape);
  head.number(evidence.origins.size());
  for (const EvidenceOrigin& each : evidence.origins)
    each.write(head);
  head.number(evidence.pieces.size());
  own(head.take());
  for (const EvidencePiece& each : evidence.pieces) {
    ByteWriter facts;
    writePiece(facts, each);
    own(facts.take());
    parts_.push_back({each.content, each.file});
  }
  owned_.front() = sealHead(evidenceKind, size() - digestSize);
  parts_.front().bytes = owned_.front();
}

std::size_t EvidenceParts::size() const {
  std::size_t out = digestSize;
  for (const Part& part : parts_)
    out += part.bytes.size();
  return out;
}

bool EvidenceParts::each(llvm::function_ref<bool(std::string_view)> take) const {
  data::Digest digest;
  bool isTaken = true;
  for (const Part& part : parts_)
    data::eachStep(part.bytes, part.in, [&](std::string_view step) {
      if (!isTaken)
        return;
      digest.add(step);
      isTaken = take(step);
    });
  return isTaken && take(bytesOf(digest.id()));
}

void EvidenceParts::own(std::string part) {
  owned_.push_back(std::move(part));
  parts_.push_back({owned_.back()});
}

void EvidenceCollector::take(std::size_t piece, const data::PieceId& id,
                             std::vector<std::string> files, const ContentBytes& content) {
  const std::lock_guard lock(mutex_);
  each_[piece] = {id, std::move(files), contents_.size(), content.size()};
  auto error = content.each([&](std::string_view step) {
    contents_.append(step);
    contents_.settle();
  });
  if (fault_)
    llvm::consumeError(std::move(error));
  else
    fault_ = std::move(error);
}

llvm::Expected<Evidence> EvidenceCollector::finish(EvidenceShape shape, EvidenceOrigin origin,
                                                   std::span<const PieceOrigin> pieces) {
  if (fault_)
    return std::move(fault_);
  auto contents = contents_.finish();
  if (!contents)
    return contents.takeError();
  data::Digest run;
  for (const CollectedPiece& each : each_)
    run.add(bytesOf(each.id));
  Evidence out;
  out.shape = std::move(shape);
  out.origins = {std::move(origin)};
  const data::PieceId together = run.id();
  for (std::size_t i = 0; i < each_.size(); ++i) {
    CollectedPiece& each = each_[i];
    out.pieces.push_back(
        {each.id,
         0,
         {together, i, std::move(each.files), pieces[i].linesBefore, pieces[i].isOfLines},
         contents->bytes.substr(each.begin, each.size),
         contents->file.get()});
  }
  out.kept.push_back(std::move(contents->kept));
  std::sort(out.pieces.begin(), out.pieces.end(), [](const auto& a, const auto& b) {
    return std::pair(a.id, a.site.place) < std::pair(b.id, b.site.place);
  });
  out.pieces.erase(std::unique(out.pieces.begin(), out.pieces.end(),
                               [](const auto& a, const auto& b) { return a.id == b.id; }),
                   out.pieces.end());
  if (out.pieces.empty())
    out.origins.clear();
  return out;
}

} // namespace tikc::measure
