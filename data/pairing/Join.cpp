#include "data/pairing/Join.h"

#include "data/bytes/Digest.h"
#include "data/pairing/Assembler.h"
#include "data/pairing/KeptResponse.h"
#include "support/UsageError.h"
#include "support/Utf8.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>
#include <unordered_map>

namespace tikc::data {
namespace {

constexpr std::string_view keyOfTokens = "ids";

/// What a response is joined on: its key, or, where the layout has none, its tokens.
std::string keyOf(const Response& response, const Layout& layout) {
  if (layout.find(Role::Key))
    return std::string(response.key);
  const auto* const bytes = reinterpret_cast<const char*>(response.ids.data());
  return std::string(bytes, response.ids.size_bytes());
}

/// A side's responses, piece by piece.
class SideReader {
public:
  explicit SideReader(const Source& side) : side_(side) {}

  const Layout& layout() const { return side_.layout(); }

  bool next(Response& out) {
    for (;; ++piece_) {
      if (!reader_ && !openPiece())
        return false;
      if (reader_->next(out)) {
        out.at.line += linesBefore_;
        out.at.piece = 0; // a join is one piece
        return true;
      }
      closePiece();
    }
  }
  const PieceReport& report() const { return report_; }
  PieceId id() { return digest_.id(); }

private:
  bool openPiece() {
    if (piece_ == side_.pieces())
      return false;
    reader_ = side_.read(piece_);
    Place first{{}, piece_, 1, 0, 0, {}, 0};
    linesBefore_ = side_.located(first).line - 1;
    return true;
  }
  void closePiece() {
    PieceReport report = reader_->report();
    for (Fault& fault : report.faults) {
      fault = side_.located(std::move(fault));
      fault.piece = 0;
    }
    report_.add(report, ~std::size_t{0});
    const PieceId id = reader_->id();
    digest_.add({reinterpret_cast<const char*>(id.digest.data()), id.digest.size()});
    reader_.reset();
  }

  const Source& side_;
  std::size_t piece_ = 0;
  std::uint64_t linesBefore_ = 0;
  std::unique_ptr<PieceReader> reader_;
  PieceReport report_;
  Digest digest_;
};

class JoinedReader final : public PieceReader {
public:
  JoinedReader(const Source& trainer, const Source& server, std::int64_t shift,
               const DataLimits& limits)
      : trainer_(trainer), server_(server), shift_(shift), limits_(limits) {}

  bool next(Response& out) override {
    if (!isKept_)
      keepTrainer();
    if (isTooMuch_ || hasEnded_)
      return false;
    Response theirs;
    while (server_.next(theirs))
      if (pair(theirs, out))
        return true;
    finish();
    return false;
  }
  PieceId id() override {
    Digest both;
    for (const PieceId& id : {trainer_.id(), server_.id()})
      both.add({reinterpret_cast<const char*>(id.digest.data()), id.digest.size()});
    return both.id();
  }

private:
  void note(const Fault& at, std::string field, std::string message) {
    if (own_.faults.size() >= limits_.faults)
      return;
    own_.faults.push_back(at);
    own_.faults.back().field = std::move(field);
    own_.faults.back().message = std::move(message);
  }

  void keepTrainer() {
    isKept_ = true;
    Response response;
    std::uint64_t bytes = 0;
    while (!isTooMuch_ && trainer_.next(response)) {
      KeptResponse kept = KeptResponse::of(response);
      std::string key = keyOf(response, trainer_.layout());
      bytes += kept.bytes() + key.size();
      if (bytes > limits_.joinBytes) {
        isTooMuch_ = true;
        ++own_.broken;
        note(kept.at, {},
             fmt::format("a join keeps the trainer's side in memory, which exceeds {}; join fewer "
                         "files at a time",
                         inBytes(limits_.joinBytes)));
        own_.lost = kept.at;
        own_.lost->message = "the join stopped";
      } else if (key.empty()) {
        ++own_.broken;
        note(kept.at, "key", "the record has none, an empty one, or several");
      } else if (const auto [found, isNew] = kept_.try_emplace(std::move(key), std::move(kept));
                 !isNew) {
        ++own_.broken;
        note(faultAt(response.at, {}), "key", sameAs(found->first, found->second.at));
      }
    }
    if (isTooMuch_)
      settle();
  }
  static std::string sameAs(const std::string& key, const Fault& at) {
    return fmt::format("{} is a duplicate of {}", wordOf(key), whereIs(at));
  }
  static std::string whereIs(const Fault& at) {
    return fmt::format("{}:{}", utf8::printable(at.file), at.line != 0 ? at.line : at.record);
  }
  static std::string wordOf(const std::string& key) {
    return utf8::firstInvalid(key) || key.find('\0') != std::string::npos
               ? "a response with these ids"
               : utf8::ticked(key);
  }

