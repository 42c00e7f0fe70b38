#include "data/scalars/ScalarLog.h"

#include "data/Paths.h"
#include "data/bytes/Mapped.h"
#include "data/bytes/Stream.h"
#include "data/scalars/ScalarBuilder.h"
#include "support/UsageError.h"
#include "support/Utf8.h"

#include <fmt/format.h>
#include <llvm/ADT/StringRef.h>

#include <algorithm>
#include <filesystem>

namespace tikc::data {
namespace {

/// The name that it has unpacked.
std::filesystem::path innerName(const std::filesystem::path& path) {
  return path.extension() == ".gz" || path.extension() == ".zst" ? path.stem() : path.filename();
}

/// Whether a text begins as JSON records do. llama-perplexity may begin a line with "[1]".
bool beginsJson(Window window) {
  constexpr std::size_t enough = 1 << 16; // for more whitespace than a log begins with
  while (window.view().size() < enough && window.grow()) {
  }
  llvm::StringRef text = window.view();
  text.consume_front(utf8::byteOrderMark);
  text = text.ltrim();
  if (!text.consume_front("["))
    return text.starts_with("{");
  text = text.ltrim();
  return text.starts_with("{") || text.starts_with("[");
}

/// Reads one file; returns its fault.
std::string readLog(const std::shared_ptr<const MappedFile>& file,
                    const std::filesystem::path& name, const DataLimits& limits,
                    ScalarBuilder& into) {
  const auto opened = [&] {
    auto stream = streamOf(file);
    return Window(packingOf(file->bytes()) == Packing::None ? std::move(stream)
                                                            : unpacked(std::move(stream)));
  };
  const auto lines = [&] { return Records(opened(), TextLayout::Lines, limits); };
  const std::string stem = name.stem().string();
  if (name.extension() == ".csv")
    return readScalarTable(lines(), stem, into);
  if (!beginsJson(opened()) && isPrinted(lines()))
    return readScalarPrinted(lines(), into);
  return readScalarJson(opened(), stem, limits, into);
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
  std::vector<ScalarPoint>& points = seriesOf(name).points;
  points.push_back({step.value_or(static_cast<double>(points.size() + 1)), value, off, line,
                    static_cast<std::uint32_t>(log_.files.size() - 1), step.has_value()});
}

std::string ScalarLog::placeOf(const ScalarPoint& point) const {
  std::string out = files[point.file];
  if (point.line != 0)
    out += fmt::format(":{}", point.line);
  if (point.isStepLogged)
    out += fmt::format(", step {:g}", point.step);
  return out;
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
    out.files.push_back(path);
    ScalarBuilder builder(out, isWanted);
    const std::string fault = readLog(*file, innerName(path), limits, builder);
    if (!fault.empty())
      return usageError(fmt::format("{}: {}", utf8::tickedPath(path), utf8::printable(fault)));
    if (auto error = (*file)->whyRewritten())
      return error;
  }
  return out;
}

} // namespace tikc::data
