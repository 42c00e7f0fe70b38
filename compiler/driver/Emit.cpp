#include "checker/emit/Emit.h"

#include "driver/ProvenFile.h"
#include "support/Files.h"
#include "support/Utf8.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>

namespace tikc::driver {
namespace {

namespace fs = std::filesystem;

struct EmitTarget {
  std::string_view name;
  std::vector<emit::File> (*emit)(const std::vector<plan::Plan>& plans, const std::string& stem,
                                  const emit::Options& options);
  std::optional<std::string> (*whyNot)(const plan::Plan& plan);
};
constexpr EmitTarget targets[] = {{"cpp", emit::emitCpp, emit::whyNotCpp}};

llvm::Expected<const EmitTarget*> targetOf(const std::string& wanted) {
  std::vector<std::string> names;
  for (const EmitTarget& target : targets) {
    if (target.name == wanted)
      return &target;
    names.emplace_back(target.name);
  }
  return usageError(
      fmt::format("unknown target {}{}", utf8::ticked(wanted), suggestion(wanted, names)));
}

/// Parses `bf16`, or `fp32,bf16` for the trainer's rows and the engine's.
llvm::Expected<emit::DeviceFormats> deviceFormats(std::string_view text) {
  auto find = [](std::string_view name) -> llvm::Expected<std::string_view> {
    const auto* found = std::find(std::begin(emit::rowFormats), std::end(emit::rowFormats), name);
    if (found != std::end(emit::rowFormats))
      return *found;
    return usageError(fmt::format(
        "invalid number format {} of --cuda{}", utf8::ticked(name),
        suggestion(std::string(name), {std::begin(emit::rowFormats), std::end(emit::rowFormats)})));
  };
  const std::size_t comma = text.find(',');
  auto train = find(text.substr(0, comma));
  if (!train)
    return train.takeError();
  auto infer = comma == std::string_view::npos ? *train : find(text.substr(comma + 1));
  if (!infer)
    return infer.takeError();
  return emit::DeviceFormats{*train, *infer};
}

/// Returns the error if no contract has rows to observe, or one has rows that need the host.
llvm::Error refuseDevicePart(const std::vector<plan::Plan>& plans) {
  if (std::none_of(plans.begin(), plans.end(),
                   [](const plan::Plan& plan) { return plan.reads(source::rows); }))
    return usageError("--cuda: no clause is about rows of logits, so there is nothing to observe "
                      "on a GPU");
  for (const plan::Plan& plan : plans)
    if (auto why = emit::whyNotOnDevice(plan))
      return usageError(fmt::format("--cuda: {} {}", utf8::ticked(plan.contract), *why));
  return llvm::Error::success();
}

/// rollout of rollout.tikc.yaml.
std::string stemOf(const std::string& file) {
  std::string name = file == "-" ? "contract" : fs::path(file).filename().string();
  for (std::string_view ending : {".yaml", ".yml", ".tikc"})
    if (name.size() > ending.size() && name.ends_with(ending))
      name.resize(name.size() - ending.size());
  return name;
}

/// As a preprocessor reads names, and as their readers see them.
bool isIncludable(const std::string& stem) {
  return utf8::printable(stem) == stem && stem.find("??") == std::string::npos &&
         stem.find_first_of("\"\\") == std::string::npos;
}

/// As make reads names, and compilers write them.
std::string forMake(const std::string& name) {
  std::string out;
  std::size_t backslashes = 0; // just before
  for (char c : name) {
    if (c == ' ' || c == '\t')
      out.append(backslashes + 1, '\\');
    if (c == '#')
      out += '\\';
    if (c == '$')
      out += '$';
    out += c;
    backslashes = c == '\\' ? backslashes + 1 : 0;
  }
  return out;
}

/// What ends a name, begins a recipe, a pattern, another target or a list of files cannot be said
/// to be part of one.
bool isForMake(const fs::path& path) {
  const std::string name = path.string();
  return name.find_first_of("\r\n;:=%*?[|&") == std::string::npos && !name.starts_with('~') &&
         !name.ends_with(')'); // a member of an archive
}

/// What the output rests on: a changed parent makes it anew.
llvm::Expected<std::string> dependencies(const ProvenFile& file,
                                         const std::vector<fs::path>& made) {
  std::string out;
  auto add = [&](std::string_view before, const fs::path& path, std::string_view after) {
    out.append(before).append(forMake(path.string())).append(after);
    return isForMake(path);
  };
  bool isRight = true;
  for (const fs::path& each : made)
    isRight = add("", each, each == made.back() ? ":" : " ") && isRight;
  for (std::size_t i = 0; i < file.sources->size(); ++i) {
    const Source& source = file.sources->get(static_cast<FileId>(i));
    if (!source.path.empty())
      isRight = add(" \\\n  ", source.path, "") && isRight;
  }
  if (!isRight)
    return usageError("a depfile cannot name a path with a newline or one of ; : = % * ? [ | &, "
                      "which make interprets");
  return out + "\n";
}

/// A file that says so already is left as it is, so that nothing is built anew from it.
llvm::Error writeIfNews(const fs::path& path, std::string_view text) {
  if (std::error_code error; fs::is_regular_file(path, error)) {
    auto before = readFile(path, Limits{.fileBytes = static_cast<std::uint32_t>(text.size())});
    if (before && !before->tooLarge && before->text == text)
      return llvm::Error::success();
    llvm::consumeError(before.takeError());
  }
  return writeFile(path, text);
}

/// A build goes on with a draft, and says so.
void tellDrafts(const ProvenFile& file) {
  for (std::size_t i = 0; i < file.checked.contracts.size(); ++i) {
    const model::Contract& contract = file.checked.contracts[i];
    const auto& proof = file.checked.proofs[i];
    if (contract.draft && proof && proof->openEntries() > 0)
      fmt::print(stderr,
                 "{} is a draft: {} of its {} claims {} not proved; `tikc check {}` shows why\n",
                 utf8::ticked(contract.name.value), proof->openEntries(), proof->entries.size(),
                 proof->openEntries() == 1 ? "is" : "are", file.name);
  }
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
  const std::vector<plan::Plan> plans = pipeline::plansOf(file->checked);
  if (plans.empty())
    return usageError(
        "every contract of the file is abstract; only contracts that extend one can be emitted");
  for (const plan::Plan& plan : plans)
    if (auto why = (*target)->whyNot(plan))
      return usageError(utf8::ticked(plan.contract) + ' ' + *why);
  const std::string stem = stemOf(invocation.arguments[1]);
  emit::Options options = {.isStandalone = invocation.has("--standalone"),
                           .hasCInterface = invocation.has("--c-abi"),
                           .device = {}};
  if (invocation.has("--cuda")) {
    auto formats = deviceFormats(invocation.get("--cuda"));
    if (!formats)
      return formats.takeError();
    if (auto error = refuseDevicePart(plans))
      return error;
    options.device = *formats;
  }
  if ((options.hasCInterface || options.device) && !isIncludable(stem))
    return usageError(
        fmt::format("invalid header name {}: a source cannot include it", utf8::ticked(stem)));
  fs::path folder =
      invocation.has("--output") ? fs::path(invocation.get("--output")) : fs::path(".");
  const std::vector<emit::File> files = (*target)->emit(plans, stem, options);
  std::vector<fs::path> made;
  made.reserve(files.size());
  for (const emit::File& each : files)
    made.push_back(folder / each.name);
  std::string rests;
  if (invocation.has("--depfile")) {
    auto found = dependencies(*file, made);
    if (!found)
      return found.takeError();
    rests = std::move(*found);
  }
  for (const fs::path& each : made)
    if (auto error = refuseOverwriting(invocation, each))
      return error;
  if (invocation.has("--depfile"))
    if (auto error = refuseOverwriting(invocation, invocation.get("--depfile")))
      return error;
  if (auto error = makeFolder(folder))
    return error;
  for (std::size_t i = 0; i < files.size(); ++i)
    if (auto error = writeIfNews(made[i], files[i].text))
      return error;
  if (invocation.has("--depfile"))
    if (auto error = writeFile(invocation.get("--depfile"), rests))
      return error;
  tellDrafts(*file);
  if (invocation.has("--stats"))
    for (const plan::Plan& plan : plans)
      fmt::print("{}", emit::stats(plan));
  return Clean;
}

} // namespace tikc::driver
