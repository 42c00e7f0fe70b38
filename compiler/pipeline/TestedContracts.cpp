#include "pipeline/TestedContracts.h"

#include "support/Names.h"
#include "support/UsageError.h"
#include "support/Utf8.h"

#include <fmt/format.h>

#include <algorithm>

namespace tikc::pipeline {

namespace fs = std::filesystem;

namespace {

std::size_t errorsOf(const CheckedFile& file) {
  return static_cast<std::size_t>(
      std::count_if(file.diagnostics.begin(), file.diagnostics.end(),
                    [](const auto& found) { return found.severity == diag::Severity::Error; }));
}

llvm::Expected<const model::Contract*> testableIn(const CheckedFile& file,
                                                  const std::string& name) {
  std::vector<std::string_view> names;
  for (const model::Contract& contract : file.contracts) {
    bool isMeant = contract.name.value == name || (name.empty() && file.contracts.size() == 1);
    if (contract.isAbstract && isMeant)
      return usageError("it is abstract, so its rules act only in contracts that extend it");
    if (contract.isAbstract)
      continue;
    if (isMeant)
      return &contract;
    names.push_back(contract.name.value);
  }
  if (names.empty())
    return usageError("all of its contracts are abstract");
  return usageError(name.empty() ? fmt::format("the file contains several contracts; choose one of "
                                               "{}",
                                               joinAlternatives(names))
                                 : fmt::format("the file has no contract {}; expected {}",
                                               utf8::ticked(name), joinAlternatives(names)));
}

} // namespace

llvm::Expected<TestedContracts::File*> TestedContracts::fileOf(const fs::path& path) {
  auto [place, isFresh] = files_.try_emplace(path);
  File& file = place->second;
  if (!isFresh)
    return &file;
  std::error_code error;
  file.inputs = std::make_unique<project::Inputs>(sources_, limits_);
  if (!fs::is_regular_file(path, error))
    return usageError("the file does not exist");
  if (!root_.empty())
    if (auto fault = file.inputs->setRoot(root_))
      return fault;
  file.inputs->addPath(path.string());
  if (auto fault = file.inputs->takeErrors())
    return fault;
  if (file.inputs->files().empty() || file.inputs->files().front().tooLarge)
    return usageError("the file is excluded, or too large to read");
  const project::InputFile& input = file.inputs->files().front();
  file.checked = Checker(sources_, *input.settings, limits_, cache_).check(input.file);
  return &file;
}

std::vector<fs::path> TestedContracts::files() const {
  std::vector<fs::path> out;
  for (const auto& [path, file] : files_) {
    out.push_back(path);
    for (const auto& parent : file.checked.parents)
      out.push_back(sources_.get(parent->file).path);
  }
  return out;
}

llvm::Expected<TestedContract*> TestedContracts::find(const fs::path& folder,
                                                      const std::string& reference) {
  std::size_t hash = std::min(reference.rfind('#'), reference.size());
  std::string name = reference.substr(std::min(hash + 1, reference.size()));
  fs::path path = (folder / reference.substr(0, hash)).lexically_normal();
  auto file = fileOf(path);
  if (!file)
    return file.takeError();
  if ((*file)->checked.contracts.empty() && errorsOf((*file)->checked) == 0)
    return usageError("the file does not exist");
  if (std::size_t errors = errorsOf((*file)->checked))
    return usageError(
        fmt::format("it has {} error{}; see `tikc check`", errors, errors == 1 ? "" : "s"));
  auto contract = testableIn((*file)->checked, name);
  if (!contract)
    return contract.takeError();
  auto [place, isFresh] = contracts_.try_emplace(*contract);
  if (isFresh) {
    const CheckedFile& checked = (*file)->checked;
    const auto& proof =
        checked.proofs[static_cast<std::size_t>(*contract - checked.contracts.data())];
    place->second = {
        path.string() + "#" + (*contract)->name.value, *contract, proof ? &*proof : nullptr, {}};
    for (plan::Plan& plan : plansOf((*file)->checked))
      if (plan.contract == (*contract)->name.value)
        place->second.plan = std::move(plan);
  }
  return &place->second;
}

} // namespace tikc::pipeline
