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

  void unify(diag::Diagnostic& found) {
    unify(found.span);
    for (diag::RelatedPlace& related : found.related)
      unify(related.span);
    for (diag::Fix& fix : found.fixes)
      for (diag::Edit& edit : fix.edits)
        unify(edit.span);
  }

  bool isNew(const diag::Diagnostic& found) {
    return seen_.emplace(found.code, found.span, found.message).second;
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
    auto place = [&](const diag::Diagnostic& found) {
      bool foreign = found.span.file != result.file;
      return std::tuple(foreign,
                        foreign && found.span.valid() ? sources.get(found.span.file).path
                                                      : std::filesystem::path(),
                        found.span.begin, found.span.end);
    };
    std::stable_sort(result.diagnostics.begin(), result.diagnostics.end(),
                     [&](const auto& a, const auto& b) { return place(a) < place(b); });
    for (diag::Diagnostic& found : result.diagnostics) {
      bool own = found.span.file == result.file;
      merger.unify(found);
      if (own || merger.isNew(found))
        out.push_back(std::move(found));
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
    for (diag::Diagnostic found : result.recorded) {
      merger.unify(found);
      out += merger.isNew(found) ? 1 : 0;
    }
  return out;
}

} // namespace tikc::pipeline
