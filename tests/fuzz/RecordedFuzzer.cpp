#include "Require.h"
#include "data/Source.h"
#include "data/inspect/Summary.h"
#include "data/scalars/ScalarLog.h"

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>

// Any bytes as recorded data: read or refused, by whatever they look like, and by a map that
// everything fits.
namespace {

using namespace tikc;

data::DataLimits smallLimits() {
  data::DataLimits out;
  out.recordBytes = 1 << 16;
  out.pieceBytes = 1 << 10;
  out.arrayBytes = 1 << 20;
  return out;
}

void readAll(const data::Options& options, const std::string& path) {
  const std::string paths[] = {path};
  auto source = data::Source::open(paths, options);
  if (!source)
    return llvm::consumeError(source.takeError());
  if (source->layout().bindings.empty())
    return;
  const data::Summary summary = data::summarise(*source, 1, options.limits);
  require(summary.counted <= summary.tokens, "what counts is there");
  require(summary.signs.whole.tokens <= summary.counted, "what is compared counts");
  require(summary.report.faults.size() <= options.limits.faults, "faults are bounded");
  require((summary.report.broken == 0) == summary.report.faults.empty(), "what is broken is told");
  for (const data::Fault& fault : summary.report.faults)
    require(!fault.message.empty(), "a fault says something");
}

void readLogged(const std::string& path) {
  const std::string paths[] = {path};
  auto log = data::readScalars(paths, smallLimits(), [](std::string_view) { return true; });
  if (!log)
    return llvm::consumeError(log.takeError());
  std::uint64_t points = 0;
  for (const data::ScalarSeries& each : log->series)
    points += each.points.size();
  require(points == log->figures, "each logged number is kept where all are wanted");
}

/// A folder of this process alone, which goes with it.
struct Scratch {
  Scratch() {
    std::string pattern = std::filesystem::temp_directory_path() / "tikc-recorded-XXXXXX";
    folder = ::mkdtemp(pattern.data());
  }
  ~Scratch() { std::filesystem::remove_all(folder); }
  std::filesystem::path folder;
};

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  static const Scratch scratch;
  const std::string path = scratch.folder / "train";
  std::ofstream(path, std::ios::binary)
      .write(reinterpret_cast<const char*>(bytes), static_cast<std::streamsize>(size));
  data::Options options;
  options.limits = smallLimits();
  readAll(options, path);
  options.map = "train=train|a[].b,infer=train|infer|a[].c[1],mask=mask,ids=ids,length=length,"
                "version=version,key=key,task=task";
  readAll(options, path);
  readLogged(path);
  const std::string table = path + ".csv";
  std::filesystem::copy_file(path, table, std::filesystem::copy_options::overwrite_existing);
  readLogged(table);
  return 0;
}
