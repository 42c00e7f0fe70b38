// tikc_loaded_driver CONTRACT TALLIES INSTRUCTIONS: as programs that are made of emitted checkers,
// of a contract that is read.

#include "checker/engine/LoadedTally.h"
#include "checker/engine/Slices.h"
#include "pipeline/Pipeline.h"

#include "ContractDriver.h"

#include <cstdio>
#include <exception>
#include <fstream>
#include <iterator>
#include <stdexcept>

namespace {

using namespace tikc;

const plan::Plan* planRead = nullptr;

struct LoadedContract {
  using plan = engine::LoadedPlan;
  using policy = engine::LoadedPolicy;
  static engine::Request fresh() { return engine::Request(*planRead); }
  static std::size_t slice_of(const engine::Request& of) { return of.slice(); }
  template <class Value>
  static void set(engine::Request& of, const std::string& name, const Value& value) {
    if (auto field = of.find(name))
      of.set(*field, value);
  }
};

plan::Plan planOf(const char* path) {
  std::ifstream file(path, std::ios::binary);
  std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  SourceManager sources;
  pipeline::CheckedFile checked = pipeline::Checker(sources, {}).check(sources.add(path, {}, text));
  for (const diag::Diagnostic& found : checked.diagnostics)
    if (found.severity == diag::Severity::Error)
      throw std::runtime_error(found.message);
  return pipeline::plansOf(checked).at(0);
}

} // namespace

int main(int count, char** arguments) try {
  if (count != 4)
    throw std::runtime_error("usage: tikc_loaded_driver CONTRACT TALLIES INSTRUCTIONS");
  const plan::Plan source = planOf(arguments[1]);
  planRead = &source;
  tikc_test::allow_at_most(static_cast<tikc_test::InstructionSet>(std::atoi(arguments[3])));
  tikc_test::print_instruction_set();
  const engine::LoadedPlan loaded(source);
  const engine::LoadedPolicy policy(source);
  tikc_test::ContractDriver<LoadedContract>(static_cast<std::size_t>(std::atoi(arguments[2])),
                                            loaded, policy)
      .run();
} catch (const std::exception& fault) {
  std::fprintf(stderr, "%s\n", fault.what());
  return 1;
}
