#pragma once

#include "data/Source.h"
#include "data/arrays/Array.h"
#include "data/arrays/LlamaInput.h"

namespace tikc::data {

/// Collects array files and makes inputs of them. An archive is one input. All single arrays
/// together are another; each is named after its file, without the extension.
class ArrayInputs {
public:
  ArrayInputs(const DataLimits& limits, std::size_t vocabulary)
      : limits_(limits), vocabulary_(vocabulary) {}

  /// Takes a file; returns whether it holds arrays.
  llvm::Expected<bool> take(const std::string& name, const std::shared_ptr<const MappedFile>& file);
  llvm::Error finish(std::vector<std::unique_ptr<Input>>& out);

private:
  void add(std::string name, std::string form, std::vector<Array> arrays);

  DataLimits limits_;
  std::size_t vocabulary_;
  std::vector<Array> single_;
  std::vector<LlamaFile> llama_;
  std::vector<std::unique_ptr<Input>> inputs_;
};

} // namespace tikc::data
