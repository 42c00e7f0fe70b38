#include "lsp/documents/Snapshot.h"

#include "fixture/Fixture.h"
#include "lsp/documents/Documents.h"
#include "lsp/documents/FixtureChecker.h"
#include "pipeline/Fixing.h"

namespace tikc::lsp {

namespace fs = std::filesystem;

Analysis Snapshot::analysis(const std::shared_ptr<pipeline::CheckCache>& cache) const {
  if (subject_.path.native().ends_with(fixture::fixtureSuffix))
    return runFixture(*world_, subject_, cache);
  std::shared_ptr<SourceManager> sources = sourcesOf(*world_);
  pipeline::Checker checker(*sources, *subject_.settings, world_->limits, cache);
  checker.countVerdictsOnly();
  return analyse(checker, sources, world_->limits, subject_.uri, subject_.path, text());
}

std::string Snapshot::fixed() const {
  if (text().size() > world_->limits.fileBytes)
    return text();
  auto sources = sourcesOf(*world_);
  project::InputFile input;
  input.file =
      sources->add(subject_.path.empty() ? subject_.uri : subject_.path.filename().string(),
                   subject_.path, text());
  input.settings = subject_.settings;
  input.standardInput = subject_.path.empty();
  auto check = [&](const std::vector<project::InputFile>& files) {
    pipeline::CheckedFiles out;
    for (const project::InputFile& each : files) {
      // Parents that were fixed are read anew.
      out.results.push_back(
          pipeline::Checker(*sources, *each.settings, world_->limits).check(each.file));
      out.contracts.push_back(pipeline::countAndForget(out.results.back()));
    }
    return out;
  };
  pipeline::Fixing fixing(*sources, check, {input}, false);
  fixing.run();
  return sources->get(fixing.files().front().file).text;
}

Snapshot::FormattingResult Snapshot::format(ide::TextRange range) const {
  FormattingResult out;
  out.sources = sourcesOf(*world_);
  FileId file = out.sources->add(subject_.uri, subject_.path, text());
  pipeline::Checker checker(*out.sources, *subject_.settings, world_->limits);
  out.edits = checker.format(file, Span{file, range.begin, range.end}).edits;
  return out;
}

bool Snapshot::isThere(const fs::path& path) const {
  std::error_code error;
  return fs::exists(path, error) || world_->texts.contains(path);
}

ide::Analysis Snapshot::suppose(const fs::path& path, std::string text,
                                const std::map<fs::path, std::string>& others) const {
  auto world = std::make_shared<World>(*world_);
  for (const auto& [other, itsText] : others)
    world->texts[other] = itsText;
  world->texts[path] = text;
  Snapshot then(world, {uriOf(path), path, std::move(text), subject_.settings});
  Analysis analysis = then.analysis(nullptr);
  ide::Analysis& what = analysis; // what the protocol knows of it beside is asked by nobody
  return std::move(what);
}

} // namespace tikc::lsp
