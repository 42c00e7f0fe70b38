// tikc_plan_interpreter CONTRACT OBSERVATIONS: what a contract's plan means of what was observed,
// in the form in which tests/tools/CheckerDriver.h prints what a generated checker finds.

#include "interpreter/Given.h"
#include "interpreter/Rules.h"
#include "pipeline/Pipeline.h"

#include <cstdio>
#include <exception>
#include <fstream>
#include <iostream>
#include <iterator>
#include <stdexcept>

namespace tikc::interpreter {
namespace {

plan::Plan planOf(const char* path) {
  std::ifstream file(path, std::ios::binary);
  std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  SourceManager sources;
  FileId id = sources.add(path, {}, text);
  pipeline::CheckedFile checked = pipeline::Checker(sources, {}).check(id);
  for (const diag::Diagnostic& found : checked.diagnostics)
    if (found.severity == diag::Severity::Error)
      throw std::runtime_error(found.message);
  return pipeline::plansOf(checked).at(0);
}

class Printer {
public:
  explicit Printer(const plan::Plan& plan)
      : plan_(plan), interpreter_(plan), rules_(plan, interpreter_), given_(plan) {}

  void run(std::istream& bytes) {
    Feed feed(bytes, plan_);
    while (auto event = feed.next(interpreter_.tick()))
      std::visit([&](const auto& of) { take(of); }, *event);
  }

private:
  void take(const Batch& batch) {
    for (const Observation& one : batch.observations) {
      interpreter_.observed().add(one);
      given_.take(one);
    }
    if (batch.strays)
      std::printf("strays %llu\n", static_cast<unsigned long long>(*batch.strays));
  }
  void take(const Served& served) { interpreter_.observed().add(served); }
  void take(const Request& request) { std::printf("slice %zu\n", sliceOf(plan_, request)); }

  void take(const HandedIn& number) { given_.take(number); }
  void take(const StepEnd&) { interpreter_.endStep(); }
  void take(const Evaluation& evaluation) {
    interpreter_.evaluate(evaluation.now);
    rules_.advance();
    std::printf("evaluated %a\n", evaluation.now);
    for (std::size_t i = 0; i < plan_.checks.size(); ++i)
      for (std::size_t slice = 0; slice < plan_.slices.size(); ++slice)
        if (interpreter_.binds(i, slice))
          print(i, slice);
    for (std::size_t i = 0; i < plan_.assumptions.size(); ++i)
      std::printf("%s\n", given_.line(i).c_str());
    for (std::size_t slice = 0; slice < plan_.slices.size(); ++slice) {
      for (std::size_t i = 0; i < plan_.rules.size(); ++i)
        if (auto step = rules_.step(i, slice))
          std::printf("active %zu %zu %zu\n", slice, i, *step);
      if (auto rule = rules_.decides(slice))
        std::printf("decides %zu %zu\n", slice, *rule);
    }
  }

  void print(std::size_t check, std::size_t slice) const {
    static constexpr const char* names[] = {"undecided", "satisfied", "violated"};
    const Finding& found = interpreter_.finding(check, slice);
    std::printf("%zu %zu %s%s %a %a %a %llu\n", check, slice,
                names[static_cast<std::size_t>(found.verdict)], found.isKept ? "-kept" : "",
                static_cast<double>(found.value), static_cast<double>(found.low),
                static_cast<double>(found.high), static_cast<unsigned long long>(found.n));
  }

  const plan::Plan& plan_;
  Interpreter interpreter_;
  Rules rules_;
  Given given_;
};

} // namespace
} // namespace tikc::interpreter

int main(int count, char** arguments) try {
  if (count != 3)
    throw std::runtime_error("usage: tikc_plan_interpreter CONTRACT OBSERVATIONS");
  tikc::plan::Plan plan = tikc::interpreter::planOf(arguments[1]);
  std::ifstream observations(arguments[2], std::ios::binary);
  tikc::interpreter::Printer(plan).run(observations);
} catch (const std::exception& fault) {
  std::fprintf(stderr, "%s\n", fault.what());
  return 1;
}
