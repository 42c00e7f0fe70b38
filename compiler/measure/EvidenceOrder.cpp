#include "measure/EvidenceOrder.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <optional>
#include <set>

namespace tikc::measure {
namespace {

/// What is not known, or no number, waits for nobody.
double whenOf(const std::optional<double>& of) {
  return of && !std::isnan(*of) ? *of : -std::numeric_limits<double>::infinity();
}

/// A run as it is read, a piece at a time.
class RunCursor {
public:
  explicit RunCursor(std::span<const EvidencePiece* const> pieces, std::size_t first)
      : pieces_(pieces), first_(first) {
    open();
  }

  const EvidenceFragment* fragment() const { return content_ ? &content_->fragment() : nullptr; }
  std::size_t number() const { return first_ + piece_; }
  void next() {
    if (content_->next())
      return;
    ++piece_;
    open();
  }

private:
  /// The next that has something, from where it is on.
  void open() {
    for (; piece_ < pieces_.size(); ++piece_) {
      content_.emplace(*pieces_[piece_]);
      content_->dropIntake();
      if (content_->next())
        return;
    }
    content_.reset();
  }

  std::span<const EvidencePiece* const> pieces_;
  std::size_t first_, piece_ = 0;
  std::optional<ContentReader> content_; // nothing behind the last piece
};

} // namespace

EvidenceOrder::EvidenceOrder(const Evidence& evidence, bool isBySteps) : isBySteps_(isBySteps) {
  std::map<data::PieceId, std::vector<const EvidencePiece*>> byRun;
  for (const EvidencePiece& each : evidence.pieces)
    byRun[each.site.run].push_back(&each);
  std::vector<std::vector<const EvidencePiece*>> runs;
  for (auto& [run, pieces] : byRun) {
    std::stable_sort(pieces.begin(), pieces.end(),
                     [](const auto* a, const auto* b) { return a->site.place < b->site.place; });
    runs.push_back(std::move(pieces));
  }
  std::stable_sort(runs.begin(), runs.end(), [](const auto& a, const auto& b) {
    return a.front()->site.files < b.front()->site.files;
  });
  for (const auto& run : runs) {
    runs_.push_back(pieces_.size());
    pieces_.insert(pieces_.end(), run.begin(), run.end());
  }
  runs_.push_back(pieces_.size());
}

llvm::Error EvidenceOrder::each(const Take& take) const {
  using Head = std::tuple<double, double, std::size_t>;
  std::vector<RunCursor> runs;
  std::set<Head> heads;
  auto headOf = [&](std::size_t run) {
    const EvidenceFragment& next = *runs[run].fragment();
    const double step = whenOf(next.step), time = whenOf(next.begins);
    return isBySteps_ ? Head(step, time, run) : Head(time, step, run);
  };
  for (std::size_t i = 0; i + 1 < runs_.size(); ++i) {
    runs.emplace_back(std::span(pieces_).subspan(runs_[i], runs_[i + 1] - runs_[i]), runs_[i]);
    if (runs[i].fragment() != nullptr)
      heads.insert(headOf(i));
  }
  while (!heads.empty()) {
    const std::size_t run = std::get<2>(*heads.begin());
    heads.erase(heads.begin());
    if (auto error = take(runs[run].number(), *runs[run].fragment()))
      return error;
    runs[run].next();
    if (runs[run].fragment() != nullptr)
      heads.insert(headOf(run));
  }
  return llvm::Error::success();
}

} // namespace tikc::measure
