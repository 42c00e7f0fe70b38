#include "data/arrays/LlamaInput.h"

#include "data/bytes/Digest.h"
#include "support/UsageError.h"
#include "support/Utf8.h"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <cstring>

namespace tikc::data {
namespace {

constexpr std::string_view llamaStart = "_logits_";
constexpr std::size_t llamaHeader = 20;
constexpr std::size_t llamaRowHead = 8; // the scale, and the smallest log-prob
constexpr double llamaReach = 16;       // nats that log-probs span; smaller ones are raised
constexpr double llamaRounding = 1e-3;  // more than 16 bits leave of a sum's logarithm

/// Log-probs of each token's alternatives in 16 bits, chunk by chunk, native-endian.
struct LlamaView {
  std::string_view file, bytes;
  std::uint64_t context = 0, vocabulary = 0, chunks = 0;

  std::uint64_t firstRow() const { return context / 2; }
  std::uint64_t rowsOfChunk() const { return context - 1 - firstRow(); }
  std::uint64_t rows() const { return chunks * rowsOfChunk(); }
  std::uint64_t rowBytes() const { return 2 * (2 * ((vocabulary + 1) / 2) + 4); }
  std::uint64_t tokenBytes() const { return 4 * chunks * context; }
  std::uint64_t offset(std::uint64_t row) const {
    return llamaHeader + tokenBytes() + row * rowBytes();
  }
  std::string_view tokens() const { return bytes.substr(llamaHeader, tokenBytes()); }
  std::string_view row(std::uint64_t row) const { return bytes.substr(offset(row), rowBytes()); }

  /// The token that came after a row's context.
  std::int64_t tokenAfter(std::uint64_t row) const {
    const std::uint64_t at = row / rowsOfChunk() * context + firstRow() + row % rowsOfChunk() + 1;
    std::int32_t token = 0;
    std::memcpy(&token, bytes.data() + llamaHeader + 4 * at, sizeof token);
    return token;
  }
};

llvm::Expected<LlamaView> viewOf(const LlamaFile& file) {
  LlamaView out;
  out.bytes = file.file->bytes();
  std::int32_t head[3] = {};
  if (out.bytes.size() >= llamaHeader)
    std::memcpy(head, out.bytes.data() + llamaStart.size(), sizeof head);
  // What these bound is far from 64 bits.
  if (head[0] < 4 || head[1] < 2 || head[2] < 1 || head[1] > 1 << 24 || head[0] > 1 << 24)
    return usageError(
        fmt::format("{}: byte 8: invalid header: a context of {}, a vocabulary of {} and {} chunks",
                    utf8::tickedPath(file.name), head[0], head[1], head[2]));
  out.context = static_cast<std::uint64_t>(head[0]);
  out.vocabulary = static_cast<std::uint64_t>(head[1]);
  out.chunks = static_cast<std::uint64_t>(head[2]);
  std::uint64_t wanted = 0;
  const bool isTooMuch = __builtin_mul_overflow(out.rows(), out.rowBytes(), &wanted);
  if (isTooMuch || wanted > out.bytes.size() ||
      wanted + out.tokenBytes() + llamaHeader != out.bytes.size())
    return usageError(fmt::format("{}: expected {} chunks of {} tokens, found {} of data; the file "
                                  "is truncated or still being written",
                                  utf8::tickedPath(file.name), out.chunks, out.context,
                                  inBytes(out.bytes.size())));
  return out;
}

class LlamaReader final : public PieceReader {
public:
  LlamaReader(const LlamaView& train, const LlamaView& infer, std::uint64_t begin,
              std::uint64_t end, std::size_t mostFaults)
      : train_(train), infer_(infer), at_(begin), end_(end), mostFaults_(mostFaults),
        trainRow_(train.vocabulary), inferRow_(train.vocabulary) {
    digest_.add(begin);
    report_.found = {"train_rows", "infer_rows"};
  }

