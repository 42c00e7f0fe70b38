#pragma once

#include "data/Source.h"
#include "data/bytes/Mapped.h"

namespace tikc::data {

/// An output file of `llama-perplexity --kl-divergence-base`.
struct LlamaFile {
  std::string name;
  std::shared_ptr<const MappedFile> file;
};
bool isLlamaFile(std::string_view bytes);
/// Makes an input of two such files for the same text: the trainer's and the server's.
llvm::Expected<std::unique_ptr<Input>> llamaInput(std::span<const LlamaFile> files,
                                                  const DataLimits& limits);

} // namespace tikc::data
