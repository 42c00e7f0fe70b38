#pragma once

#include "data/Report.h"
#include "data/bytes/Mapped.h"
#include "measure/Evidence.h"
#include "measure/Intake.h"

#include <llvm/Support/Error.h>

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace tikc::measure {

/// A piece that a run had observed when it was stopped.
struct JournalEntry {
  data::PieceId id;
  bool isOfLines = false;
  std::vector<std::string> files;
  std::set<std::string, std::less<>> found; // roles and labels that some record has
  std::string_view content;                 // as `EvidenceContent` reads it; of one that was read
  const data::MappedFile* file = nullptr;   // that it lies in

  ContentBytes bytes() const { return {content, file}; }
  std::optional<EvidenceContent> read(EvidenceContent::Visit visit = nullptr) const {
    return EvidenceContent::read(ContentReader(content, files.size(), file), visit);
  }
};

/// What a run observes, piece by piece as it does, so that after a kill another one goes on: each
/// entry is whole or, behind the last whole one, nothing.
class Journal {
public:
  /// Makes the file, or reads what an earlier run about the same left in it, and holds it against
  /// other runs. `about` is a digest of all that decides what is observed of a piece.
  static llvm::Expected<std::unique_ptr<Journal>> open(const std::filesystem::path& path,
                                                       const data::PieceId& about);
  ~Journal();
  Journal(const Journal&) = delete;
  Journal& operator=(const Journal&) = delete;

  const JournalEntry* find(std::size_t piece) const;
  std::size_t size() const { return entries_.size(); }

  /// From several threads. Of a piece that has a fault nothing is kept: it will be told again.
  void keep(std::size_t piece, const JournalEntry& entry, const ContentBytes& content,
            const Intake& intake);
  /// Takes the file away, of which nothing is needed any more; an error where it could not be
  /// written.
  llvm::Error finish();

private:
  Journal(std::filesystem::path path, int descriptor)
      : path_(std::move(path)), descriptor_(descriptor) {}
  llvm::Error load(const data::PieceId& about);
  llvm::Error failure(std::string_view what) const;

  std::filesystem::path path_;
  int descriptor_;
  std::shared_ptr<const data::MappedFile> before_; // what entries lie in
  std::map<std::size_t, JournalEntry> entries_;
  std::mutex mutex_;
  int fault_ = 0; // errno of the first write that failed
};

} // namespace tikc::measure
