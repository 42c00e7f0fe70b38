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

/// A piece that an earlier run had observed when it was stopped.
struct JournalEntry {
  data::PieceId id;
  bool isOfLines = false;
  std::vector<std::string> files;
  std::set<std::string, std::less<>> found; // roles and labels that occur in records
  std::string_view content;                 // for `EvidenceContent`; only of an entry that was read
  const data::MappedFile* file = nullptr;   // that contains the content

  ContentBytes bytes() const { return {content, file}; }
  std::optional<EvidenceContent> read(EvidenceContent::Visit visit = nullptr) const {
    return EvidenceContent::read(ContentReader(content, files.size(), file), visit);
  }
};

/// A file of observed pieces that grows during a run, so that another run can continue after a
/// kill. A torn entry at the end is ignored.
class Journal {
public:
  /// Creates the file, or reads the entries of an earlier run, and locks it. `about` is a digest of
  /// everything that affects the observations of a piece.
  static llvm::Expected<std::unique_ptr<Journal>> open(const std::filesystem::path& path,
                                                       const data::PieceId& about);
  ~Journal();
  Journal(const Journal&) = delete;
  Journal& operator=(const Journal&) = delete;

  const JournalEntry* find(std::size_t piece) const;
  std::size_t size() const { return entries_.size(); }

  /// Appends an entry; may be called from several threads. Pieces with faults are left out, so that
  /// the next run reports them again.
  void keep(std::size_t piece, const JournalEntry& entry, const ContentBytes& content,
            const Intake& intake);
  /// Removes the file, which is no longer needed; fails if a write failed.
  llvm::Error finish();

private:
  Journal(std::filesystem::path path, int descriptor)
      : path_(std::move(path)), descriptor_(descriptor) {}
  llvm::Error load(const data::PieceId& about);
  llvm::Error failure(std::string_view what) const;
  /// Returns whether the path still leads to this file.
  bool isOurs() const;

  std::filesystem::path path_;
  int descriptor_;
  std::shared_ptr<const data::MappedFile> before_; // that contains the entries
  std::map<std::size_t, JournalEntry> entries_;
  std::mutex mutex_;
  bool isEmpty_ = false; // a journal that is ours and has no entry
  int fault_ = 0;        // errno of the first failed write
};

} // namespace tikc::measure