  bool pair(const Response& theirs, Response& out) {
    const std::string key = keyOf(theirs, server_.layout());
    const Fault at = faultAt(theirs.at, {});
    const auto found = kept_.find(key);
    if (key.empty() || found == kept_.end()) {
      ++own_.unpaired;
      note(at, "key",
           key.empty()
               ? "the record has none, an empty one, or several"
               : fmt::format("no record of the trainer that could be read has {}", wordOf(key)));
      return false;
    }
    KeptResponse& ours = found->second;
    const bool isRepeated = ours.isTaken;
    std::string wrong = isRepeated ? sameAs(key, ours.takenAt) : ours.whyNoPair(theirs);
    if (!isRepeated && !wrong.empty())
      wrong += fmt::format("; the trainer's is at {}", whereIs(ours.at));
    if (!ours.isTaken)
      ours.takenAt = at;
    ours.isTaken = true;
    if (!wrong.empty()) {
      ++own_.broken;
      note(at, "key", isRepeated ? wrong : fmt::format("{}: {}", wordOf(key), wrong));
      return false;
    }
    take(ours, theirs, out);
    ++own_.responses;
    own_.withMask += ours.marks.mask || theirs.marks.mask ? 1U : 0U;
    own_.withLength += ours.marks.length || theirs.marks.length ? 1U : 0U;
    own_.withKept += ours.marks.kept || theirs.marks.kept ? 1U : 0U;
    own_.withStep += out.step ? 1U : 0U;
    applyShift(shift_, out, shifted_, own_);
    return true;
  }
  void take(const KeptResponse& ours, const Response& theirs, Response& out) {
    out = theirs;
    out.at.piece = number_;
    out.train = ours.values;
    out.infer = valuesOf(theirs);
    out.trainWritten = ours.written;
    out.inferWritten = writtenOf(theirs);
    takeMask(ours, out);
    if (theirs.ids.empty())
      out.ids = ours.ids;
    auto first = [](auto& value, const auto& other) { value = value ? value : other; };
    first(out.position, ours.position);
    if (!out.version && out.versionText.empty()) {
      out.version = ours.version;
      out.versionText = ours.versionText;
    }
    // A record says its step better than the name of its file does.
    if (!out.marks.step && ours.marks.step && ours.step)
      out.step = ours.step;
    first(out.step, ours.step);
    first(out.time, ours.time);
    first(out.reward, ours.reward);
    first(out.advantage, ours.advantage);
    first(out.promptTokens, ours.promptTokens);
    first(out.handed.reward, ours.handed.reward);
    first(out.handed.advantage, ours.handed.advantage);
    first(out.handed.scoreNorm, ours.handed.scoreNorm);
    labels_.assign(theirs.labels.begin(), theirs.labels.end());
    for (const auto& [name, value] : ours.labels)
      if (std::none_of(labels_.begin(), labels_.end(),
                       [&, &wanted = name](const LabelValue& each) { return each.name == wanted; }))
        labels_.push_back({name, value});
    out.labels = labels_;
  }

  /// A token counts if both sides count it.
  void takeMask(const KeptResponse& ours, Response& out) {
    if (out.mask.empty())
      out.mask = ours.mask;
    if (ours.mask.empty())
      return;
    mask_.resize(ours.mask.size());
    for (std::size_t i = 0; i < mask_.size(); ++i)
      mask_[i] = ours.mask[i] != 0 && out.mask[i] != 0 ? 1 : 0;
    out.mask = mask_;
  }

  void finish() {
    hasEnded_ = true;
    std::vector<const KeptResponse*> alone;
    for (const auto& [key, kept] : kept_)
      if (!kept.isTaken)
        alone.push_back(&kept);
    std::sort(alone.begin(), alone.end(), [](const KeptResponse* a, const KeptResponse* b) {
      return std::tie(a->at.file, a->at.record, a->at.response) <
             std::tie(b->at.file, b->at.record, b->at.response);
    });
    own_.unpaired += alone.size();
    for (const KeptResponse* each : alone)
      note(each->at, "key", "no record of the server that could be read has its key");
    settle();
  }

