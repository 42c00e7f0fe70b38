#include "lsp/documents/WorldChecker.h"

#include "diag/Sink.h"
#include "support/Files.h"

namespace tikc::lsp {

namespace fs = std::filesystem;

namespace {

// Sources keep every text that was read; what is extended is read again then.
constexpr std::size_t textsOfABench = 256;

} // namespace

std::unique_ptr<SourceManager> sourcesOf(const World& world) {
  auto out = std::make_unique<SourceManager>();
  for (const auto& [path, text] : world.texts)
    out->overlay(path, text);
  return out;
}

Analysis analyse(pipeline::Checker& checker, const std::shared_ptr<SourceManager>& sources,
                 const Limits& limits, std::string uri, const fs::path& path, std::string text) {
  Analysis out;
  std::size_t size = text.size();
  bool isTooLarge = size > limits.fileBytes;
  out.file = sources->add(path.empty() ? uri : path.filename().string(), path,
                          isTooLarge ? std::string() : std::move(text));
  out.uri = std::move(uri);
  if (isTooLarge) {
    diag::Sink sink(limits);
    sink.report<diag::FileTooLarge>(Span{out.file, 0, 0}, size, limits.fileBytes);
    auto tree = std::make_shared<yaml::Tree>();
    tree->file = out.checked.file = out.file;
    out.checked.tree = std::move(tree);
    out.checked.diagnostics = sink.take();
  } else {
    out.checked = checker.check(out.file);
  }
  for (const auto& parent : out.checked.parents)
    out.restsOn.push_back(sources->get(parent->file).path);
  out.sources = sources;
  return out;
}

WorldChecker::Bench& WorldChecker::benchOf(const std::shared_ptr<const World>& world) {
  if (benches_[last_].world != world)
    last_ = 1 - last_;
  Bench& bench = benches_[last_];
  if (bench.world != world || bench.checked >= textsOfABench) {
    bench = {};
    bench.world = world;
    bench.sources = sourcesOf(*world);
  }
  ++bench.checked;
  return bench;
}

std::optional<Analysis> WorldChecker::of(const std::shared_ptr<const World>& world,
                                         const CheckSubject& subject) {
  std::string text;
  if (subject.text) {
    text = *subject.text;
  } else if (auto open = world->texts.find(subject.path); open != world->texts.end()) {
    text = open->second;
  } else {
    auto file = readFile(subject.path, world->limits);
    if (!file) {
      llvm::consumeError(file.takeError());
      return std::nullopt;
    }
    text = std::move(file->text);
    if (file->tooLarge)
      text.resize(world->limits.fileBytes + std::size_t{1}); // it is told of as such
  }
  Bench& bench = benchOf(world);
  auto [checker, fresh] = bench.checkers.try_emplace(subject.settings, *bench.sources,
                                                     *subject.settings, world->limits, cache_);
  if (fresh)
    checker->second.countVerdictsOnly();
  return analyse(checker->second, bench.sources, world->limits, subject.uri, subject.path,
                 std::move(text));
}

} // namespace tikc::lsp
