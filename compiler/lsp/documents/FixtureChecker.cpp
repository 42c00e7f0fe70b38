#include "lsp/documents/FixtureChecker.h"

#include "diag/Sink.h"
#include "fixture/Running.h"
#include "pipeline/TestedContracts.h"

namespace tikc::lsp {

namespace fs = std::filesystem;

namespace {

void run(SourceManager& sources, const fs::path& folder, const Limits& limits,
         pipeline::TestedContracts& contracts, Analysis& out) {
  expr::ExprParser expressions(sources, limits);
  auto find = [&](const model::Text& reference) -> llvm::Expected<fixture::TestedPolicy> {
    auto tested = contracts.find(folder, reference.value);
    if (!tested)
      return tested.takeError();
    out.tested.push_back(std::make_shared<model::Contract>(*(*tested)->contract));
    return fixture::TestedPolicy{(*tested)->contract, &(*tested)->plan};
  };
  // What is not tested is for `tikc test` to count: a test that is being written leaves out much.
  fixture::FileRun ran = fixture::runTests(sources, out.file, limits, expressions, find,
                                           [](const fixture::ContractRun&) {});
  out.checked.tree = std::move(ran.tree);
  out.checked.diagnostics = std::move(ran.findings);
}

} // namespace

Analysis runFixture(const World& world, const CheckSubject& subject,
                    const std::shared_ptr<pipeline::CheckCache>& cache) {
  std::shared_ptr<SourceManager> sources = sourcesOf(world);
  std::size_t size = subject.text->size();
  bool isTooLarge = size > world.limits.fileBytes;
  Analysis out;
  out.shape = model::Shape::Fixture;
  out.uri = subject.uri;
  out.file = sources->add(subject.path.filename().string(), subject.path,
                          isTooLarge ? std::string() : *subject.text);
  if (isTooLarge) {
    diag::Sink sink(world.limits);
    sink.report<diag::FileTooLarge>(Span{out.file, 0, 0}, size, world.limits.fileBytes);
    out.checked.diagnostics = sink.take();
  } else {
    pipeline::TestedContracts contracts(*sources, world.limits, world.root, cache);
    run(*sources, subject.path.parent_path(), world.limits, contracts, out);
    out.restsOn = contracts.files();
  }
  out.sources = sources;
  return out;
}

} // namespace tikc::lsp
