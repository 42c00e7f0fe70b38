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

/// Options that several commands share.
namespace tikc::driver {

std::optional<std::uint32_t> parseNumber(std::string_view text);
/// Reads --jobs; the default is one per processor.
llvm::Expected<unsigned> jobsOf(const Invocation& invocation);
/// Reads --limit.
llvm::Expected<Limits> limitsOf(const Invocation& invocation);
/// Whether a missing path is an error, or may have existed in another revision.
enum class Lacking : bool { IsFault, MayBeGone };
/// Reads PATH…, --root and --stdin-filename; the default is the current folder.
llvm::Error addInputs(project::Inputs& inputs, const Invocation& invocation,
                      Lacking lacking = Lacking::IsFault);
/// Fails if one of these options is given; they cannot be combined with what `with` names.
llvm::Error refuseOptions(const Invocation& invocation, std::span<const OptionName> options,
                          std::string_view with);
/// Also takes a list.
inline llvm::Error refuseOptions(const Invocation& invocation,
                                 std::initializer_list<OptionName> options, std::string_view with) {
  return refuseOptions(invocation, std::span(options.begin(), options.size()), with);
}
/// Fails if one file is the output of two options.
llvm::Error refuseOneFileTwice(const Invocation& invocation);
/// Fails on arguments that are not contracts: test files, baselines and settings.
llvm::Error refuseOtherFiles(const Invocation& invocation);
/// Fails if an input is a pipe, for commands that change files; `instead` is the command to pipe
/// into.
llvm::Error refuseStreams(const project::Inputs& inputs, const SourceManager& sources,
                          std::string_view instead);
/// Returns the contract of FILE or FILE#NAME. `used` completes messages, such as "measured".
llvm::Expected<pipeline::TestedContract*> namedContract(pipeline::TestedContracts& contracts,
                                                        const std::string& reference,
                                                        std::string_view used);
/// The one contract of a command, with its sources.
class OpenedContract {
public:
  /// Opens FILE or FILE#NAME, below --root.
  static llvm::Expected<std::unique_ptr<const OpenedContract>>
  open(const Invocation& invocation, const std::string& reference, std::string_view used);

  const SourceManager& sources() const { return sources_; }
  const pipeline::TestedContract& operator*() const { return *contract_; }
  const pipeline::TestedContract* operator->() const { return contract_; }

private:
  explicit OpenedContract(std::string root) : contracts_(sources_, limits_, std::move(root)) {}

  SourceManager sources_;
  const Limits limits_;
  pipeline::TestedContracts contracts_;
  const pipeline::TestedContract* contract_ = nullptr;
};
/// Prints errors to standard error, because standard output is for the result alone. Returns
/// whether there were any.
bool complainOfErrors(const SourceManager& sources, std::span<const diag::Diagnostic> findings);
/// Prints lines with authors' texts: unchanged to a program, and with control characters escaped to
/// a terminal.
llvm::Error showText(std::string_view text);
/// Escapes control characters and direction marks, but for ends of lines and tabs.
std::string printableLines(std::string_view text);
/// Returns the exit code, or an error if files in folders could not be read.
llvm::Expected<int> withUnread(llvm::Expected<int> status, project::Inputs& inputs);

} // namespace tikc::driver
