#pragma once

#include "diag/Diagnostic.h"
#include "diag/report/Report.h"
#include "library/RunnableContract.h"
#include "pipeline/Pipeline.h"
#include "project/Inputs.h"
#include "support/Source.h"
#include "tikc.h"

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace tikc::library {

using ContractRef = std::shared_ptr<const RunnableContract>;

/// A file, read and checked as by `tikc check`, with its contracts as for `tikc emit`. It never
/// changes after reading.
class Document {
public:
  /// Read a path or a text; a name may be empty.
  tikc_status readPath(const std::string& path);
  tikc_status readText(std::string_view text, const std::string& name);

  /// Why nothing could be read.
  const std::string& message() const { return message_; }
  const std::vector<diag::Diagnostic>& findings() const { return findings_; }
  tikc_place place(const Span& span) const;
  std::string json() const;

  struct Claim {
    diag::ClaimVerdict verdict;
    std::vector<const char*> slices;
  };
  const std::vector<Claim>& claims() const { return claims_; }

  struct Entry {
    ContractRef contract; // or the reason why it cannot run
    std::string refusal;
  };
  const std::vector<Entry>& contracts() const { return contracts_; }

private:
  template <class Add> tikc_status read(Add&& add);
  void check(const project::Inputs& inputs, const Limits& limits);
  void takeClaims(const std::vector<diag::ClaimVerdict>& verdicts);
  void takeContracts(const pipeline::CheckedFile& checked);
  std::string refusalOf(const pipeline::CheckedFile& checked) const;

  SourceManager sources_;
  FileId file_ = FileId::None;
  std::string message_;
  std::vector<diag::Diagnostic> findings_;
  std::uint64_t recorded_ = 0;
  std::vector<Claim> claims_;
  std::vector<Entry> contracts_;
};

} // namespace tikc::library
