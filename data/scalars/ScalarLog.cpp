#include "data/scalars/ScalarLog.h"

#include "data/Fault.h"
#include "data/Paths.h"
#include "data/bytes/Mapped.h"
#include "data/bytes/Stream.h"
#include "data/scalars/ScalarBuilder.h"
#include "support/UsageError.h"
#include "support/Utf8.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

namespace tikc::data {
namespace {

/// Packed or not, whole; a fault is what is wrong with it.
std::string wholeText(const std::shared_ptr<const MappedFile>& file, const DataLimits& limits,
                      std::string& out) {
  Window window = packingOf(file->bytes()) == Packing::None ? Window(file->bytes())
                                                            : Window(unpacked(streamOf(file)));
  while (window.view().size() <= limits.arrayBytes && window.grow()) {
  }
  if (window.view().size() > limits.arrayBytes)
    return fmt::format("it has more than {}", inBytes(limits.arrayBytes));
  out = window.view();
  return window.fault();
}

/// The name that it has unpacked.
std::filesystem::path innerName(const std::filesystem::path& path) {
  return path.extension() == ".gz" || path.extension() == ".zst" ? path.stem() : path.filename();
}

} // namespace

bool isStepName(std::string_view name) {
  constexpr std::string_view names[] = {"step",
                                        "_step",
                                        "global_step",
                                        "Step",
                                        "train/step",
                                        "train/global_step",
                                        "rollout_id",
                                        "rollout/step",
                                        "training/global_step",
                                        "global step",
                                        "trainer/global_step"};
  return std::find(std::begin(names), std::end(names), name) != std::end(names);
}

std::string nameOfFile(std::string_view stem) {
  const std::size_t at = stem.rfind("tag-");
  return std::string(at == std::string_view::npos ? stem : stem.substr(at + 4));
}

ScalarSeries& ScalarBuilder::seriesOf(std::string_view name) {
  const auto found = std::find_if(log_.series.begin(), log_.series.end(),
                                  [&](const ScalarSeries& each) { return each.name == name; });
  if (found != log_.series.end())
    return *found;
  log_.series.push_back({std::string(name), {}});
  return log_.series.back();
}

void ScalarBuilder::add(std::string_view name, std::optional<double> step,
                        std::optional<double> value, std::uint64_t line, double off) {
  ++log_.figures;
  if (!isWanted_(name))
    return;
  ScalarSeries& into = seriesOf(name);
  ScalarPoint point{step.value_or(static_cast<double>(into.points.size() + 1)), value,
                    std::string(file_), off};
  if (line != 0)
    point.place += fmt::format(":{}", line);
  if (step)
    point.place += fmt::format(", step {:g}", *step);
  into.points.push_back(std::move(point));
}

llvm::Expected<ScalarLog> readScalars(std::span<const std::string> paths, const DataLimits& limits,
                                      llvm::function_ref<bool(std::string_view)> isWanted) {
  auto named = filesNamed(paths);
  if (!named)
    return named.takeError();
  ScalarLog out;
  for (const std::string& path : named->paths) {
    auto file = MappedFile::open(path);
    if (!file)
      return usageError(llvm::toString(file.takeError()));
    const std::filesystem::path name = innerName(path);
    ScalarBuilder builder(out, path, isWanted);
    std::string text, fault = wholeText(*file, limits, text);
    const std::string stem = name.stem().string();
    if (fault.empty())
      fault = name.extension() == ".csv" ? readScalarTable(text, stem, builder)
              : isPrinted(text)          ? readScalarPrinted(text, builder)
                                         : readScalarJson(text, stem, limits, builder);
    if (!fault.empty())
      return usageError(fmt::format("{}: {}", utf8::tickedPath(path), utf8::printable(fault)));
  }
  return out;
}

} // namespace tikc::data
