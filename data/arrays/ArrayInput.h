#pragma once

#include "data/Source.h"
#include "data/arrays/Array.h"
#include "data/arrays/LlamaInput.h"

namespace tikc::data {

/// Sorts out the files that hold arrays, and makes inputs of them: one of an archive, and one of
/// all single arrays together, each of which has its file's name without the ending.
class ArrayInputs {
public:
  ArrayInputs(const DataLimits& limits, std::size_t vocabulary)
      : limits_(limits), vocabulary_(vocabulary) {}

  /// Whether the file is one of arrays.
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
