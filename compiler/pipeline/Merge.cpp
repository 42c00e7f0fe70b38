#include "pipeline/Merge.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>
#include <tuple>

namespace tikc::pipeline {
namespace {

class Merger {
public:
  explicit Merger(const SourceManager& sources) : sources_(sources) {}

  /// A file that was asked for keeps its own id, and with it the name that the user gave.
  void claim(FileId file) {
    if (const auto& path = sources_.get(file).path; !path.empty())
      ids_.emplace(path, file);
  }

  void unify(diag::Diagnostic& finding) {
    unify(finding.span);
    for (diag::RelatedPlace& related : finding.related)
      unify(related.span);
    for (diag::Fix& fix : finding.fixes)
      for (diag::Edit& edit : fix.edits)
        unify(edit.span);
  }

  bool isNew(const diag::Diagnostic& finding) {
    return seen_.emplace(finding.code, finding.span, finding.message).second;
  }

private:
  void unify(Span& span) {
    if (!span.valid())
      return;
    if (const auto& path = sources_.get(span.file).path; !path.empty())
      span.file = ids_.emplace(path, span.file).first->second;
  }

  const SourceManager& sources_;
  std::map<std::filesystem::path, FileId> ids_;
  std::set<std::tuple<diag::Code, Span, std::string>> seen_;
};

} // namespace

std::vector<diag::Diagnostic> mergeFindings(const SourceManager& sources,
                                            std::span<CheckedFile> results) {
  Merger merger(sources);
  for (const auto& result : results)
    merger.claim(result.file);
  // A file's own findings are its own to report, even where a child that came first found them too.
  for (const auto& result : results)
    for (const auto& found : result.diagnostics)
      if (found.span.file == result.file)
        merger.isNew(found);

  std::vector<diag::Diagnostic> out;
  for (auto& result : results) {
    // Ids of parents follow the order in which a thread met them; their paths do not.
    auto place = [&](const diag::Diagnostic& finding) {
      bool foreign = finding.span.file != result.file;
      return std::tuple(foreign,
                        foreign && finding.span.valid() ? sources.get(finding.span.file).path
                                                        : std::filesystem::path(),
                        finding.span.begin, finding.span.end);
    };
    std::stable_sort(result.diagnostics.begin(), result.diagnostics.end(),
                     [&](const auto& a, const auto& b) { return place(a) < place(b); });
    for (diag::Diagnostic& finding : result.diagnostics) {
      bool own = finding.span.file == result.file;
      merger.unify(finding);
      if (own || merger.isNew(finding))
        out.push_back(std::move(finding));
    }
  }
  return out;
}

std::uint64_t countRecorded(const SourceManager& sources, std::span<const CheckedFile> results) {
  Merger merger(sources);
  for (const auto& result : results)
    merger.claim(result.file);
  std::uint64_t out = 0;
  for (const auto& result : results)
    for (diag::Diagnostic finding : result.recorded) {
      merger.unify(finding);
      out += merger.isNew(finding) ? 1 : 0;
    }
  return out;
}

} // namespace tikc::pipeline