  /// What both sides and the join say, of which each response is one.
  void settle() {
    const PieceReport& ours = trainer_.report();
    const PieceReport& theirs = server_.report();
    report_ = own_;
    report_.faults.clear();
    for (const PieceReport* part : {&ours, &theirs, static_cast<const PieceReport*>(&own_)})
      for (const Fault& fault : part->faults)
        if (report_.faults.size() < limits_.faults)
          report_.faults.push_back(fault);
    for (const PieceReport* side : {&ours, &theirs}) {
      if (!report_.lost)
        report_.lost = side->lost;
      report_.found.insert(side->found.begin(), side->found.end());
      report_.records += side->records;
      report_.broken += side->broken;
      report_.padding += side->padding;
      report_.skipped += side->skipped;
      report_.unknownValues += side->unknownValues;
    }
    for (const auto& [side, counts] :
         {std::pair(&ours, &report_.train), std::pair(&theirs, &report_.infer)}) {
      *counts = side->train;
      addCounts(*counts, side->infer);
    }
  }

  SideReader trainer_, server_;
  std::int64_t shift_;
  DataLimits limits_;
  PieceReport own_;
  bool isKept_ = false, isTooMuch_ = false, hasEnded_ = false;
  std::unordered_map<std::string, KeptResponse> kept_;
  std::vector<LabelValue> labels_;
  std::vector<std::uint8_t> mask_, shifted_;
};

class JoinedInput final : public Input {
public:
  JoinedInput(Source trainer, Source server, std::int64_t shift, const DataLimits& limits)
      : trainer_(std::move(trainer)), server_(std::move(server)), shift_(shift), limits_(limits) {
    for (const Source* side : {&trainer_, &server_})
      for (const std::unique_ptr<Input>& input : side->inputs())
        files_.insert(files_.end(), input->files().begin(), input->files().end());
  }

  std::span<const std::string> files() const override { return files_; }
  std::string form() const override {
    return fmt::format("{}, joined with {}", trainer_.inputs().front()->form(),
                       server_.inputs().front()->form());
  }
  std::uint64_t bytes() const override {
    std::uint64_t out = 0;
    for (const Source* side : {&trainer_, &server_})
      for (const std::unique_ptr<Input>& input : side->inputs())
        out += input->bytes();
    return out;
  }
  Survey survey() const override { return trainer_.survey(); }
  std::size_t pieces(const Layout&) const override { return 1; }
  std::unique_ptr<PieceReader> read(std::size_t, const Layout&) const override {
    return std::make_unique<JoinedReader>(trainer_, server_, shift_, limits_);
  }
  llvm::Error whyDamaged() const override {
    if (auto error = trainer_.whyNotIntact())
      return error;
    return server_.whyNotIntact();
  }

private:
  Source trainer_, server_;
  std::int64_t shift_;
  DataLimits limits_;
  std::vector<std::string> files_;
};

} // namespace

llvm::Error takeSide(Layout& layout, const Survey& survey, bool isTrainer,
                     std::string_view keyField) {
  layout.isOneSide = true;
  const Role own = isTrainer ? Role::Train : Role::Infer;
  const Role other = isTrainer ? Role::Infer : Role::Train;
  // A file may have both sides, of which one is asked for.
  const bool hasOwn = layout.find(own) && isThere(*layout.find(own), survey);
  std::erase_if(layout.bindings, [&](const Binding& binding) {
    return binding.role == other || binding.role == (hasOwn ? Role::Side : own) ||
           binding.role == Role::TrainRows || binding.role == Role::InferRows;
  });
  if (!layout.find(own) && !layout.find(Role::Side))
    return usageError(
        fmt::format("unknown format of the {}'s file; name its log-probs with --map {}=FIELD",
                    isTrainer ? "trainer" : "server", info(own).name));
  if (keyField == keyOfTokens && layout.find(Role::Ids)) {
    std::erase_if(layout.bindings, [](const Binding& each) { return each.role == Role::Key; });
    return llvm::Error::success();
  }
  if (keyField == info(Role::Key).name && layout.find(Role::Key))
    return llvm::Error::success();
  auto key = parseMap(fmt::format("key={}", keyField));
  if (!key)
    return key.takeError();
  if (keyField != info(Role::Key).name && !isThere(key->front(), survey))
    return usageError(fmt::format("--join names the field {}, which no record of the {}'s file has",
                                  utf8::ticked(keyField), isTrainer ? "trainer" : "server"));
  std::erase_if(layout.bindings, [](const Binding& each) { return each.role == Role::Key; });
  layout.bindings.push_back(std::move(key->front()));
  return llvm::Error::success();
}

std::unique_ptr<Input> joinedInput(Source trainer, Source server, std::int64_t shift,
                                   const DataLimits& limits) {
  return std::make_unique<JoinedInput>(std::move(trainer), std::move(server), shift, limits);
}

} // namespace tikc::data
