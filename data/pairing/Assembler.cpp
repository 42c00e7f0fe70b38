#include "data/pairing/Assembler.h"

#include "data/pairing/Words.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>

namespace tikc::data {
namespace {

template <typename Value> std::span<const Value> from(std::span<const Value> list, std::size_t n) {
  return list.subspan(std::min(n, list.size()));
}

std::span<const double> numbersOf(const ResponseFields& fields, Role role) {
  return fields.numbers[static_cast<std::size_t>(role)];
}

/// Each list that has an entry for each token.
template <typename Change> void changeLists(Response& response, Change&& change) {
  change(response.train);
  change(response.infer);
  change(response.trainWritten);
  change(response.inferWritten);
  change(response.ids);
  change(response.mask);
}

std::string whyNoPosition(double value) {
  return value == std::floor(value) && std::abs(value) < exactWhole
             ? std::string()
             : fmt::format("expected a whole number below 2^53 as position, found {}", value);
}

std::string tokens(std::size_t count) {
  return fmt::format("{} token{}", grouped(count), count == 1 ? "" : "s");
}

} // namespace

void applyShift(std::int64_t shift, Response& out, std::vector<std::uint8_t>& mask,
                PieceReport& report) {
  if (shift == 0 || out.train.empty() || out.infer.empty())
    return;
  const std::size_t size = out.size();
  const auto moved = static_cast<std::size_t>(shift < 0 ? -(shift + 1) + 1 : shift);
  const std::size_t left = size - std::min(moved, size);
  report.skipped += size - left;
  if (!out.mask.empty()) {
    mask.assign(left, 0);
    for (std::size_t i = 0; i < left; ++i)
      mask[i] = out.mask[i] != 0 && out.mask[i + moved] != 0 ? 1 : 0;
    out.mask = mask;
  }
  if (shift < 0) {
    out.offset += size - left;
    out.position = out.position.value_or(0) + static_cast<double>(size - left);
  }
  auto cut = [&](auto& list, bool isFirst) {
    const std::size_t count = std::min(left, list.size());
    list = isFirst ? list.first(count) : list.last(count);
  };
  cut(out.train, shift < 0);
  cut(out.trainWritten, shift < 0);
  cut(out.infer, shift > 0);
  cut(out.inferWritten, shift > 0);
  cut(out.ids, shift > 0);
}

std::optional<double> stepInName(std::string_view path) {
  constexpr std::string_view word = "step";
  constexpr std::string_view digits = "0123456789";
  constexpr std::size_t none = std::string_view::npos;
  for (std::size_t at = path.rfind(word); at != none;
       at = at == 0 ? none : path.rfind(word, at - 1)) {
    std::string_view number = path.substr(at + word.size());
    if (number.starts_with('_') || number.starts_with('-') || number.starts_with('='))
      number.remove_prefix(1);
    number = number.substr(0, number.find_first_not_of(digits));
    const bool isWord = at == 0 || std::isalpha(static_cast<unsigned char>(path[at - 1])) == 0;
    std::uint32_t step = 0;
    if (isWord && !number.empty() &&
        std::from_chars(number.data(), number.data() + number.size(), step).ec == std::errc())
      return step;
  }
  return std::nullopt;
}

std::string Assembler::whyNoStep(const ResponseFields& fields, std::string& field) {
  const std::span<const double> all = numbersOf(fields, Role::Step);
  if (std::none_of(all.begin(), all.end(), [](double each) { return std::isinf(each); }))
    return {};
  field = info(Role::Step).name;
  return "expected a step that its type represents exactly, and below 2^53";
}

std::string Assembler::assemble(const ResponseFields& fields, Response& out, PieceReport& report,
                                std::string& field) {
  if (std::string fault = takeTokens(fields, out, report, field); !fault.empty())
    return fault;
  trim(out, report);
  leaveOutFront(out, report);
  dropPrompt(out, report);
  if (!isKept_) {
    nothing_.assign(out.size(), 0);
    out.mask = nothing_;
  }
  if (std::string fault = takePosition(fields, out, field); !fault.empty())
    return fault;
  if (std::string fault = whyNoStep(fields, field); !fault.empty())
    return fault;
  out.version = numberOf(fields, Role::Version, out, report);
  out.step = stepOf(fields, out, out.at.file, report);
  out.time = numberOf(fields, Role::Time, out, report);
  out.reward = numberOf(fields, Role::Reward, out, report);
  out.advantage = numberOf(fields, Role::Advantage, out, report);
  out.handed = {endsOf(fields, Role::Reward, out), endsOf(fields, Role::Advantage, out),
                endsOf(fields, Role::ScoreNorm, out)};
  out.versionText = fields.versionText;
  out.key = fields.key;
  out.labels = fields.labels;
  out.isPossible = fields.isPossible;
  applyShift(layout_.shift, out, shifted_, report);
  out.marks = {fields.mask.has_value(), !numbersOf(fields, Role::Length).empty(),
               !numbersOf(fields, Role::Kept).empty(), !numbersOf(fields, Role::Step).empty()};
  ++report.responses;
  report.withMask += out.marks.mask ? 1U : 0U;
  report.withLength += out.marks.length ? 1U : 0U;
  report.withKept += out.marks.kept ? 1U : 0U;
  report.withStep += out.step ? 1U : 0U;
  return {};
}

std::string Assembler::takeTokens(const ResponseFields& fields, Response& out, PieceReport& report,
                                  std::string& field) {
  // Before a shift everything is as long as it was written.
  const std::size_t written = fields.infer ? fields.infer->size() : fields.train->size();
  auto matches = [&](std::string_view name, std::size_t size) {
    if (size == written)
      return std::string();
    field = name;
    return fmt::format("{} has {}, but {} has {}", name, tokens(size),
                       fields.infer ? "infer" : "train", tokens(written));
  };
  const std::size_t skipped = layout_.traps.skipped;
  if (fields.train && fields.infer)
    if (std::string fault = matches("train", fields.train->size()); !fault.empty())
      return fault;
  if (fields.mask) {
    if (std::string fault = matches("mask", fields.mask->size()); !fault.empty())
      return fault;
    out.mask = from(*fields.mask, skipped);
  }
  if (fields.ids) {
    std::span<const std::int64_t> ids = *fields.ids;
    if (layout_.traps.hasLongIds && ids.size() > written) {
      out.promptTokens = static_cast<double>(ids.size() - written);
      ids = ids.last(written);
    }
    if (std::string fault = matches("ids", ids.size()); !fault.empty())
      return fault;
    out.ids = from(ids, skipped);
  }
  if (fields.train)
    out.train = from(*fields.train, skipped);
  if (fields.infer)
    out.infer = from(*fields.infer, skipped);
  out.trainWritten = from(fields.trainWritten, skipped);
  out.inferWritten = from(fields.inferWritten, skipped);
  if (std::string fault = takeEnd(fields, written, field); !fault.empty())
    return fault;
  for (const Role role : {Role::Position, Role::Reward, Role::Advantage, Role::ScoreNorm})
    if (const std::size_t size = numbersOf(fields, role).size(); size > 1)
      if (std::string fault = matches(info(role).name, size); !fault.empty())
        return fault;
  out.offset = std::min(skipped, written);
  report.skipped += out.offset;
  return {};
}

std::string Assembler::takeEnd(const ResponseFields& fields, std::uint64_t written,
                               std::string& field) {
  const std::span<const double> length = numbersOf(fields, Role::Length);
  const std::span<const double> kept = numbersOf(fields, Role::Kept);
  length_.reset();
  auto refuse = [&](Role role, std::string why) {
    field = info(role).name;
    return why;
  };
  if (length.size() > 1)
    return refuse(Role::Length,
                  fmt::format("expected one length per response, found {}", length.size()));
  if (!length.empty()) {
    const double said = length.front();
    // Written so that NaN is none.
    if (!(said >= 0 && said <= static_cast<double>(written)) || said != std::floor(said))
      return refuse(Role::Length, fmt::format("expected a whole number of at most {}, found {}",
                                              tokens(written), said));
    length_ = static_cast<std::uint64_t>(said);
  }
  for (const double each : kept)
    if (kept.size() > 1 || (each != 0 && each != 1))
      return refuse(Role::Kept, "expected 0 or 1 for each response");
  isKept_ = kept.empty() || kept.front() == 1;
  return {};
}

bool Assembler::assembleRow(const ResponseFields& fields, const RowOf& where, RowPair& out,
                            PieceReport& report, std::string& field, std::string& fault) {
  fault = takeEnd(fields, where.places, field);
  if (!fault.empty())
    return false;
  const std::uint64_t skipped = where.places == 0 ? 0 : layout_.traps.skipped;
  const bool isSkipped = where.place < skipped;
  const bool isPadding = !isSkipped && length_ && where.place >= *length_;
  report.skipped += isSkipped;
  report.padding += isPadding;
  if (isSkipped || isPadding)
    return false;
  out.counts = isKept_ && (!fields.mask || fields.mask->front() != 0);
  if (fields.ids)
    out.id = fields.ids->front();
  const Response none;
  out.position = numberOf(fields, Role::Position, none, report);
  if (out.position && !(fault = whyNoPosition(*out.position)).empty()) {
    field = info(Role::Position).name;
    return false;
  }
  if (!(fault = whyNoStep(fields, field)).empty())
    return false;
  const bool saysNone = numbersOf(fields, Role::Position).empty();
  if (where.places != 0 && !where.hasOwnPosition && (out.position || saysNone))
    out.position = out.position.value_or(0) + static_cast<double>(where.place - skipped);
  out.version = numberOf(fields, Role::Version, none, report);
  out.step = stepOf(fields, none, out.at.file, report);
  out.time = numberOf(fields, Role::Time, none, report);
  out.labels = fields.labels;
  return true;
}

/// Where the response begins that a prompt is in front of.
void Assembler::dropPrompt(Response& out, PieceReport& report) {
  if (!layout_.traps.hasPrompt)
    return;
  std::size_t prompt = 0;
  while (prompt < out.mask.size() && out.mask[prompt] == 0)
    ++prompt;
  // A response of which nothing counts is one all the same.
  if (prompt == out.mask.size())
    return;
  out.offset += prompt;
  out.promptTokens = static_cast<double>(out.offset);
  report.skipped += prompt;
  changeLists(out, [&](auto& list) { list = from(list, prompt); });
}

/// Zeros of both sides in front are a prompt's places, where neither a length nor a mask says that
/// they are data. Positions keep counting them, as nothing shows where the
/// response begins.
void Assembler::leaveOutFront(Response& out, PieceReport& report) {
  if (!trimsZeros_ || length_ || !out.mask.empty() || out.train.empty() || out.infer.empty())
    return;
  std::size_t front = 0;
  while (front < out.size() && out.train[front] == 0 && out.infer[front] == 0)
    ++front;
  if (front == 0)
    return;
  mask_.assign(out.size(), 1);
  std::fill_n(mask_.begin(), front, 0);
  out.mask = mask_;
  report.padding += front;
}

void Assembler::trim(Response& out, PieceReport& report) {
  std::size_t size = out.size();
  const std::uint64_t skipped = layout_.traps.skipped;
  if (length_)
    size = std::min<std::size_t>(size, *length_ - std::min(*length_, skipped));
  // A token that counts is none that pads, whatever its numbers are.
  if (trimsZeros_ && !length_)
    while (size > 0 && (out.train.empty() || out.train[size - 1] == 0) &&
           (out.infer.empty() || out.infer[size - 1] == 0) &&
           (out.mask.empty() || out.mask[size - 1] == 0))
      --size;
  report.padding += out.size() - size;
  changeLists(out, [&](auto& list) { list = list.first(std::min(size, list.size())); });
}

std::optional<double> Assembler::stepOf(const ResponseFields& fields, const Response& response,
                                        std::string_view file, PieceReport& report) {
  if (!numbersOf(fields, Role::Step).empty())
    return numberOf(fields, Role::Step, response, report);
  if (file != file_) {
    file_ = file;
    stepOfFile_ = stepInName(file);
  }
  return stepOfFile_;
}

/// A list of positions, one per token, counts up from the first one.
std::string Assembler::takePosition(const ResponseFields& fields, Response& out,
                                    std::string& field) {
  const std::span<const double> all = numbersOf(fields, Role::Position);
  if (all.size() == 1) {
    if (std::string fault = whyNoPosition(all.front()); !fault.empty()) {
      field = info(Role::Position).name;
      return fault;
    }
    out.position = all.front();
    return {};
  }
  for (std::size_t i = 0; i < out.size() && !all.empty(); ++i) {
    if (!out.counts(i))
      continue;
    const std::size_t entry = out.offset + i;
    const double first = all[entry] - static_cast<double>(i);
    if (!whyNoPosition(first).empty() || (out.position && *out.position != first)) {
      field = info(Role::Position).name;
      return fmt::format("expected the first token's position, or positions that count up by 1, "
                         "found {} at entry {}",
                         all[entry], entry);
    }
    out.position = first;
  }
  return {};
}

/// One number of a response: of a list by token the one that all tokens have that count.
std::optional<double> Assembler::numberOf(const ResponseFields& fields, Role role,
                                          const Response& response, PieceReport& report) const {
  const std::span<const double> all = numbersOf(fields, role);
  std::optional<double> value;
  if (all.empty())
    return value;
  const std::size_t skipped = all.size() == 1 ? 0 : response.offset;
  bool isOne = true;
  for (std::size_t i = skipped; i < all.size(); ++i) {
    const std::size_t token = i - skipped;
    if (all.size() > 1 && (token >= response.size() || !response.counts(token)))
      continue;
    isOne = isOne && (!value || *value == all[i]);
    value = all[i];
  }
  if (isOne && value && std::isfinite(*value))
    return value;
  ++report.unknownValues;
  return std::nullopt;
}

/// What is NaN was not known.
std::optional<HandedIn::Ends> Assembler::endsOf(const ResponseFields& fields, Role role,
                                                const Response& response) const {
  const std::span<const double> all = fields.numbers[static_cast<std::size_t>(role)];
  const std::size_t skipped = all.size() > 1 ? response.offset : 0;
  std::optional<HandedIn::Ends> out;
  for (std::size_t i = skipped; i < all.size(); ++i) {
    const std::size_t token = i - skipped;
    const bool counts = all.size() == 1 || (token < response.size() && response.counts(token));
    if (!counts || std::isnan(all[i]))
      continue;
    out = out ? HandedIn::Ends{std::min(out->least, all[i]), std::max(out->greatest, all[i])}
              : HandedIn::Ends{all[i], all[i]};
  }
  return out;
}

} // namespace tikc::data
