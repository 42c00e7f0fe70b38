#include "unit/data/Recorded.h"

#include <gmock/gmock.h>

#include <fmt/format.h>

#include <numeric>
#include <stdexcept>
#include <thread>

namespace tikc::data::tests {
namespace {

class PiecesTest : public RecordedTest {
protected:
  Source pieces(std::size_t count) const {
    std::vector<std::string> files;
    for (std::size_t i = 0; i < count; ++i)
      files.push_back(file(fmt::format("{}.jsonl", i),
                           fmt::format(R"({{"train": [-{0}], "infer": [-{0}]}})", i + 1)));
    return open(files);
  }
};

TEST_F(PiecesTest, AreHandedOverInTheirOrderWhateverComesFirst) {
  const Source source = pieces(12);
  for (unsigned jobs : {1U, 2U, 5U, 50U}) {
    std::vector<std::size_t> order;
    forEachPiece(source, jobs, [&](std::size_t piece, PieceReader& reader) -> HandOver {
      // The earlier, the later it is done.
      std::this_thread::sleep_for(std::chrono::milliseconds(2 * (12 - piece) % 7));
      Response response;
      EXPECT_TRUE(reader.next(response));
      return [&order, piece] { order.push_back(piece); };
    });
    std::vector<std::size_t> wanted(12);
    std::iota(wanted.begin(), wanted.end(), 0);
    EXPECT_EQ(order, wanted) << jobs;
  }
}

TEST_F(PiecesTest, AFaultInOneLeavesNoneWaiting) {
  const Source source = pieces(12);
  for (bool isHandingOver : {false, true})
    for (std::size_t at : {std::size_t{0}, std::size_t{5}, std::size_t{11}}) {
      std::size_t done = 0;
      auto work = [&](std::size_t piece, PieceReader&) -> HandOver {
        if (piece == at && !isHandingOver)
          throw std::runtime_error("read");
        return [&, piece] {
          if (piece == at)
            throw std::runtime_error("handed over");
          ++done;
        };
      };
      EXPECT_THROW(forEachPiece(source, 4, work), std::runtime_error);
      EXPECT_LE(done, at);
    }
}

TEST_F(PiecesTest, AreThoseOfEachInputOneBehindTheOther) {
  const std::string line = R"({"train": [-1.25], "infer": [-1.25]})"
                           "\n";
  Options options;
  options.limits.pieceBytes = line.size();
  std::vector<std::string> files;
  std::vector<std::size_t> input;
  std::vector<std::uint64_t> lines;
  for (std::size_t i = 0; i < 20; ++i) {
    std::string text;
    for (std::size_t number = 1; number <= 1 + i % 4; ++number) {
      text += line;
      input.push_back(i);
      lines.push_back(number);
    }
    files.push_back(file(fmt::format("{}.jsonl", i), text));
  }
  const Source source = open(files, options);
  ASSERT_EQ(source.pieces(), input.size());
  for (const std::size_t piece : {source.pieces() - 1, std::size_t{0}, source.pieces() / 2}) {
    auto reader = source.read(piece);
    Response response;
    ASSERT_TRUE(reader->next(response));
    EXPECT_EQ(response.at.file, files[input[piece]]);
    EXPECT_EQ(response.at.piece, piece);
    EXPECT_FALSE(reader->next(response));
    EXPECT_EQ(source.mayBeCopy(piece), input[piece] != 0);
  }
  const ReadAll all = readAll(source);
  ASSERT_EQ(all.responses.size(), lines.size());
  for (std::size_t i = 0; i < lines.size(); ++i)
    EXPECT_EQ(all.responses[i].line, lines[i]) << i;
}

} // namespace
} // namespace tikc::data::tests
