#pragma once

#include "verifier/Text.h"

namespace verify {

/// Rejects unknown keys, which may mean anything.
void requireKeys(const Tree& tree, std::string_view known);

/// A contract of the first file, with its parents from the others. It answers all questions about
/// kernels, distributions, slices and givens, from the texts.
class Contract {
public:
  Contract(const std::vector<File>& files, std::string_view name);
  Contract(const Contract&) = delete; // it points into itself

  /// Returns the nodes of a file's entry, from its section on, unless another entry replaced it.
  std::vector<const Tree*> find(std::size_t file, std::size_t at) const;
  /// Returns the facts that an entry states, each with its place. For temperatures, which concern
  /// two kernels, they are those of a link; for an empty path, those of unwritten temperatures.
  std::vector<Fact> stated(const std::vector<const Tree*>& path, const std::string& link) const;

  /// What a claim must bound: each comparison on each slice, in the order of the texts.
  struct Goal {
    const Tree* claim;
    Fact fact; // without a quantity if nothing bounds it
    std::string op, text;
  };
  std::vector<Goal> goals() const;

  /// What a clause requires that facts of the same quantity and place may rule out: see
  /// `readRequirement`.
  struct Counter {
    std::string clause;
    Fact asked;
  };
  std::vector<Counter> counters() const;

  const Tree& tree() const { return root_; }
  /// The slices, including a remainder.
  const std::vector<std::string>& slices() const { return slices_; }
  /// Returns whether the slice begins or ends within responses, so that it contains no whole
  /// response.
  bool cutsResponses(const std::string& slice) const;
  bool isOneToken() const { return isOneToken_; } // gradients are
  const std::string& server() const { return kernels_.back().name; }
  /// Returns the distributions that rows of a link's kernels compare; rejects a text that is not a
  /// link of the chain, "a>b".
  std::string rowLaws(const std::string& link) const;

private:
  /// A kernel of the chain.
  struct Kernel {
    std::string name;
    Number temperature = 1;
    const Tree* temperatureAt = nullptr; // null: not written
    bool cuts = false, logsRaw = false;
  };

  Tree resolved(const std::vector<File>& files, std::size_t file, std::string_view name,
                bool isNamed, int depth) const;
  void readKernels();
  void readKernel(const std::string& name);
  void readSlices();
  void readSupport();
  const Tree* at(std::initializer_list<std::string_view> path) const;
  const Kernel* kernel(std::string_view name) const;
  std::pair<const Kernel*, const Kernel*> endsOf(std::string_view link) const;
  std::string between(const Kernel& first, const Kernel& second) const {
    return first.name + ">" + second.name;
  }
  std::string ends() const { return between(kernels_.front(), kernels_.back()); }
  /// The ends of the chain as written, without newer weights in front.
  std::string measured() const { return between(kernels_[trainer_], kernels_.back()); }

  bool isServer(const Kernel& kernel) const { return &kernel == &kernels_.back(); }
  std::string settled(const Kernel& kernel, std::string law) const;
  std::string ofRows(const Kernel& kernel) const;
  bool cutsRows(const Kernel& kernel) const;
  std::string logged(const Kernel& kernel) const;

  std::vector<Fact> clause(const Tree& entry, const std::string& kind) const;
  std::vector<Fact> temperatures(const Tree* entry, const std::string& link) const;
  std::vector<Fact> ofSlice(const Tree& slice, std::string_view key) const;
  std::vector<Fact> gradient(const Tree& entry) const;
  std::vector<Fact> placed(std::vector<Fact> given) const;
  std::string linkOf(const Tree& statement, const std::string& byDefault) const;
  std::vector<std::string> scopesOf(const Statement& statement) const;

  std::vector<Tree> documents_; // of each file
  std::size_t size_ = 0;        // of all files
  Tree root_;
  std::vector<Kernel> kernels_;
  std::size_t trainer_ = 0; // 1 if the trainer with newer weights precedes it
  std::vector<std::string> slices_;
  bool temperatureVaries_ = false, cutVaries_ = false, slicesCut_ = false, slicesSplit_ = false;
  bool hasFullSupport_ = false, isContradicted_ = false, declaresMissingMass_ = false;
  bool isOneToken_ = false;
};

} // namespace verify
