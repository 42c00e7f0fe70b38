#include "data/bytes/Digest.h"
#include "measure/Bytes.h"
#include "measure/Evidence.h"
#include "support/UsageError.h"
#include "support/Utf8.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <set>

/// Evidence is joined piece by piece: a tally cannot have a part of itself taken out again.
namespace tikc::measure {
namespace {

std::string shapeText(const EvidenceShape& shape) {
  return fmt::format("numbers of {}, judged {}", utf8::printable(shape.pair), shape.rounds.text());
}

llvm::Error whyNotOneShape(const NamedEvidence& one, const NamedEvidence& other) {
  const EvidenceShape &a = one.evidence.shape, &b = other.evidence.shape;
  if (a == b)
    return llvm::Error::success();
  const bool isSameText = shapeText(a) == shapeText(b);
  return usageError(
      fmt::format("{} and {} cannot be joined: one has {}, the other {}",
                  utf8::tickedPath(one.name), utf8::tickedPath(other.name), shapeText(a),
                  isSameText ? "the same for other clauses or slices" : shapeText(b)));
}

llvm::Error whyNotOneOrigin(const NamedEvidence& one, const NamedEvidence& other) {
  for (const EvidenceOrigin& a : one.evidence.origins)
    for (const EvidenceOrigin& b : other.evidence.origins)
      if (const auto differences = b.differencesFrom(a); !differences.empty())
        return usageError(
            &one == &other
                ? fmt::format("{} has different origins: {}; use --allow-other to accept it",
                              utf8::tickedPath(one.name), fmt::join(differences, ", "))
                : fmt::format(
                      "{} and {} have different origins: {}; use --allow-other to accept both",
                      utf8::tickedPath(other.name), utf8::tickedPath(one.name),
                      fmt::join(differences, ", ")));
  return llvm::Error::success();
}

/// In steps: either may lie in a mapped file.
bool isSameContent(const EvidencePiece& one, const EvidencePiece& other) {
  if (one.content.size() != other.content.size())
    return false;
  bool isSame = true;
  std::string_view rest = other.content;
  data::eachStep(one.content, one.file, [&](std::string_view step) {
    const std::string_view same = rest.substr(0, step.size());
    isSame = isSame && step == same;
    if (other.file != nullptr)
      other.file->forget(same);
    rest.remove_prefix(step.size());
  });
  return isSame;
}

/// Of one piece, known by two.
llvm::Error whyNotOnePiece(const NamedEvidence& one, const EvidencePiece& a,
                           const EvidenceOrigin& ofA, const NamedEvidence& other,
                           const EvidencePiece& b, const EvidenceOrigin& ofB) {
  const auto differences = ofB.differencesFrom(ofA);
  if (differences.empty() && isSameContent(a, b))
    return llvm::Error::success();
  const std::string file = a.site.files.empty() ? a.id.hex() : a.site.files.front();
  return usageError(
      fmt::format("{} and {} both have the same piece of {}, {}; only one of them can count",
                  utf8::tickedPath(one.name), utf8::tickedPath(other.name), utf8::tickedPath(file),
                  differences.empty() ? std::string("read in two ways")
                                      : fmt::format("{}", fmt::join(differences, ", "))));
}

/// Where the pieces of several come from, and what the origins of each are called in all.
struct JoinedPiece {
  const NamedEvidence* from;
  const EvidencePiece* piece;
  const EvidenceOrigin* origin;

