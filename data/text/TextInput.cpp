#include "data/text/TextInput.h"

#include "data/bytes/Ahead.h"
#include "data/text/Survey.h"
#include "data/text/TextReader.h"
#include "support/UsageError.h"

#include <fmt/format.h>

#include <algorithm>

namespace tikc::data {
namespace {

constexpr std::size_t surveyedRecords = 64;
constexpr std::size_t surveyedText = std::size_t{16} << 20;

/// Bytes on their way to who reads them.
class DigestedStream final : public ByteStream {
public:
  DigestedStream(std::unique_ptr<ByteStream> inner, Digest& digest)
      : inner_(std::move(inner)), digest_(digest) {}
  std::size_t read(char* out, std::size_t size) override {
    const std::size_t count = inner_->read(out, size);
    digest_.add(std::string_view(out, count));
    return count == 0 && !inner_->fault().empty() ? fail(inner_->fault()) : count;
  }

private:
  std::unique_ptr<ByteStream> inner_;
  Digest& digest_;
};

/// Surveys the first records. `cut`: the size of the window, if the text goes on behind it; what
/// reaches the end of the window is left out.
Survey surveyed(Window window, const DataLimits& limits, std::optional<std::size_t> cut = {}) {
  const TextLayout layout = textLayoutOf(window, limits);
  Records records(std::move(window), layout, limits);
  const std::uint64_t begin = records.byte(); // behind whitespace
  Survey out;
  while (out.records < surveyedRecords && records.byte() - begin < surveyedText) {
    const auto record = records.next();
    if (!record || (cut && record->byte + record->text.size() >= *cut))
      break;
    if (record->fault.empty())
      survey(record->text, limits, out);
    else
      out.fault = record->fault;
  }
  if (out.fault.empty() && !cut)
    out.fault = records.fault();
  if (out.fault.empty() && out.fields.empty() && out.records > 0)
    out.fault = "expected records that are JSON objects with fields";
  return out;
}

std::string formOf(TextLayout layout, Packing packing) {
  std::string out = layout == TextLayout::Lines ? "JSON lines" : "JSON";
  return packing == Packing::None ? out : fmt::format("{}, {}", out, nameOf(packing));
}

class TextInput final : public Input {
public:
  TextInput(std::string name, std::shared_ptr<const MappedFile> file, const DataLimits& limits,
            bool isReadAhead)
      : name_(std::move(name)), file_(std::move(file)), limits_(limits), isReadAhead_(isReadAhead),
        packing_(packingOf(file_->bytes())) {
    Window start = window();
    text_ = textLayoutOf(start, limits_);
    cut();
    lines_ = std::make_unique<LineCounts>(begins_.size() - 1);
    file_->forget(file_->bytes()); // there may be thousands of files
  }

  std::span<const std::string> files() const override { return {&name_, 1}; }
  std::string form() const override { return formOf(text_, packing_); }
  std::uint64_t bytes() const override { return file_->bytes().size(); }
  Survey survey() const override {
    Survey out = surveyed(window(), limits_);
    file_->forget(file_->bytes());
    return out;
  }

  std::size_t pieces(const Layout&) const override { return begins_.size() - 1; }

  std::unique_ptr<PieceReader> read(std::size_t piece, const Layout& layout) const override {
    auto digest = std::make_unique<Digest>(limits_.digestsBytes);
    if (packing_ != Packing::None) {
      digest->add(std::uint64_t{0});
      // The text is what it is, packed or not.
      auto text = unpacked(streamOf(file_));
      auto bytes = std::make_unique<DigestedStream>(
          isReadAhead_ ? readAhead(std::move(text)) : std::move(text), *digest);
      return textReader({name_, Window(std::move(bytes)), text_, std::move(digest)}, layout,
                        limits_);
    }
    const auto [begin, end] = rangeOf(piece);
    const std::string_view text = file_->bytes().substr(begin, end - begin);
    digest->add(begin);
    auto part = std::make_unique<PartOfFile>(file_, text, *digest);
    return textReader({name_, Window(text, file_.get()), text_, std::move(digest), begin,
                       std::move(part), lines_.get(), piece},
                      layout, limits_);
  }