  bool nextRow(RowPair& out) override {
    while (at_ < end_) {
      const std::uint64_t row = at_++;
      ++report_.records;
      const std::string ofTrain = unpack(train_, row, trainRow_);
      const std::string ofInfer = unpack(infer_, row, inferRow_);
      const std::int64_t token = train_.tokenAfter(row);
      const bool isKnown = token >= 0 && static_cast<std::uint64_t>(token) < train_.vocabulary;
      const LlamaView& view = ofTrain.empty() && !ofInfer.empty() ? infer_ : train_;
      const Place at{view.file, number_, 0, view.offset(row), row + 1, {}};
      if (!ofTrain.empty() || !ofInfer.empty() || !isKnown) {
        ++report_.broken;
        if (report_.faults.size() < mostFaults_)
          report_.faults.push_back(faultAt(
              at, !ofTrain.empty()   ? ofTrain
                  : !ofInfer.empty() ? ofInfer
                                     : fmt::format("token {} is not in the vocabulary of {}", token,
                                                   train_.vocabulary)));
        continue;
      }
      out = {{trainRow_.data(), number_format::fp32},
             {inferRow_.data(), number_format::fp32},
             train_.vocabulary,
             token,
             at};
      return true;
    }
    return false;
  }
  PieceId id() override { return digest_.id(); }

private:
  /// What is wrong with the row, or nothing.
  std::string unpack(const LlamaView& view, std::uint64_t row, std::vector<float>& out) {
    const std::string_view bytes = view.row(row);
    digest_.add(bytes);
    float scale = 0, smallest = 0;
    std::memcpy(&scale, bytes.data(), sizeof scale);
    std::memcpy(&smallest, bytes.data() + sizeof scale, sizeof smallest);
    if (!(scale >= 0) || !std::isfinite(scale) || !std::isfinite(smallest))
      return fmt::format("row {} has a scale of {} and a smallest log-prob of {}: expected finite "
                         "numbers, and no scale below 0",
                         row, scale, smallest);
    // A step is two bytes, and its probability the product of what each of them adds.
    for (std::size_t i = 0; i < high_.size(); ++i) {
      high_[i] = std::exp(static_cast<double>(scale) * 256 * static_cast<double>(i) +
                          static_cast<double>(smallest));
      low_[i] = std::exp(static_cast<double>(scale) * static_cast<double>(i));
    }
    double sum = 0;
    for (std::size_t i = 0; i < out.size(); ++i) {
      std::uint16_t steps = 0;
      std::memcpy(&steps, bytes.data() + llamaRowHead + 2 * i, sizeof steps);
      out[i] = scale * static_cast<float>(steps) + smallest;
      sum += high_[steps >> 8] * low_[steps & 255];
    }
    // Log-probs out of reach are written as larger ones.
    const double most = static_cast<double>(out.size()) * std::exp(-llamaReach);
    const double logSum = std::log(sum);
    if (logSum >= -llamaRounding && logSum <= std::log1p(most) + llamaRounding)
      return {};
    return fmt::format("row {} has a scale of {} and a smallest log-prob of {}, by which its "
                       "probabilities sum to {:.3g}: expected 1",
                       row, scale, smallest, sum);
  }

  LlamaView train_, infer_;
  std::uint64_t at_, end_;
  std::size_t mostFaults_;
  std::vector<float> trainRow_, inferRow_;
  std::array<double, 256> high_{}, low_{};
  Digest digest_;
};

class LlamaInput final : public Input {
public:
  LlamaInput(std::span<const LlamaFile> files, const LlamaView& train, const LlamaView& infer,
             const DataLimits& limits)
      : owners_{files[0].file, files[1].file}, files_{files[0].name, files[1].name}, train_(train),
        infer_(infer), limits_(limits) {
    train_.file = files_[0];
    infer_.file = files_[1];
  }

  std::span<const std::string> files() const override { return files_; }
  std::string form() const override { return "llama.cpp's pair of log-probs"; }
  std::uint64_t bytes() const override { return train_.bytes.size() + infer_.bytes.size(); }
  Survey survey() const override {
    Survey out;
    out.isWhole = true;
    out.records = 1;
    for (std::string_view side : {"train_rows", "infer_rows"}) {
      SurveyedField& field = out.at(side);
      field.kind = "log-probs in 16 bits";
      field.isArray = field.isRaw = true;
      field.dimensions = 2;
      field.shape = fmt::format("[{}, {}]", train_.rows(), train_.vocabulary);
      field.records = 1;
    }
    return out;
  }
  std::size_t pieces(const Layout&) const override {
    return static_cast<std::size_t>((train_.rows() + rowsOfPiece() - 1) / rowsOfPiece());
  }
  std::unique_ptr<PieceReader> read(std::size_t piece, const Layout&) const override {
    const std::uint64_t begin = piece * rowsOfPiece();
    return std::make_unique<LlamaReader>(
        train_, infer_, begin, std::min(train_.rows(), begin + rowsOfPiece()), limits_.faults);
  }

private:
  std::uint64_t rowsOfPiece() const {
    return std::max<std::uint64_t>(1, limits_.pieceBytes / train_.rowBytes());
  }

  std::vector<std::shared_ptr<const MappedFile>> owners_;
  std::vector<std::string> files_;
  LlamaView train_, infer_;
  DataLimits limits_;
};

} // namespace

bool isLlamaFile(std::string_view bytes) { return bytes.starts_with(llamaStart); }

llvm::Expected<std::unique_ptr<Input>> llamaInput(std::span<const LlamaFile> files,
                                                  const DataLimits& limits) {
  if (files.size() != 2)
    return usageError(
        fmt::format("llama.cpp data require two files, the trainer's and the server's; found {}",
                    files.size()));
  auto train = viewOf(files[0]);
  if (!train)
    return train.takeError();
  auto infer = viewOf(files[1]);
  if (!infer)
    return infer.takeError();
  if (train->context != infer->context || train->vocabulary != infer->vocabulary ||
      train->tokens() != infer->tokens())
    return usageError(fmt::format("{} and {} differ in text or vocabulary",
                                  utf8::tickedPath(files[0].name),
                                  utf8::tickedPath(files[1].name)));
  return std::make_unique<LlamaInput>(files, *train, *infer, limits);
}

} // namespace tikc::data
