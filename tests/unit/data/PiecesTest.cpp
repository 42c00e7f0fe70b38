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

} // namespace
} // namespace tikc::data::tests
