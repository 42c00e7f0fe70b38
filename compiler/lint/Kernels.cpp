#include "lint/Lint.h"
#include "support/Utf8.h"

#include <llvm/ADT/StringRef.h>

#include <algorithm>

/// Which kernels a contract compares.
namespace tikc::lint {

using namespace model;
using utf8::ticked;

namespace {

enum class Role : std::uint8_t { Unknown, Trains, Serves };

/// Programs with one role. Others, such as transformers, have both.
struct EngineRole {
  llvm::StringRef engine;
  Role role;
};
constexpr EngineRole engineRoles[] = {
    {"fsdp", Role::Trains},      {"fsdp2", Role::Trains},         {"megatron", Role::Trains},
    {"deepspeed", Role::Trains}, {"megatron-core", Role::Trains}, {"torchtitan", Role::Trains},
    {"vllm", Role::Serves},      {"sglang", Role::Serves},        {"tensorrt-llm", Role::Serves},
    {"llama.cpp", Role::Serves}, {"lmdeploy", Role::Serves},      {"trtllm", Role::Serves},
};

const Kernel* kernelNamed(const Contract& contract, const Name& name) {
  auto kernel = std::find_if(contract.kernels.begin(), contract.kernels.end(),
                             [&](const Kernel& each) { return each.name.text == name.text; });
  return kernel == contract.kernels.end() || !kernel->engine ? nullptr : &*kernel;
}

Role roleOf(const Kernel& kernel) {
  const llvm::StringRef engine = kernel.engine->value;
  auto row =
      std::find_if(std::begin(engineRoles), std::end(engineRoles),
                   [&](const EngineRole& each) { return engine.equals_insensitive(each.engine); });
  return row == std::end(engineRoles) ? Role::Unknown : row->role;
}

} // namespace

/// The first kernel of a chain trains, and the last one serves.
void lintKernels(const LintInput& input) {
  const Contract& contract = input.contract;
  if (contract.chain.size() < 2)
    return;
  const Name &first = contract.chain.front(), &last = contract.chain.back();
  const Kernel *trainer = kernelNamed(contract, first), *server = kernelNamed(contract, last);
  if (!trainer || !server || roleOf(*trainer) != Role::Serves || roleOf(*server) != Role::Trains)
    return;
  auto& finding = input.sink.report<diag::KernelsSwapped>(first.span, ticked(first.text),
                                                          ticked(trainer->engine->value));
  finding.relatedTo(server->engine->span,
                    "the engine of the inference kernel, which is made for training");
  if (contract.chain.size() == 2)
    finding.unsafeFix("swap the two kernels", {{first.span, last.text}, {last.span, first.text}});
}

} // namespace tikc::lint
