#pragma once

#include "driver/Commands.h"
#include "pipeline/TestedContracts.h"
#include "project/Inputs.h"
#include "support/Limits.h"

#include <llvm/Support/Error.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

/// What several commands ask of a command line.
namespace tikc::driver {

std::optional<std::uint32_t> parseNumber(std::string_view text);
/// --jobs, by default one a processor.
llvm::Expected<unsigned> jobsOf(const Invocation& invocation);
/// --limit.
llvm::Expected<Limits> limitsOf(const Invocation& invocation);
/// Whether a path at which nothing is can be a right one, since there was something.
enum class Lacking : bool { IsFault, MayBeGone };
/// PATH…, --root and --stdin-filename; by default the current folder.
llvm::Error addInputs(project::Inputs& inputs, const Invocation& invocation,
                      Lacking lacking = Lacking::IsFault);
/// Where one file is named to be written as two things.
llvm::Error refuseOneFileTwice(const Invocation& invocation);
/// Where contracts are meant: a file of tests holds none.
llvm::Error refuseOtherFiles(const Invocation& invocation);
/// Where files are to be changed: what to do `instead` of naming a pipe.
llvm::Error refuseStreams(const project::Inputs& inputs, const SourceManager& sources,
                          std::string_view instead);
/// FILE, or FILE#NAME where it holds several: which can or cannot be `used`, as "measured".
llvm::Expected<pipeline::TestedContract*> namedContract(pipeline::TestedContracts& contracts,
                                                        const std::string& reference,
                                                        std::string_view used);
/// The one contract that a command is about, with all that its places are in.
class OpenedContract {
public:
  /// FILE, or FILE#NAME, below --root.
  static llvm::Expected<std::unique_ptr<const OpenedContract>>
  open(const Invocation& invocation, const std::string& reference, std::string_view used);

  const SourceManager& sources() const { return sources_; }
  const pipeline::TestedContract& operator*() const { return *is_; }
  const pipeline::TestedContract* operator->() const { return is_; }

private:
  explicit OpenedContract(std::string root) : contracts_(sources_, limits_, std::move(root)) {}

  SourceManager sources_;
  const Limits limits_;
  pipeline::TestedContracts contracts_;
  const pipeline::TestedContract* is_ = nullptr;
};
/// Errors go to standard error, since what is piped on must be the answer alone; whether there was
/// one.
bool complainOfErrors(const SourceManager& sources, std::span<const diag::Diagnostic> findings);
/// Lines with what authors wrote, which programs get as it is. A terminal is shown what would
/// otherwise steer it.
llvm::Error showText(std::string_view text);
/// How a run ended, once what could not be read in folders is counted in.
llvm::Expected<int> withUnread(llvm::Expected<int> status, project::Inputs& inputs);

} // namespace tikc::driver
