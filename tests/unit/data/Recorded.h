#pragma once

#include "data/Source.h"
#include "unit/ScratchFolder.h"

#include <gtest/gtest.h>

#include <cstring>
#include <fstream>
#include <string>
#include <vector>

namespace tikc::data::tests {

template <typename Value> std::string bytesOfAll(std::initializer_list<Value> values) {
  std::string out(values.size() * sizeof(Value), '\0');
  std::memcpy(out.data(), std::data(values), out.size());
  return out;
}

/// A scratch folder with files of recorded data.
class RecordedTest : public ::testing::Test {
protected:
  std::string file(const std::string& name, std::string_view content) const {
    const std::string path = folder_.path() / name;
    std::ofstream(path, std::ios::binary) << content;
    return path;
  }

  static Source open(const std::vector<std::string>& paths, const Options& options = {}) {
    auto source = Source::open(paths, options);
    EXPECT_TRUE(static_cast<bool>(source));
    return std::move(*source);
  }

  static std::string whyNot(const std::vector<std::string>& paths, const Options& options = {}) {
    auto source = Source::open(paths, options);
    return source ? "" : llvm::toString(source.takeError());
  }

private:
  tikc::tests::ScratchFolder folder_;
};

/// A response that outlives its reader.
struct Copied {
  std::vector<float> train, infer;
  std::vector<int> mask;
  std::vector<std::int64_t> ids;
  std::optional<double> version, step, advantage, position;
  std::string key, label, versionText;
  std::uint64_t line = 0, byte = 0, response = 0;
};

inline Copied copyOf(const Response& from) {
  Copied out{{from.train.begin(), from.train.end()},
             {from.infer.begin(), from.infer.end()},
             {from.mask.begin(), from.mask.end()},
             {from.ids.begin(), from.ids.end()},
             from.version,
             from.step,
             from.advantage,
             from.position,
             std::string(from.key),
             from.labels.empty() ? "" : std::string(from.labels.front().value),
             std::string(from.versionText),
             from.at.line,
             from.at.byte,
             from.at.response};
  return out;
}

struct ReadAll {
  std::vector<Copied> responses;
  PieceReport report;
  std::vector<PieceId> ids;
};

inline ReadAll readAll(const Source& source) {
  ReadAll out;
  for (std::size_t i = 0; i < source.pieces(); ++i) {
    auto reader = source.read(i);
    Response response;
    while (reader->next(response)) {
      response.at = source.located(response.at);
      out.responses.push_back(copyOf(response));
    }
    out.report.add(reader->report(), 100);
    out.ids.push_back(reader->id());
  }
  for (Fault& fault : out.report.faults)
    fault = source.located(std::move(fault));
  return out;
}

} // namespace tikc::data::tests