  auto key() const { return std::tie(piece->site, *origin); }
};

std::vector<EvidenceOrigin> originsOf(const std::map<data::PieceId, JoinedPiece>& pieces) {
  std::set<EvidenceOrigin> out;
  for (const auto& [id, each] : pieces)
    out.insert(*each.origin);
  return {out.begin(), out.end()};
}

} // namespace

EvidenceShape EvidenceShape::of(const MeasuredPlan& subject) {
  data::Digest observed;
  observed.add(plan::printObserved(subject.plan));
  const data::PieceId id = observed.id();
  const std::uint64_t digest = detail::get_little(id.digest.data(), sizeof digest);
  return {plan::streamName(subject.plan.streams[subject.stream]), digest, subject.rounds};
}

EvidenceOrigin EvidenceOrigin::of(const MeasuredPlan& subject, std::string_view stage) {
  const plan::Plan& plan = subject.plan;
  return {plan.contract, plan.version,       plan.build,
          plan.digest,   std::string(stage), subject.loaded.fingerprint};
}

std::vector<std::string> EvidenceOrigin::differencesFrom(const EvidenceOrigin& wanted) const {
  std::vector<std::string> out;
  auto named = [](const std::string& text) {
    return text.empty() ? "not stated" : utf8::ticked(text);
  };
  auto hold = [&](std::string_view what, const std::string& fresh, const std::string& other) {
    if (fresh != other)
      out.push_back(fmt::format("the {} is {} instead of {}", what, named(fresh), named(other)));
  };
  hold("contract", contract, wanted.contract);
  if (fingerprint != wanted.fingerprint)
    out.push_back(fmt::format("the contract's fingerprint is {:#018x} instead of {:#018x}",
                              fingerprint, wanted.fingerprint));
  hold("build", build, wanted.build);
  hold("digest of the model", digest, wanted.digest);
  hold("stage", stage, wanted.stage);
  return out;
}

llvm::Expected<std::size_t> pairNamed(const plan::Plan& plan, const std::string& wanted) {
  std::vector<std::string> names;
  for (const plan::Stream& each : plan.streams)
    names.push_back(plan::streamName(each));
  if (wanted.empty())
    return 0;
  const auto match = std::find(names.begin(), names.end(), wanted);
  if (match == names.end())
    return usageError(fmt::format("unknown pair {}; expected one of {}", utf8::ticked(wanted),
                                  utf8::printable(fmt::format("{}", fmt::join(names, ", ")))));
  return static_cast<std::size_t>(match - names.begin());
}

llvm::Error whyNotJudged(const EvidenceShape& shape, const MeasuredPlan& wanted) {
  const EvidenceShape asked = EvidenceShape::of(wanted);
  if (asked.pair != shape.pair)
    return usageError(fmt::format("the evidence is for {}, expected {}",
                                  utf8::printable(shape.pair), asked.pair));
  if (asked.rounds != shape.rounds)
    return usageError(fmt::format("the evidence was made to be judged {}; it cannot be judged {}",
                                  shape.rounds.text(), asked.rounds.text()));
  if (asked.tallies != shape.tallies)
    return usageError("the evidence belongs to a contract with other clauses, slices or kernels");
  return llvm::Error::success();
}

llvm::Expected<MeasuredPlan> subjectOf(const plan::Plan& plan, const engine::LoadedPlan& loaded,
                                       const Evidence& evidence) {
  auto stream = pairNamed(plan, evidence.shape.pair);
  if (!stream)
    return stream.takeError();
  MeasuredPlan out{plan, loaded, *stream, evidence.shape.rounds};
  const std::string stage = evidence.origins.empty() ? "" : evidence.origins.front().stage;
  for (const plan::Stage& each : plan.stages)
    if (each.name == stage)
      out.confidence = each.confidence;
  if (auto error = whyNotJudged(evidence.shape, out))
    return error;
  return out;
}

llvm::Expected<Evidence> joined(std::span<const NamedEvidence> all, bool allowsOther) {
  Evidence out;
  out.shape = all.front().evidence.shape;
  std::map<data::PieceId, JoinedPiece> pieces;
  for (const NamedEvidence& each : all) {
    if (auto error = whyNotOneShape(all.front(), each))
      return error;
    // Of what differs in three ways two differ from the first.
    if (!allowsOther)
      if (auto error = whyNotOneOrigin(all.front(), each))
        return error;
    for (const EvidencePiece& piece : each.evidence.pieces) {
      const JoinedPiece next{&each, &piece, &each.evidence.origins[piece.origin]};
      auto [at, isNew] = pieces.try_emplace(piece.id, next);
      if (isNew)
        continue;
      const JoinedPiece& known = at->second;
      if (auto error =
              whyNotOnePiece(*known.from, *known.piece, *known.origin, each, piece, *next.origin))
        return error;
      if (next.key() < known.key())
        at->second = next;
    }
    out.kept.insert(out.kept.end(), each.evidence.kept.begin(), each.evidence.kept.end());
  }
  out.origins = originsOf(pieces);
  for (const auto& [id, each] : pieces) {
    out.pieces.push_back(*each.piece);
    out.pieces.back().origin = static_cast<std::size_t>(
        std::lower_bound(out.origins.begin(), out.origins.end(), *each.origin) -
        out.origins.begin());
  }
  return out;
}

std::vector<std::string> othersIn(const Evidence& evidence, const EvidenceOrigin& wanted) {
  std::vector<std::string> out;
  for (std::size_t i = 0; i < evidence.origins.size(); ++i) {
    const auto differences = evidence.origins[i].differencesFrom(wanted);
    if (differences.empty())
      continue;
    const auto count = std::count_if(evidence.pieces.begin(), evidence.pieces.end(),
                                     [&](const EvidencePiece& each) { return each.origin == i; });
    out.push_back(fmt::format("{} of {} pieces of the evidence {} a different origin: {}", count,
                              evidence.pieces.size(), count == 1 ? "has" : "have",
                              fmt::join(differences, ", ")));
  }
  return out;
}

EvidenceSummary summaryOf(const Evidence& evidence) {
  EvidenceSummary out;
  std::set<std::string_view> files;
  for (const EvidencePiece& piece : evidence.pieces) {
    files.insert(piece.site.files.begin(), piece.site.files.end());
    const auto content = EvidenceContent::read(piece, [&](const EvidenceFragment& each) {
      if (each.begins)
        out.first = std::min(out.first.value_or(*each.begins), *each.begins);
      if (each.ends)
        out.last = std::max(out.last.value_or(*each.ends), *each.ends);
    });
    if (content) // else its file was rewritten, and what is written here is not shown
      out.intake.add(content->intake);
  }
  out.pieces = evidence.pieces.size();
  out.files = files.size();
  return out;
}

std::string EvidenceSummary::text() const {
  std::string out = fmt::format("{} piece{} of {} file{}", pieces, pieces == 1 ? "" : "s", files,
                                files == 1 ? "" : "s");
  if (first && last)
    out += fmt::format(", seconds {} to {}", *first, *last);
  return out;
}

} // namespace tikc::measure
