#include "emit/Emit.h"

#include "driver/ProvenFile.h"
#include "lower/Lower.h"
#include "support/Files.h"
#include "support/Utf8.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>

namespace tikc::driver {
namespace {

namespace fs = std::filesystem;

struct Target {
  std::string_view name;
  emit::File (*emit)(const std::vector<plan::Plan>& plans, const std::string& stem,
                     const emit::Options& options);
};
constexpr Target targets[] = {{"cpp", emit::emitCpp}};

llvm::Expected<const Target*> targetOf(const std::string& wanted) {
  std::vector<std::string> names;
  for (const Target& target : targets) {
    if (target.name == wanted)
      return &target;
    names.emplace_back(target.name);
  }
  return usageError(
      fmt::format("there is no target {}{}", utf8::ticked(wanted), suggestion(wanted, names)));
}

/// rollout of rollout.tikc.yaml.
std::string stemOf(const std::string& file) {
  std::string name = file == "-" ? "contract" : fs::path(file).filename().string();
  for (std::string_view ending : {".yaml", ".yml", ".tikc"})
    if (name.size() > ending.size() && name.ends_with(ending))
      name.resize(name.size() - ending.size());
  return name;
}

/// As make reads names.
std::string forMake(const std::string& name) {
  std::string out;
  for (char c : name) {
    if (c == ' ' || c == '#')
      out += '\\';
    if (c == '$')
      out += '$';
    out += c;
  }
  return out;
}

/// What the output rests on: a changed parent makes it anew.
std::string dependencies(const ProvenFile& file, const fs::path& made) {
  std::string out = forMake(made.string()) + ":";
  for (std::size_t i = 0; i < file.sources->size(); ++i) {
    const Source& source = file.sources->get(static_cast<FileId>(i));
    if (!source.path.empty())
      out += " \\\n  " + forMake(source.path.string());
  }
  return out + "\n";
}

llvm::Error makeFolder(const fs::path& folder) {
  std::error_code failed;
  fs::create_directories(folder, failed);
  if (!failed)
    return llvm::Error::success();
  return llvm::createStringError(
      failed, fmt::format("cannot make {}: {}", utf8::ticked(folder.string()), failed.message()));
}

} // namespace

llvm::Expected<int> runEmit(const Invocation& invocation) {
  auto target = targetOf(invocation.arguments[0]);
  if (!target)
    return target.takeError();
  auto file = proveFile(invocation, invocation.arguments[1]);
  if (!file)
    return file.takeError();
  if (file->isFaulty || complainOfClaims(*file))
    return Findings;
  std::vector<plan::Plan> plans;
  for (const model::Contract& contract : file->checked.contracts)
    if (!contract.isAbstract)
      plans.push_back(lower::lower(contract));
  if (plans.empty())
    return usageError("every contract of the file is abstract: nothing is enforced before one "
                      "extends it");
  emit::File made = (*target)->emit(plans, stemOf(invocation.arguments[1]),
                                    {.isStandalone = invocation.has("--standalone")});
  fs::path folder =
      invocation.has("--output") ? fs::path(invocation.get("--output")) : fs::path(".");
  if (auto error = makeFolder(folder))
    return error;
  if (auto error = writeFile(folder / made.name, made.text))
    return error;
  if (invocation.has("--depfile"))
    if (auto error =
            writeFile(invocation.get("--depfile"), dependencies(*file, folder / made.name)))
      return error;
  return Clean;
}

} // namespace tikc::driver