  std::uint64_t linesBefore(std::size_t piece) const override {
    return lines_->before(piece, [&](std::size_t each) {
      const auto [begin, end] = rangeOf(each);
      std::uint64_t lines = 0;
      file_->each(file_->bytes().substr(begin, end - begin), [&](std::string_view step) {
        lines += static_cast<std::uint64_t>(std::count(step.begin(), step.end(), '\n'));
      });
      return lines;
    });
  }

private:
  Window window() const {
    return packing_ == Packing::None ? Window(file_->bytes(), file_.get())
                                     : Window(unpacked(streamOf(file_)));
  }
  /// A line is of the piece that it begins in; where one is longer than pieces, those that it
  /// passes are empty.
  void cut() {
    const std::string_view text = file_->bytes();
    const bool isCut = packing_ == Packing::None && text_ == TextLayout::Lines;
    begins_ = {0};
    for (std::uint64_t at = limits_.pieceBytes; isCut && at < text.size(); at += limits_.pieceBytes)
      if (at <= begins_.back())
        begins_.push_back(begins_.back());
      else
        begins_.push_back(endOfLine(at - 1));
    begins_.push_back(text.size());
  }
  /// Where the line that has a byte ends.
  std::uint64_t endOfLine(std::uint64_t at) const {
    const std::string_view text = file_->bytes();
    for (; at < text.size(); at += MappedFile::step) {
      const std::string_view step = text.substr(at, MappedFile::step);
      const std::size_t end = step.find('\n');
      file_->forgetAround(at);
      if (end != std::string_view::npos)
        return at + end + 1;
    }
    return text.size();
  }
  std::pair<std::uint64_t, std::uint64_t> rangeOf(std::size_t piece) const {
    return {begins_[piece], begins_[piece + 1]};
  }

  std::string name_;
  std::shared_ptr<const MappedFile> file_;
  DataLimits limits_;
  bool isReadAhead_;
  Packing packing_;
  TextLayout text_ = TextLayout::Lines;
  std::vector<std::uint64_t> begins_; // of pieces, and the end
  std::unique_ptr<LineCounts> lines_;
};

/// What is shown to the survey is kept for who reads.
class StreamInput final : public Input {
public:
  StreamInput(int descriptor, const DataLimits& limits)
      : limits_(limits), digest_(std::make_unique<Digest>(limits.digestsBytes)) {
    digest_->add(std::uint64_t{0});
    window_ = Window(
        std::make_unique<DigestedStream>(unpacked(streamOfDescriptor(descriptor)), *digest_));
    text_ = textLayoutOf(window_, limits_);
    // A pipe gives little at a time, and the first record may be long.
    bool hasMore = true;
    for (std::size_t size = lookedAtBytes; hasMore && survey_.records == 0; size *= 2) {
      while (hasMore && window_.view().size() < size)
        hasMore = window_.grow();
      const std::size_t seen = window_.view().size();
      survey_ =
          surveyed(Window(window_.view()), limits_, hasMore ? std::optional(seen) : std::nullopt);
      if (seen > limits_.recordBytes) {
        if (survey_.records == 0 && survey_.fault.empty())
          survey_.fault = fmt::format("no record ends in the first {}", inBytes(seen));
        break;
      }
    }
  }

  bool isEmpty() const {
    return window_.offset() == 0 && window_.view().empty() && window_.fault().empty();
  }

  std::span<const std::string> files() const override { return {&name_, 1}; }
  std::string form() const override { return formOf(text_, Packing::None); }
  std::uint64_t bytes() const override { return 0; }
  Survey survey() const override { return survey_; }
  std::size_t pieces(const Layout&) const override { return 1; }
  bool canReadAgain() const override { return false; }
  std::unique_ptr<PieceReader> read(std::size_t, const Layout& layout) const override {
    return textReader({name_, std::move(window_), text_, std::move(digest_)}, layout, limits_);
  }

private:
  static constexpr std::size_t lookedAtBytes = std::size_t{1} << 20;

  std::string name_ = "<stdin>";
  DataLimits limits_;
  mutable std::unique_ptr<Digest> digest_;
  mutable Window window_{std::string_view()};
  Survey survey_;
  TextLayout text_ = TextLayout::Lines;
};

} // namespace

std::unique_ptr<Input> textInput(std::string name, std::shared_ptr<const MappedFile> file,
                                 const DataLimits& limits, bool isReadAhead) {
  return std::make_unique<TextInput>(std::move(name), std::move(file), limits, isReadAhead);
}

llvm::Expected<std::unique_ptr<Input>> streamInput(int descriptor, const DataLimits& limits) {
  auto out = std::make_unique<StreamInput>(descriptor, limits);
  if (out->isEmpty())
    return usageError("standard input is empty");
  return out;
}

} // namespace tikc::data
